#include <kaon/formats/root/container/RootFileHeader.h>

#include <kaon/formats/root/container/RecordKey.h>

#include <algorithm>
#include <array>

namespace kaon::root {
namespace {

constexpr std::array magic{std::byte{'r'}, std::byte{'o'}, std::byte{'o'}, std::byte{'t'}};
// The byte behind the magic, of the version; a text that begins with "root" has another byte here.
// The version is negative in files that uproot 4.1 to 5.3 updated, because it subtracted a million.
constexpr std::array highestOfVersion{std::byte{0}, std::byte{0xFF}};
constexpr std::int32_t firstWideFile = 1'000'000;
constexpr std::size_t uuidBytes = sizeof(std::uint16_t) + sizeof(Uuid);

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

RootFileHeader readFileHeader(std::span<const std::byte> bytes, const std::string& where) {
  BigEndianReader reader(bytes, where);
  reader.skip(magic.size());
  RootFileHeader header;
  header.version = reader.get<std::int32_t>();
  const bool isWide = header.version >= firstWideFile;
  if (header.version < 0)
    header.version += firstWideFile;
  else if (isWide)
    header.version -= firstWideFile;
  header.begin = reader.get<std::uint32_t>();
  header.end = reader.getPosition(isWide);
  header.freeList = reader.getPosition(isWide);
  header.freeListBytes = reader.get<std::uint32_t>();
  header.freeSegments = reader.get<std::uint32_t>();
  header.nameBytes = reader.get<std::uint32_t>();
  reader.skip(1); // the size of a position
  header.compression = reader.get<std::uint32_t>();
  header.infos = reader.getPosition(isWide);
  header.infosBytes = reader.get<std::uint32_t>();
  if (header.begin < reader.position() || header.begin > header.end)
    reader.failHere("the positions in the header contradict each other; the file is damaged");
  if (header.begin - reader.position() >= uuidBytes && reader.remaining() >= uuidBytes) {
    reader.skip(sizeof(std::uint16_t)); // the version of the class
    std::ranges::copy(reader.take(header.uuid.size()), header.uuid.begin());
  }
  return header;
}

FolderHeader readFolderHeader(std::span<const std::byte> bytes, const std::string& where) {
  constexpr std::uint16_t firstWideFolder = 1001;
  BigEndianReader reader(bytes, where);
  const bool isWide = reader.get<std::uint16_t>() >= firstWideFolder;
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

void putFileHeader(BigEndianWriter& writer, const RootFileHeader& header,
                   const std::string& where) {
  const std::size_t begin = writer.size();
  const bool isWide = header.end > mostInSmallFile;
  writer.putBytes(magic);
  writer.put(header.version + (isWide ? firstWideFile : 0));
  writer.put(static_cast<std::uint32_t>(header.begin));
  writer.putPosition(header.end, isWide);
  writer.putPosition(header.freeList, isWide);
  writer.put(static_cast<std::uint32_t>(header.freeListBytes));
  writer.put(header.freeSegments);
  writer.put(static_cast<std::uint32_t>(header.nameBytes));
  writer.put(static_cast<std::uint8_t>(isWide ? 8 : 4));
  writer.put(header.compression);
  writer.putPosition(header.infos, isWide);
  writer.put(static_cast<std::uint32_t>(header.infosBytes));
  putUuid(writer, header.uuid);
  const std::size_t bytes = writer.size() - begin;
  if (bytes > header.begin)
    fail(ErrorKind::usage, where, ": its header has no room for positions beyond 2 GB; ",
         "`kaon convert` makes a file that has it");
  writer.putZeros(static_cast<std::size_t>(header.begin) - bytes);
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
