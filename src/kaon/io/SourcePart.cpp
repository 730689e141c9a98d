#include <kaon/io/SourcePart.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace kaon::io {
namespace {

class SourcePart final : public ByteSource {
public:
  SourcePart(std::shared_ptr<const ByteSource> source, std::uint64_t begin, std::uint64_t end)
      : ByteSource(source->name()), m_source(std::move(source)), m_begin(begin), m_end(end) {}

  [[nodiscard]] std::uint64_t size() const noexcept override { return m_end - m_begin; }
  [[nodiscard]] bool isInMemory() const noexcept override { return m_source->isInMemory(); }
  [[nodiscard]] const std::byte* inPlace() const noexcept override {
    const std::byte* const bytes = m_source->inPlace();
    return bytes ? bytes + m_begin : nullptr;
  }
  void checkUnchanged() const override { m_source->checkUnchanged(); }
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

  std::shared_ptr<const ByteSource> m_source;
  std::uint64_t m_begin, m_end;
};

} // namespace

std::unique_ptr<ByteSource> partOf(std::shared_ptr<const ByteSource> source, std::uint64_t begin,
                                   std::uint64_t end) {
  return std::make_unique<SourcePart>(std::move(source), begin, end);
}

} // namespace kaon::io
