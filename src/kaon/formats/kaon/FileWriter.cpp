#include <kaon/formats/kaon/FileWriter.h>

#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/base/Utf8.h>
#include <kaon/batch/StridedCopy.h>
#include <kaon/formats/kaon/CategorySource.h>
#include <kaon/formats/kaon/Index.h>
#include <kaon/formats/kaon/Record.h>
#include <kaon/formats/kaon/SortedKeys.h>
#include <kaon/formats/kaon/SortedKeysName.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <random>
#include <utility>

namespace kaon::store {

/// A category as it is being written.
struct FileWriter::Category {
  Category(std::uint32_t categoryNumber, const SinkOptions& options, std::string directory)
      : number(categoryNumber), tagWriter(options), keys(options, std::move(directory)) {}
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
  CategoryKeys keys;
  std::optional<std::uint32_t> sortedKeys; // the number of the category of them
  std::unique_ptr<PageWriter> keyWriter;   // of sorted keys
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
void addBounds(CategoryContents& contents, std::size_t before) {
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
    : m_sink(std::move(sink)), m_options(std::move(options)), m_asides(m_sink->directory()) {
  std::random_device random;
  m_contents.fileId = (std::uint64_t{random()} << 32) | random();
  const FileHeader header = headerOf(m_contents.fileId);
  put(std::as_bytes(std::span(&header, 1)));
}

FileWriter::FileWriter(std::unique_ptr<io::ByteSink> sink,
                       std::shared_ptr<const io::ByteSource> bytes, FileContents contents,
                       SinkOptions options)
    : m_sink(std::move(sink)), m_options(std::move(options)), m_contents(std::move(contents)),
      m_position(m_sink->start()), m_asides(m_sink->directory()), m_bytes(std::move(bytes)) {
  if (m_position != m_contents.end)
    fail(ErrorKind::io, m_sink->name(), ": changed while it was opened; try again");
  for (std::uint32_t number = 0; number < m_contents.categories.size(); ++number) {
    Category& known = *m_categories.emplace_back(
        std::make_unique<Category>(number, m_options, m_sink->directory()));
    known.writtenTables = m_contents.categories[number].schema.size();
    known.hasSchema = true;
  }
  for (std::size_t number = 0; number < m_categories.size(); ++number)
    if (!isOfSortedKeys(m_contents.categories[number].name))
      findKeys(*m_categories[number]);
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
    cluster->places = cluster->category->keys.places();
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
      cluster->bounds[table] = cluster->pages->bounds(schema, column).bounds;
    if (has(info.use, TableUse::tag))
      cluster->tags[table] =
          valuesOf(batch.table(table).members[0], cluster->entries, info.members[0]);
  }
  if (!cluster->places.empty())
    cluster->keys = keysOf(batch, cluster->places);
  return cluster;
}

std::size_t FileWriter::Cluster::bytes() const noexcept {
  std::size_t sum = pages ? pages->capacity() : 0;
  for (const auto& [table, values] : tags)
    sum += values.capacity();
  for (const auto& ranks : keys.ranks)
    sum += ranks.capacity() * sizeof ranks[0];
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
    checkKeys(target, *cluster);
    attempt([&] {
      PageBuffers encodedPages =
          cluster->pages ? cluster->pages->takeBuffers() : takeBack(cluster->aside);
      writeSchemas();
      addKeyBounds(target, cluster->bounds);
      CategoryContents& contents = m_contents.categories[target.number];
      const std::uint64_t firstEntry = contents.entries;
      writeCluster(target, RecordKind::cluster, firstEntry, cluster->entries, encodedPages);
      keepSpare(std::move(encodedPages));
      contents.entries += cluster->entries;
      gatherTags(target, *cluster);
      if (!target.keys.empty())
        gatherKeys(target, *cluster, firstEntry);
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
    cluster.aside = {m_asides.append(cluster.pages->meta()), cluster.pages->meta().size(),
                     cluster.pages->pages().size()};
    m_asides.append(cluster.pages->pages());
    ++m_asideClusters;
  });
  keepSpare(cluster.pages->takeBuffers());
  cluster.category->idle.push_back(std::move(cluster.pages));
}

/// Reads a cluster that was set aside, and empties the file when it was the last one.
PageBuffers FileWriter::takeBack(const Cluster::Aside& aside) {
  PageBuffers cluster = takeSpare();
  m_asides.read(aside.position, cluster.meta.assign(aside.metaSize));
  m_asides.read(aside.position + aside.metaSize, cluster.pages.assign(aside.pagesSize));
  if (--m_asideClusters == 0)
    m_asides.clear();
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
    const std::size_t categories = m_categories.size(); // those of sorted keys follow
    for (std::size_t number = 0; number < categories; ++number) {
      mergeKeys(*m_categories[number]);
      writeAllKeys(*m_categories[number]);
    }
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
  if (found != known.end() && !isOfSortedKeys(name))
    return *m_categories[static_cast<std::size_t>(found - known.begin())];
  if (name.empty() || !isUtf8(name))
    fail(ErrorKind::usage, m_sink->name(), ": the name of a category is empty or not UTF-8");
  if (isOfSortedKeys(name))
    fail(ErrorKind::usage, m_sink->name(), ": a category cannot be called '", name,
         "': that is how the sorted keys of one are called");
  return addCategory(name);
}

FileWriter::Category& FileWriter::addCategory(std::string_view name) {
  m_contents.categories.emplace_back().name = name;
  const auto number = static_cast<std::uint32_t>(m_categories.size());
  auto made = std::make_unique<Category>(number, m_options, m_sink->directory());
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
    addBounds(contents, oldKeys);
  if (contents.schema.size() != known)
    category.keys.find(contents.schema, m_sink->name());
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

void FileWriter::addKeyBounds(Category& category, const std::map<std::uint32_t, Bounds>& bounds) {
  CategoryContents& contents = m_contents.categories[category.number];
  for (const std::uint32_t table : contents.keyTables()) {
    const auto found = bounds.find(table);
    const std::uint64_t missing = contents.schema.table(table).members[0].missing;
    contents.keyBounds.push_back(found != bounds.end() ? found->second : Bounds{missing, missing});
  }
}

/// The keys of a category that is appended to. Where the file does not have those of all entries
/// sorted, they are gathered once more.
void FileWriter::findKeys(Category& category) {
  const CategoryContents& contents = m_contents.categories[category.number];
  const auto sorted = std::ranges::find(m_contents.categories, sortedKeysOf(contents.name),
                                        &CategoryContents::name);
  bool areKnown = sorted != m_contents.categories.end();
  if (areKnown) {
    category.sortedKeys = static_cast<std::uint32_t>(sorted - m_contents.categories.begin());
    if (!category.keys.takeKnown(sorted->schema, contents.schema))
      return;
  }
  const std::size_t known = category.keys.places().size();
  category.keys.find(contents.schema, m_sink->name());
  category.keys.renewSorter();
  const std::size_t all = category.keys.places().size();
  if (all == 0 || (areKnown && all == known && isWhole(*sorted, contents)))
    return;
  if (areKnown)
    dropClusters(*sorted, 0);
  try {
    const CategorySource source(*m_bytes, m_contents.fileId, contents, {});
    readKeys(source, category.keys.places(), category.keys.sorter());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::corrupt)
      throw;
    category.keys.turnOff(); // damaged: what is whole is found without
  }
}

/// Each entry has one of each key.
void FileWriter::checkKeys(const Category& category, const Cluster& cluster) const {
  const CategoryContents& contents = m_contents.categories[category.number];
  const auto failFor = [&](const BatchKeys::Misfit& misfit, std::uint64_t firstEntry) {
    failNotOne(m_sink->name() + ":" + contents.name, misfit.key, firstEntry + misfit.entry,
               misfit.rows);
  };
  if (cluster.keys.misfit)
    failFor(*cluster.keys.misfit, contents.entries);
  // Entries from before there was the collection had none.
  const auto& places = category.keys.places();
  for (std::size_t key = 0; key < places.size(); ++key) {
    if (!contents.schema.table(places[key].table).isCounted())
      continue;
    if (key >= cluster.keys.ranks.size() || cluster.keys.ranks[key].empty())
      failFor({places[key].name, 0, 0}, contents.entries);
    if (key >= category.keys.sortedCount() && contents.entries > 0)
      failFor({places[key].name, 0, 0}, 0);
  }
}

/// Keys that come in order are written as they come; others wait.
void FileWriter::gatherKeys(Category& category, const Cluster& cluster, std::uint64_t firstEntry) {
  if (category.keys.sortedCount() != category.keys.places().size()) {
    writeAllKeys(category);
    category.keys.renewSorter();
  }
  KeySorter& sorter = category.keys.sorter();
  KeyColumns first;
  for (std::size_t row = 0; row < cluster.entries; row += keyClusterRows) {
    const std::size_t count = std::min<std::size_t>(keyClusterRows, cluster.entries - row);
    sorter.add(category.keys.pieceOf(cluster.keys, m_contents.categories[category.number].schema,
                                     row, count, firstEntry));
    if (sorter.canTakeFirst(keyClusterRows)) {
      sorter.takeFirst(keyClusterRows, first);
      writeKeys(category, first);
    }
  }
}

/// The category of the sorted keys, with tables for all that are being sorted.
FileWriter::Category& FileWriter::sortedKeys(Category& category) {
  if (!category.sortedKeys) {
    category.sortedKeys = static_cast<std::uint32_t>(m_categories.size());
    (void)addCategory(sortedKeysOf(m_contents.categories[category.number].name));
  }
  const CategoryContents& contents = m_contents.categories[category.number];
  CategoryContents& sorted = m_contents.categories[*category.sortedKeys];
  const auto places = std::span(category.keys.places()).first(category.keys.sortedCount());
  const std::size_t known = keysIn(sorted.schema).size();
  const std::size_t before = sorted.keyTables().size();
  if (known < places.size()) {
    addKeys(sorted.schema, contents.schema, places.subspan(known));
    addBounds(sorted, before);
  }
  return *m_categories[*category.sortedKeys];
}

/// Writes rows that are in order as a cluster.
void FileWriter::writeKeys(Category& category, const KeyColumns& rows) {
  Category& target = sortedKeys(category);
  if (!target.keyWriter) {
    SinkOptions options{.codec = m_options.codec, .favour = m_options.favour};
    options.pageBytes = keyPageRows * sizeof(std::uint64_t);
    target.keyWriter = std::make_unique<PageWriter>(std::move(options));
  }
  CategoryContents& contents = m_contents.categories[target.number];
  const KeyBatch keys(contents.schema, rows);
  target.keyWriter->setBuffers(takeSpare());
  target.keyWriter->encode(keys.batch());
  std::map<std::uint32_t, Bounds> bounds;
  for (std::uint32_t table = 0; table < contents.schema.size(); ++table)
    bounds[table] =
        target.keyWriter->bounds(contents.schema, contents.schema.place(table, 0).column).bounds;
  writeSchemas();
  addKeyBounds(target, bounds);
  const auto count = static_cast<std::uint32_t>(rows.front().size());
  PageBuffers encoded = target.keyWriter->takeBuffers();
  writeCluster(target, RecordKind::cluster, contents.entries, count, encoded);
  keepSpare(std::move(encoded));
  contents.entries += count;
}

void FileWriter::writeAllKeys(Category& category) {
  if (!category.keys.empty())
    category.keys.sorter().takeAll(keyClusterRows,
                                   [&](const KeyColumns& rows) { writeKeys(category, rows); });
}

/// Adds the last of the sorted keys that a file has to those that are to be written, where there
/// are not many more of them: so that many who append a little do not leave many pieces, of which
/// each must be looked into.
void FileWriter::mergeKeys(Category& category) {
  KeySorter& sorter = category.keys.sorter();
  if (!category.sortedKeys || category.keys.empty() || sorter.rows() == 0)
    return;
  CategoryContents& sorted = m_contents.categories[*category.sortedKeys];
  const auto& clusters = sorted.clusters;
  if (clusters.empty() || clusters.back().position >= m_sink->start())
    return;
  constexpr std::uint64_t many = 2;
  std::uint64_t first = sorted.entries;
  for (std::size_t number = clusters.size(); number > 0;) {
    std::size_t begin = number - 1; // of what was sorted together: all of its clusters but the last
    while (begin > 0 && clusters[begin - 1].entries == keyClusterRows)
      --begin;
    const std::uint64_t rows = first - clusters[begin].firstEntry;
    if (rows > many * (sorter.rows() + sorted.entries - first))
      break;
    first = clusters[begin].firstEntry;
    number = begin;
  }
  if (first == sorted.entries)
    return;
  (void)sortedKeys(category); // further keys are missing in the old rows
  KeySorter all = category.keys.anotherSorter();
  try {
    readSortedKeys(CategorySource(*m_bytes, m_contents.fileId,
                                  m_contents.categories[*category.sortedKeys], {}),
                   first, all);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::corrupt)
      throw;
    return; // damaged: they stay as they are
  }
  sorter.takeAll(keyClusterRows, [&](const KeyColumns& rows) { all.add(rows); });
  dropClusters(m_contents.categories[*category.sortedKeys], first);
  sorter = std::move(all);
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
