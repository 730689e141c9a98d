#include <kaon/formats/root/container/ContainerWriter.h>

#include <kaon/base/Buffer.h>
#include <kaon/base/Error.h>
#include <kaon/formats/root/container/Blocks.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <random>
#include <ranges>
#include <utility>

namespace kaon::root {
namespace {

constexpr std::uint64_t firstRecord = FileHeader::mostBytes;
constexpr std::size_t mostPayloadBytes = std::numeric_limits<std::int32_t>::max() - mostKeyBytes;

Uuid randomUuid() {
  std::random_device random;
  Uuid uuid;
  for (std::byte& byte : uuid)
    byte = static_cast<std::byte>(random());
  return uuid;
}

/// Returns "a/b" for "a/b/t", and "" for a path without folders.
std::string_view folderOf(std::string_view path) noexcept {
  const std::size_t mark = path.rfind('/');
  return path.substr(0, mark == std::string_view::npos ? 0 : mark);
}

} // namespace

ContainerWriter::ContainerWriter(std::unique_ptr<io::ByteSink> sink, Compression compression)
    : m_sink(std::move(sink)), m_title(std::filesystem::path(m_sink->name()).filename().string()),
      m_compression(compression) {
  m_folders.push_back({.path = "", .uuid = randomUuid(), .position = firstRecord});
  m_sink->rewrite(0, {}); // fails now if the sink cannot be rewritten later
  BigEndianWriter room;
  putBeginning(room, {}, {});
  put(room.bytes());
}

Key ContainerWriter::key(std::string_view className, std::string_view name, std::string_view title,
                         std::size_t payloadBytes) const {
  Key key;
  key.position = m_end;
  key.isWide = m_end > mostInSmallFile;
  key.objectBytes = static_cast<std::uint32_t>(payloadBytes);
  key.cycle = 1;
  key.folder = firstRecord;
  key.className = className;
  key.name = name;
  key.title = title;
  const std::size_t keyBytes = root::keyBytesOf(key);
  if (keyBytes > mostKeyBytes || payloadBytes > mostPayloadBytes)
    fail(ErrorKind::usage, m_sink->name(), ": '", key.name.substr(0, 80), "' is too large: ROOT's ",
         "records have at most 2 GiB, and their names and titles together ", mostKeyBytes,
         " bytes");
  key.keyBytes = static_cast<std::uint16_t>(keyBytes);
  key.recordBytes = key.keyBytes + key.objectBytes;
  return key;
}

void ContainerWriter::write(const Key& key, std::span<const std::byte> payload) {
  BigEndianWriter writer;
  putKey(writer, key);
  put(writer.bytes());
  put(payload);
}

void ContainerWriter::put(std::span<const std::byte> bytes) {
  m_sink->write(bytes);
  m_end += bytes.size();
}

std::uint64_t ContainerWriter::writeBlob(std::span<const std::byte> payload) {
  const Key blob = key("RBlob", "", "", payload.size());
  write(blob, payload);
  return blob.position + blob.keyBytes;
}

/// Returns the number of a folder. Creates it if it is new; its header is written at the end.
std::size_t ContainerWriter::folderAt(std::string_view path) {
  const auto known = std::ranges::find(m_folders, path, &Folder::path);
  if (known != m_folders.end())
    return static_cast<std::size_t>(known - m_folders.begin());
  const std::size_t parent = folderAt(folderOf(path));
  const std::string_view name = nameInFolder(path);
  Key folder = key("TDirectory", name, name, folderBytes);
  folder.folder = m_folders[parent].position;
  m_folders[parent].listed.push_back(folder);
  m_folders.push_back({std::string(path), parent, randomUuid(), folder.position, folder.keyBytes});
  BigEndianWriter room;
  putFolderHeader(room, {}, {});
  write(folder, room.bytes());
  return m_folders.size() - 1;
}

std::uint16_t ContainerWriter::keyBytesOf(std::string_view className, std::string_view path,
                                          std::string_view title) {
  (void)folderAt(folderOf(path));
  return key(className, nameInFolder(path), title, 0).keyBytes;
}

void ContainerWriter::writeObject(std::string_view className, std::string_view path,
                                  std::string_view title, std::span<const std::byte> payload,
                                  Compression how) {
  const std::size_t folder = folderAt(folderOf(path));
  writeListed(key(className, nameInFolder(path), title, payload.size()), folder, payload, how);
}

void ContainerWriter::writeCopy(const Key& original, std::string_view path,
                                std::span<const std::byte> payload, Compression how) {
  const std::size_t folder = folderAt(folderOf(path));
  Key listed = key(original.className, nameInFolder(path), original.title, payload.size());
  if (original.keyBytes < listed.keyBytes)
    fail(ErrorKind::usage, m_sink->name(), ": '", path, "' cannot be copied behind 2 GB of data; ",
         "copy fewer objects");
  listed.keyBytes = original.keyBytes;
  writeListed(std::move(listed), folder, payload, how);
}

/// Writes an object of a folder. Its key can have more bytes than it needs.
void ContainerWriter::writeListed(Key listed, std::size_t folder,
                                  std::span<const std::byte> payload, Compression how) {
  Buffer compressed;
  const auto stored = compressDescription(how, payload, compressed) ? compressed.bytes() : payload;
  listed.folder = m_folders[folder].position;
  listed.recordBytes = listed.keyBytes + static_cast<std::uint32_t>(stored.size());
  BigEndianWriter writer;
  putKey(writer, listed);
  writer.putZeros(listed.keyBytes - root::keyBytesOf(listed));
  put(writer.bytes());
  put(stored);
  m_folders[folder].listed.push_back(std::move(listed));
}

std::uint64_t ContainerWriter::writeRecord(std::string_view className, std::string_view name,
                                           std::string_view title, std::span<const std::byte> inKey,
                                           std::span<const std::byte> stored,
                                           std::size_t objectBytes) {
  Key record = key(className, name, title, objectBytes);
  record.isWide = true; // the payload has positions behind the key, and was encoded before
  record.keyBytes = static_cast<std::uint16_t>(root::keyBytesOf(record) + inKey.size());
  record.recordBytes = record.keyBytes + static_cast<std::uint32_t>(stored.size());
  BigEndianWriter writer;
  putKey(writer, record);
  writer.putBytes(inKey);
  put(writer.bytes());
  put(stored);
  return record.position;
}

/// Writes the keys of a folder. Returns the folder's header.
FolderHeader ContainerWriter::writeKeys(const Folder& folder) {
  BigEndianWriter keys;
  keys.put(static_cast<std::uint32_t>(folder.listed.size()));
  for (const Key& listed : folder.listed)
    putKey(keys, listed);
  Key own = key("", folder.path.empty() ? m_title : nameInFolder(folder.path), "", keys.size());
  own.folder = folder.position;
  write(own, keys.bytes());
  return {.keys = own.position,
          .keysBytes = m_end - own.position,
          .nameBytes = folder.keyBytes,
          .position = folder.position,
          .parent = folder.path.empty() ? 0 : m_folders[folder.parent].position};
}

/// Writes the list of free bytes: everything behind the end of the file, as ROOT requires. Returns
/// the size of the record.
std::uint64_t ContainerWriter::writeFreeList() {
  constexpr std::uint16_t version = 1, wide = 1000;
  constexpr std::uint64_t step = 1'000'000'000;
  constexpr std::size_t smallBytes = 10, wideBytes = 18;
  const std::uint64_t begin = m_end;
  Key own = key("", m_title, "", smallBytes);
  const bool isWide = m_end + own.recordBytes > mostInSmallFile;
  if (isWide)
    own = key("", m_title, "", wideBytes);
  const std::uint64_t end = m_end + own.recordBytes;
  BigEndianWriter segment;
  if (isWide) {
    segment.put(static_cast<std::uint16_t>(version + wide));
    segment.put(end);
    segment.put((end / step + 1) * step);
  } else {
    segment.put(version);
    segment.put(static_cast<std::uint32_t>(end));
    segment.put(static_cast<std::uint32_t>(mostInSmallFile));
  }
  write(own, segment.bytes());
  return m_end - begin;
}

void ContainerWriter::finish(const std::function<Buffer(std::uint16_t keyBytes)>& infos) {
  FileHeader header;
  const FolderHeader root = writeKeys(m_folders.front());
  for (const Folder& folder : m_folders | std::views::drop(1)) {
    BigEndianWriter beginning;
    putFolderHeader(beginning, writeKeys(folder), folder.uuid);
    m_sink->rewrite(folder.position + folder.keyBytes, beginning.bytes());
  }
  header.infos = m_end;
  Key record = key("TList", "StreamerInfo", "Doubly linked list", 0);
  const Buffer plain = infos(record.keyBytes);
  Buffer compressed;
  const bool isSmaller = compressDescription(m_compression, plain.bytes(), compressed);
  const auto stored = isSmaller ? compressed.bytes() : plain.bytes();
  record.objectBytes = static_cast<std::uint32_t>(plain.size());
  record.recordBytes = record.keyBytes + static_cast<std::uint32_t>(stored.size());
  write(record, stored);
  header.infosBytes = m_end - header.infos;
  header.freeList = m_end;
  header.freeListBytes = writeFreeList();
  header.end = m_end;
  BigEndianWriter beginning;
  putBeginning(beginning, header, root);
  m_sink->rewrite(0, beginning.bytes());
  m_sink->finish();
}

/// Writes the header of the file and the record of its root folder. Their sizes never change.
void ContainerWriter::putBeginning(BigEndianWriter& writer, const FileHeader& header,
                                   const FolderHeader& folder) const {
  const std::size_t nameBytes = stringBytes(m_title) + stringBytes("");
  Key own = key("TFile", m_title, "", nameBytes + folderBytes);
  own.position = firstRecord;
  own.isWide = false;
  own.keyBytes = static_cast<std::uint16_t>(root::keyBytesOf(own));
  own.recordBytes = own.keyBytes + own.objectBytes;
  own.folder = 0;
  FileHeader file = header;
  file.begin = firstRecord;
  file.nameBytes = own.keyBytes + nameBytes;
  file.compression = compressionSetting(m_compression);
  FolderHeader root = folder;
  root.position = firstRecord;
  root.nameBytes = file.nameBytes;
  putFileHeader(writer, file, m_folders.front().uuid);
  putKey(writer, own);
  writer.putString(m_title);
  writer.putString("");
  putFolderHeader(writer, root, m_folders.front().uuid);
}

} // namespace kaon::root
