#include <kaon/formats/kaon/FileWriter.h>

#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/base/Utf8.h>
#include <kaon/batch/StridedCopy.h>
#include <kaon/formats/kaon/Index.h>
#include <kaon/formats/kaon/Record.h>

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <utility>

namespace kaon::store {

/// A category as it is being written.
struct FileWriter::Category {
  Category(std::uint32_t categoryNumber, const SinkOptions& options)
      : number(categoryNumber), tagWriter(options) {}
  std::uint32_t number;
  std::uint32_t writtenTables = 0;               // of the schema
  bool hasSchema = false;                        // a record of it was written
  std::vector<std::unique_ptr<PageWriter>> idle; // between clusters; they know the columns
  // The tags of small clusters, until they fill pages.
  PageWriter tagWriter;
  std::map<std::uint32_t, Buffer> tags; // values, by table
  std::uint64_t firstTagged = 0;
  std::uint32_t tagged = 0;         // entries
  std::uint32_t taggedClusters = 0; // that these are from
};

namespace {

/// Documents that are not longer stand in the index too.
constexpr std::size_t shortDocument = 64 * 1024;

FileHeader headerOf(std::uint64_t fileId) {
  FileHeader header;
  header.fileId = fileId;
  header.checksum = checksum(bytesBefore(header, offsetof(FileHeader, checksum)));
  return header;
}

/// A member's values, one after another.
Buffer valuesOf(const ColumnView& values, std::size_t count, const Member& member) {
  Buffer all;
  copyStrided(all.grow(count * member.size()), member.size(), values.base, values.stride, count,
              member.size());
  return all;
}

/// Values of entries that have none of a tag.
void addMissing(Buffer& values, const Member& tag, std::uint32_t entries) {
  for (std::uint32_t entry = 0; entry < entries; ++entry)
    values.append(std::as_bytes(std::span(&tag.missing, 1)).first(tag.size()));
}

/// Gives the clusters so far the bounds of keys that they do not have: there are further ones.
void addKeys(CategoryContents& contents, std::size_t before) {
  const auto keys = contents.keyTables();
  std::vector<Bounds> all;
  for (std::size_t cluster = 0; cluster < contents.clusters.size(); ++cluster)
    for (std::size_t key = 0; key < keys.size(); ++key) {
      const std::uint64_t missing = contents.schema.table(keys[key]).members[0].missing;
      all.push_back(key < before ? contents.keyBounds[cluster * before + key]
                                 : Bounds{missing, missing});
    }
  contents.keyBounds = std::move(all);
}

} // namespace

FileWriter::FileWriter(std::unique_ptr<io::ByteSink> sink, SinkOptions options)
    : m_sink(std::move(sink)), m_options(std::move(options)) {
  std::random_device random;
  m_contents.fileId = (std::uint64_t{random()} << 32) | random();
  const FileHeader header = headerOf(m_contents.fileId);
  put(std::as_bytes(std::span(&header, 1)));
}

FileWriter::FileWriter(std::unique_ptr<io::ByteSink> sink, FileContents contents,
                       SinkOptions options)
    : m_sink(std::move(sink)), m_options(std::move(options)), m_contents(std::move(contents)),
      m_position(m_sink->start()) {
  if (m_position != m_contents.end)
    fail(ErrorKind::io, m_sink->name(), ": changed while it was opened; try again");
  for (std::uint32_t number = 0; number < m_contents.categories.size(); ++number) {
    Category& known = *m_categories.emplace_back(std::make_unique<Category>(number, m_options));
    known.writtenTables = m_contents.categories[number].schema.size();
    known.hasSchema = true;
  }
}

FileWriter::~FileWriter() = default;

void FileWriter::checkOpen() const {
  if (!m_open)
    fail(ErrorKind::usage, m_sink->name(), ": is finished, or failed; nothing can be written");
}

void FileWriter::attempt(const auto& write) {
  try {
    write();
  } catch (...) {
    m_open = false;
    m_sink->abandon();
    throw;
  }
}

std::unique_ptr<EncodedBatch> FileWriter::encode(std::string_view categoryName,
                                                 const Batch& batch) {
  if (batch.entries() > std::numeric_limits<std::uint32_t>::max())
    fail(ErrorKind::usage, m_sink->name(), ": a batch of more than 4294967295 entries");
  auto cluster = std::make_unique<Cluster>();
  {
    const std::lock_guard lock(m_mutex);
    checkOpen();
    cluster->category = &category(categoryName);
    extendSchema(*cluster->category, batch.schema());
    auto& idle = cluster->category->idle;
    if (idle.empty())
      idle.push_back(std::make_unique<PageWriter>(m_options));
    cluster->pages = std::move(idle.back());
    idle.pop_back();
    if (batch.entries() > 0)
      cluster->pages->setBuffers(takeSpare());
  }
  cluster->entries = static_cast<std::uint32_t>(batch.entries());
  if (cluster->entries == 0)
    return cluster;
  cluster->pages->encode(batch);
  const Schema& schema = batch.schema();
  for (std::uint32_t table = 0; table < schema.size(); ++table) {
    const Table info = schema.table(table);
    if (info.use == TableUse::none)
      continue;
    const std::uint32_t column = schema.place(table, 0).column;
    if (has(info.use, TableUse::key))
      cluster->keys[table] = cluster->pages->bounds(schema, column).bounds;
    if (has(info.use, TableUse::tag))
      cluster->tags[table] =
          valuesOf(batch.table(table).members[0], cluster->entries, info.members[0]);
  }
  return cluster;
}

std::size_t FileWriter::Cluster::bytes() const noexcept {
  std::size_t sum = pages ? pages->capacity() : 0;
  for (const auto& [table, values] : tags)
    sum += values.capacity();
  return sum;
}

void FileWriter::append(std::unique_ptr<EncodedBatch> encoded) {
  auto* const cluster = dynamic_cast<Cluster*>(encoded.get());
  if (!cluster)
    fail(ErrorKind::usage, name(), ": a batch that another file encoded");
  const std::lock_guard lock(m_mutex);
  checkOpen();
  Category& target = *cluster->category;
  if (cluster->entries > 0) {
    CategoryContents& contents = m_contents.categories[target.number];
    attempt([&] {
      PageBuffers encodedPages =
          cluster->pages ? cluster->pages->takeBuffers() : takeBack(cluster->aside);
      writeSchemas();
      addKeyBounds(target, *cluster);
      writeCluster(target, RecordKind::cluster, contents.entries, cluster->entries, encodedPages);
      keepSpare(std::move(encodedPages));
      contents.entries += cluster->entries;
      gatherTags(target, *cluster);
    });
  }
  if (cluster->pages)
    target.idle.push_back(std::move(cluster->pages));
}

void FileWriter::setAside(EncodedBatch& encoded) {
  auto& cluster = dynamic_cast<Cluster&>(encoded);
  if (cluster.entries == 0 || !cluster.pages)
    return;
  const std::lock_guard lock(m_mutex);
  checkOpen();
  attempt([&] {
    if (!m_asides)
      m_asides.emplace(m_sink->directory());
    cluster.aside = {m_asides->append(cluster.pages->meta()), cluster.pages->meta().size(),
                     cluster.pages->pages().size()};
    m_asides->append(cluster.pages->pages());
    ++m_asideClusters;
  });
  keepSpare(cluster.pages->takeBuffers());
  cluster.category->idle.push_back(std::move(cluster.pages));
}

/// Reads a cluster that was set aside, and empties the file when it was the last one.
PageBuffers FileWriter::takeBack(const Cluster::Aside& aside) {
  PageBuffers cluster = takeSpare();
  m_asides->read(aside.position, cluster.meta.assign(aside.metaSize));
  m_asides->read(aside.position + aside.metaSize, cluster.pages.assign(aside.pagesSize));
  if (--m_asideClusters == 0)
    m_asides->clear();
  return cluster;
}

PageBuffers FileWriter::takeSpare() {
  if (m_spares.empty())
    return {};
  PageBuffers last = std::move(m_spares.back());
  m_spares.pop_back();
  return last;
}

void FileWriter::keepSpare(PageBuffers buffers) {
  std::size_t sum = buffers.capacity();
  for (const PageBuffers& spare : m_spares)
    sum += spare.capacity();
  if (m_spares.empty() || sum <= m_options.spareBytes)
    m_spares.push_back(std::move(buffers));
}

void FileWriter::addDocument(std::string_view documentName, std::string_view text) {
  const std::lock_guard lock(m_mutex);
  checkOpen();
  if (!isUtf8(documentName))
    fail(ErrorKind::usage, m_sink->name(), ": the name of a document is not UTF-8");
  ByteWriter body;
  body.put(documentName);
  body.put(std::as_bytes(std::span(text)));
  const Buffer meta = shrunk(body.bytes(), m_options.codec);
  const std::uint64_t metaChecksum = checksum(meta.bytes());
  const auto known = m_contents.documents.find(documentName);
  if (known != m_contents.documents.end() && known->second.metaSize == meta.size() &&
      known->second.metaChecksum == metaChecksum)
    return;
  attempt([&] {
    align();
    DocumentPlace place;
    place.position = m_position;
    place.metaSize = meta.size();
    place.metaChecksum = metaChecksum;
    if (text.size() <= shortDocument)
      place.knownText = text;
    m_contents.documents.insert_or_assign(std::string(documentName), std::move(place));
    RecordHeader header;
    header.kind = RecordKind::document;
    writeRecord(header, meta.bytes());
  });
}

void FileWriter::finish() {
  const std::lock_guard lock(m_mutex);
  if (!std::exchange(m_open, false))
    fail(ErrorKind::usage, m_sink->name(), ": is finished already, or failed");
  attempt([&] {
    writeSchemas();
    for (const auto& category : m_categories)
      writeTags(*category);
    writeIndex();
    m_sink->finish();
  });
}

void FileWriter::abandon() noexcept {
  const std::lock_guard lock(m_mutex);
  m_open = false;
  m_sink->abandon();
}

Schema FileWriter::schema(std::string_view category) const {
  const std::lock_guard lock(m_mutex);
  for (const CategoryContents& known : m_contents.categories)
    if (known.name == category)
      return known.schema;
  return {};
}

FileWriter::Category& FileWriter::category(std::string_view name) {
  auto& known = m_contents.categories;
  const auto found = std::ranges::find(known, name, &CategoryContents::name);
  if (found != known.end())
    return *m_categories[static_cast<std::size_t>(found - known.begin())];
  if (name.empty() || !isUtf8(name))
    fail(ErrorKind::usage, m_sink->name(), ": the name of a category is empty or not UTF-8");
  known.emplace_back().name = name;
  const auto number = static_cast<std::uint32_t>(m_categories.size());
  auto made = std::make_unique<Category>(number, m_options);
  return *m_categories.emplace_back(std::move(made));
}

/// Takes over the tables of a batch that the category does not have yet; the tags that were kept
/// are without new ones.
void FileWriter::extendSchema(Category& category, const Schema& schema) {
  CategoryContents& contents = m_contents.categories[category.number];
  const std::uint32_t known = contents.schema.size();
  const std::uint32_t common = std::min(known, schema.size());
  for (std::uint32_t table = 0; table < common; ++table)
    if (schema.table(table) != contents.schema.table(table))
      fail(ErrorKind::usage, m_sink->name(), ": the batch does not have the tables that '",
           contents.name, "' has had so far: '", schema.table(table).name, "' differs");
  const auto oldKeys = contents.keyTables().size();
  for (std::uint32_t table = known; table < schema.size(); ++table) {
    const Table info = contents.schema.table(contents.schema.add(schema.table(table).definition()));
    if (category.tagged > 0 && has(info.use, TableUse::tag))
      addMissing(category.tags[table], info.members[0], category.tagged);
  }
  if (oldKeys != contents.keyTables().size())
    addKeys(contents, oldKeys);
}

/// Writes the tables that the file does not have yet, ahead of the clusters that do. Categories get
/// their numbers by the order of their records.
void FileWriter::writeSchemas() {
  for (const auto& category : m_categories) {
    const CategoryContents& contents = m_contents.categories[category->number];
    if (category->hasSchema && category->writtenTables == contents.schema.size())
      continue;
    RecordHeader header;
    header.kind = RecordKind::schema;
    header.category = category->number;
    const Buffer body = schemaBytes(contents.schema, category->writtenTables, contents.name);
    writeRecord(header, shrunk(body.bytes(), m_options.codec).bytes());
    category->writtenTables = contents.schema.size();
    category->hasSchema = true;
  }
}

void FileWriter::writeCluster(Category& category, RecordKind kind, std::uint64_t firstEntry,
                              std::uint32_t entries, const PageBuffers& cluster) {
  align();
  CategoryContents& contents = m_contents.categories[category.number];
  auto& index = kind == RecordKind::tags ? contents.tags : contents.clusters;
  index.push_back({m_position, cluster.meta.size(), cluster.pages.size(), firstEntry, entries,
                   blocksIn(cluster.meta.bytes())});
  RecordHeader header;
  header.kind = kind;
  header.firstEntry = firstEntry;
  header.entries = entries;
  header.category = category.number;
  writeRecord(header, cluster.meta.bytes(), cluster.pages.bytes());
}

void FileWriter::addKeyBounds(Category& category, const Cluster& cluster) {
  CategoryContents& contents = m_contents.categories[category.number];
  for (const std::uint32_t table : contents.keyTables()) {
    const auto found = cluster.keys.find(table);
    const std::uint64_t missing = contents.schema.table(table).members[0].missing;
    contents.keyBounds.push_back(found != cluster.keys.end() ? found->second
                                                             : Bounds{missing, missing});
  }
}

/// Keeps the tags of a cluster that would not fill a page with them.
void FileWriter::gatherTags(Category& category, const Cluster& cluster) {
  const CategoryContents& contents = m_contents.categories[category.number];
  const std::size_t enough = m_options.pageBytes / sizeof(std::uint64_t);
  if (cluster.entries >= enough)
    return writeTags(category);
  for (std::uint32_t table = 0; table < contents.schema.size(); ++table) {
    const Table info = contents.schema.table(table);
    if (!has(info.use, TableUse::tag))
      continue;
    const auto found = cluster.tags.find(table);
    Buffer& all = category.tags[table];
    if (found != cluster.tags.end()) {
      all.append(found->second.bytes());
      continue;
    }
    addMissing(all, info.members[0], cluster.entries);
  }
  if (category.tags.empty())
    return;
  if (category.tagged == 0)
    category.firstTagged = contents.entries - cluster.entries;
  category.tagged += cluster.entries;
  ++category.taggedClusters;
  if (category.tagged >= enough)
    writeTags(category);
}

/// Writes the tags that were kept, unless the one cluster that they are from has them together.
void FileWriter::writeTags(Category& category) {
  if (category.taggedClusters > 1) {
    const Schema& schema = m_contents.categories[category.number].schema;
    Batch batch(schema, category.firstTagged, category.tagged);
    for (const auto& [table, values] : category.tags) {
      batch.table(table).rows = category.tagged;
      batch.table(table).members.push_back({values.data(), schema.table(table).members[0].size()});
    }
    category.tagWriter.setBuffers(takeSpare());
    category.tagWriter.encode(batch, PageWriter::Which::tags);
    PageBuffers encoded = category.tagWriter.takeBuffers();
    writeCluster(category, RecordKind::tags, category.firstTagged, category.tagged, encoded);
    keepSpare(std::move(encoded));
  }
  category.tags.clear();
  category.tagged = 0;
  category.taggedClusters = 0;
}

void FileWriter::writeRecord(RecordHeader header, std::span<const std::byte> meta,
                             std::span<const std::byte> pages) {
  align();
  header.fileId = m_contents.fileId;
  header.metaSize = meta.size();
  header.pagesSize = pages.size();
  header.metaChecksum = checksum(meta);
  header.checksum = checksum(bytesBefore(header, offsetof(RecordHeader, checksum)));
  put(std::as_bytes(std::span(&header, 1)));
  put(meta);
  align();
  put(pages);
}

void FileWriter::put(std::span<const std::byte> bytes) {
  m_sink->write(bytes);
  m_position += bytes.size();
}

void FileWriter::align() {
  static constexpr std::array<std::byte, alignment> zeros{};
  put(std::span(zeros).first(static_cast<std::size_t>(aligned(m_position) - m_position)));
}

void FileWriter::writeIndex() {
  align();
  EndRecord end;
  const auto meta = shrunk(indexBytes(m_contents).bytes(), m_options.codec);
  end.fileId = m_contents.fileId;
  end.indexPosition = m_position;
  end.indexSize = meta.size();
  end.header = headerOf(m_contents.fileId);
  end.metaChecksum = checksum(std::as_bytes(std::span(&end.header, 1)));
  end.checksum = checksum(bytesBefore(end, offsetof(EndRecord, checksum)));
  RecordHeader header;
  header.kind = RecordKind::index;
  writeRecord(header, meta.bytes());
  put(std::as_bytes(std::span(&end, 1)));
}

} // namespace kaon::store
