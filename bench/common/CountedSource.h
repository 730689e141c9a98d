#pragma once

#include <kaon/io/ByteSource.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace bench {

/// Counts the bytes that are requested from a file.
class CountedSource final : public kaon::io::ByteSource {
public:
  CountedSource(std::unique_ptr<ByteSource> source, std::atomic<std::uint64_t>& bytes)
      : ByteSource(source->name()), m_source(std::move(source)), m_bytes(&bytes) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return m_source->size(); }

private:
  void request(std::span<const kaon::io::ByteRange> ranges,
               std::span<std::span<const std::byte>> views, kaon::Buffer& scratch) const override {
    for (const kaon::io::ByteRange& range : ranges)
      *m_bytes += range.count;
    std::ranges::copy(m_source->views(ranges, scratch), views.begin());
  }
  std::unique_ptr<ByteSource> m_source;
  std::atomic<std::uint64_t>* m_bytes;
};

} // namespace bench
