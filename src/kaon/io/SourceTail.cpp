#include <kaon/io/SourceTail.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace kaon::io {
namespace {

class SourceTail final : public ByteSource {
public:
  SourceTail(std::unique_ptr<ByteSource> source, std::uint64_t begin)
      : ByteSource(source->name()), m_source(std::move(source)), m_begin(begin) {}

  [[nodiscard]] std::uint64_t size() const noexcept override { return m_source->size() - m_begin; }
  [[nodiscard]] bool isInMemory() const noexcept override { return m_source->isInMemory(); }
  [[nodiscard]] bool isDistant() const noexcept override { return m_source->isDistant(); }
  void prefetch(std::span<const ByteRange> ranges) const noexcept override {
    m_source->prefetch(moved(ranges));
  }
  [[nodiscard]] std::shared_ptr<const void> hold(std::span<const ByteRange> ranges) const override {
    return m_source->hold(moved(ranges));
  }

private:
  [[nodiscard]] std::vector<ByteRange> moved(std::span<const ByteRange> ranges) const {
    std::vector<ByteRange> result;
    result.reserve(ranges.size());
    for (const ByteRange& range : ranges) {
      const ByteRange part = inside(range);
      result.push_back({m_begin + part.offset, part.count});
    }
    return result;
  }

  void request(std::span<const ByteRange> ranges, std::span<std::span<const std::byte>> views,
               Buffer& scratch) const override {
    std::ranges::copy(m_source->views(moved(ranges), scratch), views.begin());
  }

  std::unique_ptr<ByteSource> m_source;
  std::uint64_t m_begin;
};

} // namespace

std::unique_ptr<ByteSource> tailOf(std::unique_ptr<ByteSource> source, std::uint64_t begin) {
  return std::make_unique<SourceTail>(std::move(source), begin);
}

} // namespace kaon::io
