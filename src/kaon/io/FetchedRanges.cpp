#include <kaon/detail/io/FetchedRanges.h>

#include <algorithm>

namespace kaon::io {

void joinNeighbours(std::vector<ByteRange>& ranges, std::uint64_t mostBetween) {
  std::ranges::sort(ranges, {}, &ByteRange::offset);
  std::size_t joined = 0;
  for (const ByteRange& range : ranges) {
    if (joined > 0) {
      ByteRange& last = ranges[joined - 1];
      const std::uint64_t end = last.offset + last.count;
      if (range.offset <= end || range.offset - end < mostBetween) {
        last.count = std::max(end, range.offset + range.count) - last.offset;
        continue;
      }
    }
    ranges[joined++] = range;
  }
  ranges.resize(joined);
}

std::uint64_t bytesIn(std::span<const ByteRange> ranges) noexcept {
  std::uint64_t sum = 0;
  for (const ByteRange& range : ranges)
    sum += range.count;
  return sum;
}

std::vector<std::span<const std::byte>> FetchedRanges::fetch(const ByteSource& source,
                                                             std::span<const ByteRange> ranges) {
  m_ranges.clear();
  m_memory = std::make_shared<Buffer>(); // others may still keep the earlier bytes
  auto views = source.views(ranges, *m_memory);
  for (std::size_t i = 0; i < ranges.size(); ++i)
    m_ranges.push_back({ranges[i], views[i]});
  return views;
}

std::optional<std::span<const std::byte>> FetchedRanges::find(std::uint64_t position,
                                                              std::uint64_t size) const {
  const auto after = std::ranges::upper_bound(
      m_ranges, position, {}, [](const FetchedRange& each) { return each.range.offset; });
  if (after == m_ranges.begin())
    return std::nullopt;
  const auto& [range, bytes] = *(after - 1);
  const std::uint64_t begin = position - range.offset;
  if (begin > range.count || size > range.count - begin)
    return std::nullopt;
  return bytes.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(size));
}

} // namespace kaon::io
