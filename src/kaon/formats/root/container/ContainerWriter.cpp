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

constexpr std::uint64_t firstRecord = RootFileHeader::mostBytes;
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
  m_header.begin = firstRecord;
  m_header.compression = compressionSetting(m_compression);
  m_header.uuid = randomUuid();
  const std::size_t nameBytes = stringBytes(m_title) + stringBytes("");
  RecordKey own = key("TFile", m_title, "", nameBytes + folderBytes);
  own.position = firstRecord;
  own.folder = 0;
  BigEndianWriter record;
  putKey(record, own);
  record.putString(m_title);
  record.putString("");
  m_rootRecord.append(record.bytes());
  m_header.nameBytes = m_rootRecord.size();
  addFolder({"", 0, firstRecord, m_header.nameBytes, m_header.uuid});
  m_sink->rewrite(0, {}); // fails now if the sink cannot be rewritten later
  BigEndianWriter rootHeader, room;
  putFolderHeader(rootHeader, {}, {});
  putBeginning(m_header, rootHeader.bytes(), room);
  put(room.bytes());
}

ContainerWriter::ContainerWriter(std::unique_ptr<io::ByteSink> sink,
                                 std::shared_ptr<const RootContainer> old, Compression compression)
    : m_sink(std::move(sink)), m_old(std::move(old)),
      m_title(std::filesystem::path(m_sink->name()).filename().string()),
      m_compression(compression), m_header(m_old->header()), m_free(*m_old) {
  if (!m_old->isComplete())
    fail(ErrorKind::usage, m_sink->name(), ": was not finished, or is cut; nothing can be added: ",
         "first write the file again with `kaon convert`");
  for (const ListedObject& object : m_old->objects())
    if (object.isNewest)
      m_newest.emplace(object.path, &object);
  for (const ListedFolder& stored : m_old->folders()) {
    const auto known = m_folderNumbers.find(stored.path);
    const bool isNew = known == m_folderNumbers.end();
    if (!isNew && m_folders[known->second].stored->cycle > stored.cycle)
      continue;
    Folder folder{stored.path, 0, stored.position, stored.keyBytes};
    folder.stored = &stored;
    if (isNew)
      addFolder(std::move(folder));
    else
      m_folders[known->second] = std::move(folder);
  }
  Buffer scratch;
  m_rootRecord.append(
      m_old->bytes().view(m_header.begin, static_cast<std::size_t>(m_header.nameBytes), scratch));
  m_end = endOfOld();
  const std::uint64_t size = m_old->bytes().size();
  if (m_end > size)
    fail(ErrorKind::usage, m_sink->name(), ": lists objects behind its end, so it is damaged; ",
         "nothing can be added: first write the file again with `kaon convert`");
  if (m_end < size) // ROOT leaves bytes there, and programs that were killed
    m_sink->cut(m_end);
}

/// The end of the last record that the old file refers to. It is behind the end that the header
/// states if a writer was killed after it had changed a folder.
std::uint64_t ContainerWriter::endOfOld() const {
  std::uint64_t end = std::max(m_header.end, m_header.infos + m_header.infosBytes);
  for (const ListedFolder& folder : m_old->folders())
    end = std::max(end, folder.header.keys + folder.header.keysBytes);
  for (const ListedObject& object : m_old->objects())
    end = std::max(end, object.key.position + object.key.recordBytes);
  return end;
}

