#include <kaon/formats/root/container/FileHeader.h>

#include <kaon/formats/root/container/BigEndian.h>

#include <algorithm>
#include <array>

namespace kaon::root {
namespace {

constexpr std::array magic{std::byte{'r'}, std::byte{'o'}, std::byte{'o'}, std::byte{'t'}};

std::uint64_t getPosition(BigEndianReader& reader, bool isWide) {
  return isWide ? reader.get<std::uint64_t>() : reader.get<std::uint32_t>();
}

} // namespace

bool isRootFile(std::span<const std::byte> firstBytes) noexcept {
  const std::size_t count = std::min(firstBytes.size(), magic.size()); // it may have been cut
  return std::ranges::equal(firstBytes.first(count), std::span(magic).first(count));
}

FileHeader readFileHeader(std::span<const std::byte> bytes, const std::string& where) {
  constexpr std::uint32_t firstWideVersion = 1'000'000;
  BigEndianReader reader(bytes, where);
  reader.skip(magic.size());
  const bool isWide = reader.get<std::uint32_t>() >= firstWideVersion;
  FileHeader header;
  header.begin = reader.get<std::uint32_t>();
  header.end = getPosition(reader, isWide);
  (void)getPosition(reader, isWide);      // of the free segments
  reader.skip(2 * sizeof(std::uint32_t)); // their bytes, their number
  header.nameBytes = reader.get<std::uint32_t>();
  reader.skip(1 + sizeof(std::uint32_t)); // the bytes of a position, the compression
  header.infos = getPosition(reader, isWide);
  header.infosBytes = reader.get<std::uint32_t>();
  if (header.begin < reader.position() || header.begin > header.end)
    reader.failHere("the positions in the header contradict each other; the file is damaged");
  return header;
}

FolderHeader readFolderHeader(std::span<const std::byte> bytes, const std::string& where) {
  constexpr std::uint16_t firstWideVersion = 1001;
  BigEndianReader reader(bytes, where);
  const bool isWide = reader.get<std::uint16_t>() >= firstWideVersion;
  reader.skip(2 * sizeof(std::uint32_t)); // two times
  FolderHeader header;
  const auto keysBytes = reader.get<std::int32_t>();
  if (keysBytes < 0)
    reader.failHere("a folder claims keys of less than no bytes; the file is damaged");
  header.keysBytes = static_cast<std::uint64_t>(keysBytes);
  reader.skip(sizeof(std::uint32_t)); // of its name
  (void)getPosition(reader, isWide);  // its own
  (void)getPosition(reader, isWide);  // its parent's, which older writers got wrong
  header.keys = getPosition(reader, isWide);
  if (header.keys == 0)
    header.keysBytes = 0;
  return header;
}

} // namespace kaon::root
