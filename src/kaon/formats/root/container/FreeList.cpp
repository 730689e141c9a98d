#include <kaon/formats/root/container/FreeList.h>

#include <kaon/base/Buffer.h>
#include <kaon/base/Error.h>

#include <algorithm>

namespace kaon::root {
namespace {

constexpr std::uint16_t freeVersion = 1, wideFreeVersion = 1001;
constexpr std::size_t freeBytes = 10, wideFreeBytes = 18;

bool isWideFree(const FreeList::Segment& segment) noexcept {
  return segment.last > mostInSmallFile;
}

void putSegment(BigEndianWriter& writer, std::uint64_t first, std::uint64_t last, bool isWide) {
  writer.put(isWide ? wideFreeVersion : freeVersion);
  writer.putPosition(first, isWide);
  writer.putPosition(last, isWide);
}

} // namespace

FreeList::FreeList(const RootContainer& container) {
  const RootFileHeader& header = container.header();
  const std::uint64_t size = container.bytes().size();
  if (header.freeList == 0 || header.freeList >= size ||
      header.freeListBytes > size - header.freeList)
    return;
  Buffer scratch;
  BigEndianReader reader(container.bytes().view(header.freeList,
                                                static_cast<std::size_t>(header.freeListBytes),
                                                scratch),
                         container.name() + ": the list of free bytes");
  std::vector<Segment> found;
  try {
    reader.seek(readKey(reader).keyBytes);
    while (reader.remaining() >= freeBytes) {
      const bool isWide = reader.get<std::uint16_t>() >= wideFreeVersion;
      Segment segment;
      segment.first = reader.getPosition(isWide);
      segment.last = reader.getPosition(isWide);
      found.push_back(segment);
    }
  } catch (const Error& error) { // the list only saves space
    if (error.kind() != ErrorKind::corrupt)
      throw;
  }
  std::ranges::sort(found, {}, &Segment::first);
  std::uint64_t end = header.begin;
  for (const Segment& segment : found)
    if (segment.first >= end && segment.last >= segment.first && segment.last < header.end) {
      m_segments.push_back(segment);
      end = segment.last + 1;
    }
}

void FreeList::add(std::uint64_t position, std::uint64_t bytes) {
  m_segments.push_back({position, position + bytes - 1});
}

std::vector<FreeList::Segment> FreeList::segments() const {
  std::vector<Segment> sorted = m_segments, joined;
  std::ranges::sort(sorted, {}, &Segment::first);
  for (const Segment& segment : sorted)
    if (!joined.empty() && segment.first <= joined.back().last + 1)
      joined.back().last = std::max(joined.back().last, segment.last);
    else
      joined.push_back(segment);
  return joined;
}

std::uint32_t FreeList::count() const { return static_cast<std::uint32_t>(segments().size() + 1); }

std::size_t FreeList::bytes(bool endIsWide) const {
  std::size_t bytes = endIsWide ? wideFreeBytes : freeBytes;
  for (const Segment& segment : segments())
    bytes += isWideFree(segment) ? wideFreeBytes : freeBytes;
  return bytes;
}

void FreeList::put(BigEndianWriter& writer, std::uint64_t end) const {
  constexpr std::uint64_t step = 1'000'000'000;
  for (const Segment& segment : segments())
    putSegment(writer, segment.first, segment.last, isWideFree(segment));
  const bool isWide = end > mostInSmallFile;
  putSegment(writer, end, isWide ? (end / step + 1) * step : mostInSmallFile, isWide);
}

} // namespace kaon::root
