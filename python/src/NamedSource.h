#pragma once

#include <kaon/io/ByteSource.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace kaon::python {

/// Bytes with another name in messages: a temporary copy has the name of its original.
class NamedSource final : public io::ByteSource {
public:
  NamedSource(std::string name, std::unique_ptr<io::ByteSource> bytes)
      : ByteSource(std::move(name)), m_bytes(std::move(bytes)) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return m_bytes->size(); }
  [[nodiscard]] bool isInMemory() const noexcept override { return m_bytes->isInMemory(); }
  [[nodiscard]] const std::byte* inPlace() const noexcept override { return m_bytes->inPlace(); }
  void checkUnchanged() const override { m_bytes->checkUnchanged(); }
  void prefetch(std::span<const io::ByteRange> ranges) const noexcept override {
    m_bytes->prefetch(ranges);
  }
  [[nodiscard]] bool isDistant() const noexcept override { return m_bytes->isDistant(); }
  [[nodiscard]] std::shared_ptr<const void>
  hold(std::span<const io::ByteRange> ranges) const override {
    return m_bytes->hold(ranges);
  }

private:
  void request(std::span<const io::ByteRange> ranges, std::span<std::span<const std::byte>> views,
               Buffer& scratch) const override {
    std::ranges::copy(m_bytes->views(ranges, scratch), views.begin());
  }

  std::unique_ptr<io::ByteSource> m_bytes;
};

} // namespace kaon::python