RecordKey ContainerWriter::key(std::string_view className, std::string_view name,
                               std::string_view title, std::size_t payloadBytes) const {
  RecordKey key;
  key.position = m_end;
  key.isWide = m_end > mostInSmallFile;
  key.objectBytes = static_cast<std::uint32_t>(payloadBytes);
  key.cycle = 1;
  key.folder = m_header.begin;
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

void ContainerWriter::write(const RecordKey& key, std::span<const std::byte> payload) {
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
  const RecordKey blob = key("RBlob", "", "", payload.size());
  write(blob, payload);
  return blob.position + blob.keyBytes;
}

void ContainerWriter::addFolder(Folder folder) {
  m_folderNumbers.emplace(folder.path, m_folders.size());
  m_folders.push_back(std::move(folder));
}

/// Returns the number of a folder. Creates it if it is new; its header is written at the end.
std::size_t ContainerWriter::folderAt(std::string_view path) {
  if (const auto known = m_folderNumbers.find(path); known != m_folderNumbers.end())
    return known->second;
  const std::size_t parent = folderAt(folderOf(path));
  const std::string_view name = nameInFolder(path);
  RecordKey folder = key("TDirectory", name, name, folderBytes);
  folder.folder = m_folders[parent].position;
  m_folders[parent].added.push_back({folder});
  addFolder({std::string(path), parent, folder.position, folder.keyBytes, randomUuid()});
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
  (void)folderAt(folderOf(path)); // may write a record
  writeListed(key(className, nameInFolder(path), title, payload.size()), path, payload, how);
}

void ContainerWriter::writeCopy(const RecordKey& original, std::string_view path,
                                std::span<const std::byte> payload, Compression how) {
  (void)folderAt(folderOf(path)); // may write a record
  RecordKey listed = key(original.className, nameInFolder(path), original.title, payload.size());
  if (original.keyBytes < listed.keyBytes)
    fail(ErrorKind::usage, m_sink->name(), ": '", path, "' cannot be copied behind 2 GB of data; ",
         "copy fewer objects");
  listed.keyBytes = original.keyBytes;
  writeListed(std::move(listed), path, payload, how);
}

/// Writes an object of a folder. Its key can have more bytes than it needs.
void ContainerWriter::writeListed(RecordKey listed, std::string_view path,
                                  std::span<const std::byte> payload, Compression how) {
  constexpr std::uint16_t mostCycles = 0x7FFF;
  Buffer compressed;
  const auto stored = compressDescription(how, payload, compressed) ? compressed.bytes() : payload;
  Folder& folder = m_folders[folderAt(folderOf(path))];
  listed.folder = folder.position;
  listed.recordBytes = listed.keyBytes + static_cast<std::uint32_t>(stored.size());
  std::uint64_t replaced = 0;
  if (const auto known = m_newest.find(path); known != m_newest.end()) {
    const RecordKey& older = known->second->key;
    const bool isReplacing = path == m_replacing;
    if (!isReplacing && older.cycle >= mostCycles)
      fail(ErrorKind::usage, m_sink->name(), ": '", path, "' has ", mostCycles,
           " versions already; use another name");
    listed.cycle = isReplacing ? older.cycle : static_cast<std::uint16_t>(older.cycle + 1);
    if (isReplacing) {
      replaced = older.position;
      release(older.position, older.recordBytes);
    }
  }
  m_replacing.clear();
  BigEndianWriter writer;
  putKey(writer, listed);
  writer.putZeros(listed.keyBytes - root::keyBytesOf(listed));
  put(writer.bytes());
  put(stored);
  folder.added.push_back({std::move(listed), replaced});
}

std::uint64_t ContainerWriter::writeRecord(std::string_view className, std::string_view name,
                                           std::string_view title, std::span<const std::byte> inKey,
                                           std::span<const std::byte> stored,
                                           std::size_t objectBytes) {
  RecordKey record = key(className, name, title, objectBytes);
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

/// Frees a record of the old file if there is one of this size.
void ContainerWriter::release(std::uint64_t position, std::uint64_t bytes) {
  const std::uint64_t size = m_old->bytes().size();
  if (position < m_header.begin || position >= size || bytes > size - position || bytes == 0)
    return;
  Buffer scratch;
  BigEndianReader reader(m_old->bytes().view(position, static_cast<std::size_t>(bytes), scratch),
                         m_sink->name());
  try {
    if (const RecordKey found = readKey(reader);
        found.position != position || found.recordBytes != bytes)
      return;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::corrupt)
      throw;
    return;
  }
  m_free.add(position, bytes);
  m_freed.push_back(position);
}

/// Writes the keys of a folder. Returns the folder's header.
ContainerWriter::Change ContainerWriter::writeKeys(const Folder& folder) {
  const std::string where = m_sink->name() + ": the folder '/" + folder.path + "'";
  Buffer storedKeys, storedHeader;
  std::span<const std::byte> oldKeys, oldHeader;
  if (folder.stored) {
    const FolderHeader& header = folder.stored->header;
    oldKeys =
        m_old->bytes().view(header.keys, static_cast<std::size_t>(header.keysBytes), storedKeys);
    const std::uint64_t size = m_old->bytes().size();
    BigEndianReader reader(m_old->bytes().view(folder.position,
                                               static_cast<std::size_t>(std::min<std::uint64_t>(
                                                   size - folder.position, mostKeyBytes)),
                                               storedHeader),
                           where);
    const RecordKey record = readKey(reader);
    if (record.recordBytes < folder.keyBytes || record.recordBytes > size - folder.position)
      fail(ErrorKind::corrupt, where, " has a record of another size than it says; the file is ",
           "damaged");
    oldHeader = m_old->bytes().view(folder.position + folder.keyBytes,
                                    static_cast<std::size_t>(record.recordBytes - folder.keyBytes),
                                    storedHeader);
    release(header.keys, header.keysBytes);
  }
  const Buffer keys = withKeys(oldKeys, folder.added, where);
  RecordKey own =
      key("", folder.path.empty() ? m_title : nameInFolder(folder.path), "", keys.size());
  own.folder = folder.position;
  write(own, keys.bytes());
  Change change{folder.position + folder.keyBytes, {}};
  if (folder.stored) {
    change.bytes = withKeysAt(oldHeader, own.position, own.recordBytes, where);
    return change;
  }
  BigEndianWriter header;
  putFolderHeader(header,
                  {.keys = own.position,
                   .keysBytes = own.recordBytes,
                   .nameBytes = folder.keyBytes,
                   .position = folder.position,
                   .parent = folder.path.empty() ? 0 : m_folders[folder.parent].position},
                  folder.uuid);
  change.bytes.append(header.bytes());
  return change;
}

void ContainerWriter::writeInfos(RootFileHeader& header,
                                 const std::function<Buffer(std::uint16_t keyBytes)>& infos) {
  RecordKey record = key("TList", "StreamerInfo", "Doubly linked list", 0);
  const Buffer plain = infos(record.keyBytes);
  if (plain.empty())
    return;
  if (m_old)
    release(header.infos, header.infosBytes);
  Buffer compressed;
  const bool isSmaller = compressDescription(m_compression, plain.bytes(), compressed);
  const auto stored = isSmaller ? compressed.bytes() : plain.bytes();
  record.objectBytes = static_cast<std::uint32_t>(plain.size());
  record.recordBytes = record.keyBytes + static_cast<std::uint32_t>(stored.size());
  write(record, stored);
  header.infos = record.position;
  header.infosBytes = record.recordBytes;
}

/// Writes the list of free bytes: those of removed records, and everything behind the end of the
/// file, as ROOT requires.
void ContainerWriter::writeFreeList(RootFileHeader& header) {
  if (m_old)
    release(header.freeList, header.freeListBytes);
  RecordKey own = key("", m_title, "", m_free.bytes(false));
  if (m_end + own.recordBytes > mostInSmallFile)
    own = key("", m_title, "", m_free.bytes(true));
  BigEndianWriter list;
  m_free.put(list, m_end + own.recordBytes);
  write(own, list.bytes());
  header.freeList = own.position;
  header.freeListBytes = own.recordBytes;
  header.freeSegments = m_free.count();
}

void ContainerWriter::finish(const std::function<Buffer(std::uint16_t keyBytes)>& infos) {
  if (m_old && m_end == m_sink->start()) // nothing was added
    return m_sink->finish();
  const auto isChanged = [](const Folder& folder) {
    return !folder.stored || !folder.added.empty();
  };
  Buffer rootHeader; // empty if it stays
  if (isChanged(m_folders.front()))
    rootHeader = std::move(writeKeys(m_folders.front()).bytes);
  std::vector<Change> changes;
  for (const Folder& folder : m_folders | std::views::drop(1))
    if (isChanged(folder))
      changes.push_back(writeKeys(folder));
  RootFileHeader header = m_header;
  writeInfos(header, infos);
  writeFreeList(header);
  header.end = m_end;
  BigEndianWriter beginning;
  putBeginning(header, rootHeader.bytes(), beginning);
  for (const Change& change : changes)
    m_sink->rewrite(change.position, change.bytes.bytes());
  m_sink->rewrite(0, beginning.bytes());
  markFreed();
  m_sink->finish();
}

/// Writes the header of the file and the root folder's record up to the end of its header.
void ContainerWriter::putBeginning(const RootFileHeader& header,
                                   std::span<const std::byte> rootHeader,
                                   BigEndianWriter& writer) const {
  putFileHeader(writer, header, m_sink->name());
  writer.putBytes(m_rootRecord.bytes());
  writer.putBytes(rootHeader);
}

/// Marks the beginning of freed bytes, so that programs that walk from record to record skip them.
void ContainerWriter::markFreed() {
  constexpr std::uint64_t mostInMark = 2'000'000'000;
  for (const FreeList::Segment& segment : m_free.segments())
    if (std::ranges::any_of(m_freed, [&](std::uint64_t position) {
          return position >= segment.first && position <= segment.last;
        })) {
      BigEndianWriter mark;
      mark.put(-static_cast<std::int32_t>(std::min(segment.last - segment.first + 1, mostInMark)));
      m_sink->rewrite(segment.first, mark.bytes());
    }
}

} // namespace kaon::root
