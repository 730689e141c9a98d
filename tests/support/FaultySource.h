#pragma once

#include <kaon/base/Error.h>
#include <kaon/io/ByteSource.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>

namespace kaon::test {

/// The faults of a source. Each throws Error(io).
struct Faults {
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t firstFailing = never; ///< number of the first failing request
  std::uint64_t failing = never;      ///< number of failing requests from that one on
  std::uint64_t cutAt = never;        ///< size of the file after it was cut while open
};

/// Wraps a source like one behind a bad network or on a bad disk. Requests of view() and views()
/// are counted from 0. For a file that was cut before it was opened, use a memorySource() of its
/// first bytes.
class FaultySource final : public io::ByteSource {
public:
  FaultySource(std::unique_ptr<io::ByteSource> source, Faults faults)
      : ByteSource(source->name()), m_source(std::move(source)), m_faults(faults) {}

  [[nodiscard]] std::uint64_t size() const noexcept override { return m_source->size(); }
  void prefetch(std::span<const io::ByteRange> ranges) const noexcept override {
    m_source->prefetch(ranges);
  }

private:
  void request(std::span<const io::ByteRange> ranges, std::span<std::span<const std::byte>> views,
               Buffer& scratch) const override {
    const std::uint64_t number = m_requests++;
    if (number >= m_faults.firstFailing && number - m_faults.firstFailing < m_faults.failing)
      fail(ErrorKind::io, name(), ": request ", number, " fails, as the test wants");
    for (const auto& [offset, count] : ranges)
      if (offset + count > m_faults.cutAt)
        fail(ErrorKind::io, name(), ": was cut at byte ", m_faults.cutAt, ", as the test wants");
    std::ranges::copy(m_source->views(ranges, scratch), views.begin());
  }

  std::unique_ptr<io::ByteSource> m_source;
  Faults m_faults;
  mutable std::atomic<std::uint64_t> m_requests = 0;
};

} // namespace kaon::test
