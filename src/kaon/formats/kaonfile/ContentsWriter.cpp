#include <kaon/formats/kaonfile/ContentsWriter.h>

#include <kaon/base/Hash.h>
#include <kaon/formats/kaonfile/FileRecord.h>
#include <kaon/formats/kaonfile/Index.h>
#include <kaon/formats/kaonfile/SortedKeys.h>
#include <kaon/formats/kaonfile/StoredObjects.h>
#include <kaon/model/KnownTables.h>

#include <algorithm>
#include <random>
#include <span>
#include <utility>

namespace kaon::kaonfile {
namespace {

/// Documents up to this size are also stored in the index, except objects: there can be many.
constexpr std::size_t shortDocument = 64 * 1024;

/// Copies of schemas and documents follow at least this many times their size of other bytes.
constexpr std::uint64_t copyDistance = 64;

FileContents newContents() {
  std::random_device random;
  FileContents contents;
  contents.file = {(std::uint64_t{random()} << 32) | random(), FileHeader().flags};
  return contents;
}

/// Returns the contents that a copy repeats.
FileContents withoutClusters(const FileContents& contents) {
  FileContents copy;
  for (const CategoryContents& category : contents.categories) {
    CategoryContents& one = copy.categories.emplace_back();
    one.name = category.name;
    one.schema = category.schema;
  }
  copy.documents = contents.documents;
  return copy;
}

/// Returns the bounds of a key in clusters without the key.
Bounds missingBounds(const CategoryContents& contents, TableNumber table) {
  const std::uint64_t missing = contents.schema.table(table).members[0].missing;
  return {missing, missing};
}

/// Adds the bounds of new keys to the clusters written so far.
void addBounds(CategoryContents& contents, std::size_t before) {
  const auto keys = contents.keyTables();
  if (keys.size() == before)
    return;
  std::vector<Bounds> all;
  for (std::size_t cluster = 0; cluster < contents.clusters.size(); ++cluster)
    for (std::size_t key = 0; key < keys.size(); ++key)
      all.push_back(key < before ? contents.keyBounds[cluster * before + key]
                                 : missingBounds(contents, keys[key]));
  contents.keyBounds = std::move(all);
}

} // namespace

ContentsWriter::ContentsWriter(std::unique_ptr<io::ByteSink> sink, Compression codec)
    : m_contents(newContents()), m_records(std::move(sink), m_contents.file), m_codec(codec) {}

ContentsWriter::ContentsWriter(std::unique_ptr<io::ByteSink> sink, Compression codec,
                               FileContents contents)
    : m_contents(std::move(contents)), m_records(std::move(sink), m_contents.file, m_contents.end),
      m_codec(codec), m_copiedAt(m_contents.end) {
  for (const CategoryContents& category : m_contents.categories)
    m_written.push_back(category.schema.size());
}

std::uint32_t ContentsWriter::addCategory(std::string_view name) {
  const auto number = static_cast<std::uint32_t>(m_written.size());
  CategoryContents& category = m_contents.categories.emplace_back();
  category.number = number;
  category.name = name;
  m_written.push_back(0);
  m_changed.insert(number);
  return number;
}

void ContentsWriter::addTables(std::uint32_t category, const Schema& schema) {
  CategoryContents& contents = m_contents.categories[category];
  const std::uint32_t known = contents.schema.size();
  checkKnownTables(schema, contents.schema, name(), contents.name);
  const std::size_t keys = contents.keyTables().size();
  for (TableNumber table = known; table < schema.size(); ++table)
    contents.schema.add(schema.table(table).definition());
  if (contents.schema.size() > known)
    m_changed.insert(category);
  addBounds(contents, keys);
}

void ContentsWriter::addKeyTables(std::uint32_t category, const Schema& of,
                                  std::span<const KeyLocator> keys) {
  CategoryContents& contents = m_contents.categories[category];
  const std::size_t before = contents.keyTables().size();
  const std::uint32_t tables = contents.schema.size();
  addKeys(contents.schema, of, keys);
  if (contents.schema.size() > tables)
    m_changed.insert(category);
  addBounds(contents, before);
}

void ContentsWriter::dropClusters(std::uint32_t category, std::uint64_t firstEntry) {
  kaonfile::dropClusters(m_contents.categories[category], firstEntry);
}

void ContentsWriter::writeCluster(std::uint32_t category, std::uint32_t entries,
                                  const ClusterBytes& cluster,
                                  const std::map<std::uint32_t, Bounds>& bounds) {
  writeSchemas();
  CategoryContents& contents = m_contents.categories[category];
  for (const TableNumber table : contents.keyTables()) {
    const auto known = bounds.find(table);
    contents.keyBounds.push_back(known != bounds.end() ? known->second
                                                       : missingBounds(contents, table));
  }
  writeRecord(category, RecordKind::cluster, contents.entries, entries, cluster);
  contents.entries += entries;
  writeCopy();
}

void ContentsWriter::writeTags(std::uint32_t category, std::uint64_t firstEntry,
                               std::uint32_t entries, const ClusterBytes& tags) {
  writeRecord(category, RecordKind::tags, firstEntry, entries, tags);
}

void ContentsWriter::writeRecord(std::uint32_t category, RecordKind kind, std::uint64_t firstEntry,
                                 std::uint32_t entries, const ClusterBytes& cluster) {
  CategoryContents& contents = m_contents.categories[category];
  auto& index = kind == RecordKind::tags ? contents.tags : contents.clusters;
  index.push_back({m_records.position(), cluster.meta.size(), cluster.pagesSize(), firstEntry,
                   entries, blocksIn(cluster.meta)});
  RecordHeader header;
  header.kind = kind;
  header.firstEntry = firstEntry;
  header.entries = entries;
  header.category = category;
  m_sealed.clear();
  m_sealed.append(cluster.meta);
  sealBlocks({m_sealed.data(), m_sealed.size()},
             ClusterIdentity{m_contents.file, kind, category, index.back()}.seal());
  m_records.write(header, m_sealed.bytes(), cluster.pages, cluster.before);
}

void ContentsWriter::writeDocument(std::string_view documentName, std::string_view text) {
  ByteWriter body;
  body.put(documentName);
  body.put(std::as_bytes(std::span(text)));
  const Buffer meta = shrunk(body.bytes(), m_codec);
  StoredDocument place;
  place.position = m_records.position();
  place.metaSize = meta.size();
  place.metaChecksum = checksum(meta.bytes());
  const auto known = m_contents.documents.find(documentName);
  if (known != m_contents.documents.end() && known->second.metaSize == place.metaSize &&
      known->second.metaChecksum == place.metaChecksum)
    return;
  if (text.size() <= shortDocument && !documentName.starts_with(objectDocument))
    place.knownText = text;
  m_contents.documents.insert_or_assign(std::string(documentName), std::move(place));
  RecordHeader header;
  header.kind = RecordKind::document;
  m_records.write(header, meta.bytes());
  if (text.size() <= shortDocument) {
    m_copySize += meta.size();
    m_hasNew = true;
  }
}

/// Writes the schemas before the clusters that have the tables. The order of these records numbers
/// the categories.
void ContentsWriter::writeSchemas() {
  while (!m_changed.empty()) {
    const std::uint32_t number = *m_changed.begin();
    const CategoryContents& contents = m_contents.categories[number];
    std::uint32_t& written = m_written[number];
    RecordHeader header;
    header.kind = RecordKind::schema;
    header.category = number;
    const Buffer body = schemaBytes(contents.schema, written, contents.name);
    const Buffer meta = shrunk(body.bytes(), m_codec);
    m_records.write(header, meta.bytes());
    m_copySize += meta.size();
    m_hasNew = true;
    written = contents.schema.size();
    m_changed.erase(m_changed.begin());
  }
}

/// Repeats schemas and short documents if other bytes have become many since the last copy. Without
/// news, waits until the file has doubled. Unfinished files have no index that repeats them.
void ContentsWriter::writeCopy() {
  const std::uint64_t since = m_records.position() - m_copiedAt;
  if (since < std::max(copyDistance * m_copySize, m_hasNew ? 0 : m_copiedAt))
    return;
  const Buffer meta = shrunk(indexBytes(withoutClusters(m_contents)).bytes(), m_codec);
  m_copySize = meta.size();
  if (since < copyDistance * m_copySize)
    return;
  RecordHeader header;
  header.kind = RecordKind::copy;
  m_records.write(header, meta.bytes());
  m_copiedAt = m_records.position();
  m_hasNew = false;
}

void ContentsWriter::writeIndex() {
  m_records.writeIndex(shrunk(indexBytes(m_contents).bytes(), m_codec).bytes());
}

} // namespace kaon::kaonfile
