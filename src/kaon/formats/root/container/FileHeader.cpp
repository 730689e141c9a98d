#include <kaon/formats/root/container/FileHeader.h>

#include <kaon/formats/root/container/Key.h>

#include <algorithm>
#include <array>

namespace kaon::root {
namespace {

constexpr std::array magic{std::byte{'r'}, std::byte{'o'}, std::byte{'o'}, std::byte{'t'}};
// The byte behind the magic, of the version; a text that begins with "root" has another byte here.
// The version is negative in files that uproot 4.1 to 5.3 updated, because it subtracted a million.
constexpr std::array highestOfVersion{std::byte{0}, std::byte{0xFF}};

void putUuid(BigEndianWriter& writer, const Uuid& uuid) {
  writer.put(std::uint16_t{1}); // the version of the class
  writer.putBytes(uuid);
}

} // namespace

bool isRootFile(std::span<const std::byte> firstBytes) noexcept {
  // The bytes may have been cut.
  const std::size_t count = std::min(firstBytes.size(), magic.size());
  return std::ranges::equal(firstBytes.first(count), std::span(magic).first(count)) &&
         (firstBytes.size() <= magic.size() ||
          std::ranges::find(highestOfVersion, firstBytes[magic.size()]) != highestOfVersion.end());
}

FileHeader readFileHeader(std::span<const std::byte> bytes, const std::string& where) {
  constexpr std::int32_t firstWideVersion = 1'000'000;
  BigEndianReader reader(bytes, where);
  reader.skip(magic.size());
  FileHeader header;
  header.version = reader.get<std::int32_t>();
  const bool isWide = header.version >= firstWideVersion;
  if (header.version < 0)
    header.version += firstWideVersion;
  else if (isWide)
    header.version -= firstWideVersion;
  header.begin = reader.get<std::uint32_t>();
  header.end = reader.getPosition(isWide);
  header.freeList = reader.getPosition(isWide);
  header.freeListBytes = reader.get<std::uint32_t>();
  reader.skip(sizeof(std::uint32_t)); // the number of free segments
  header.nameBytes = reader.get<std::uint32_t>();
  reader.skip(1); // the size of a position
  header.compression = reader.get<std::uint32_t>();
  header.infos = reader.getPosition(isWide);
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
    reader.failHere("a folder claims keys of a negative size; the file is damaged");
  header.keysBytes = static_cast<std::uint64_t>(keysBytes);
  header.nameBytes = reader.get<std::uint32_t>();
  header.position = reader.getPosition(isWide);
  (void)reader.getPosition(isWide); // the position of the folder above
  header.keys = reader.getPosition(isWide);
  if (header.keys == 0)
    header.keysBytes = 0;
  return header;
}

void putFileHeader(BigEndianWriter& writer, const FileHeader& header, const Uuid& uuid) {
  // The version of ROOT whose format is written.
  constexpr std::uint32_t version = 64000, wide = 1'000'000;
  const std::size_t begin = writer.size();
  const bool isWide = header.end > mostInSmallFile;
  writer.putBytes(magic);
  writer.put(version + (isWide ? wide : 0));
  writer.put(static_cast<std::uint32_t>(header.begin));
  writer.putPosition(header.end, isWide);
  writer.putPosition(header.freeList, isWide);
  writer.put(static_cast<std::uint32_t>(header.freeListBytes));
  writer.put(std::uint32_t{1}); // free segment
  writer.put(static_cast<std::uint32_t>(header.nameBytes));
  writer.put(static_cast<std::uint8_t>(isWide ? 8 : 4));
  writer.put(header.compression);
  writer.putPosition(header.infos, isWide);
  writer.put(static_cast<std::uint32_t>(header.infosBytes));
  putUuid(writer, uuid);
  writer.putZeros(FileHeader::mostBytes - (writer.size() - begin));
}

void putFolderHeader(BigEndianWriter& writer, const FolderHeader& header, const Uuid& uuid) {
  constexpr std::uint16_t version = 5, wide = 1000;
  const std::size_t begin = writer.size();
  const bool isWide = header.keys > mostInSmallFile || header.position > mostInSmallFile;
  writer.put(static_cast<std::uint16_t>(version + (isWide ? wide : 0)));
  writer.put(packedTimeNow()); // time of creation
  writer.put(packedTimeNow()); // time of the last change
  writer.put(static_cast<std::uint32_t>(header.keysBytes));
  writer.put(static_cast<std::uint32_t>(header.nameBytes));
  writer.putPosition(header.position, isWide);
  writer.putPosition(header.parent, isWide);
  writer.putPosition(header.keys, isWide);
  putUuid(writer, uuid);
  writer.putZeros(folderBytes - (writer.size() - begin)); // reserved for the wide form
}

} // namespace kaon::root
