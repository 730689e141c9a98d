#include <kaon/formats/kaonfile/FileWriter.h>

#include <kaon/base/Error.h>
#include <kaon/base/Utf8.h>
#include <kaon/formats/kaonfile/GatheredTags.h>
#include <kaon/formats/kaonfile/KeysWriter.h>
#include <kaon/formats/kaonfile/PageWriter.h>
#include <kaon/formats/kaonfile/SortedKeysName.h>
#include <kaon/formats/kaonfile/StoredObjects.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

namespace kaon::kaonfile {

/// A category that is being written.
struct FileWriter::Category {
  Category(ContentsWriter& file, ClusterMemory& memory, std::uint32_t categoryNumber,
           const SinkOptions& options)
      : number(categoryNumber), tags(file, memory, number, options),
        keys(file, memory, number, options) {}
  std::uint32_t number;
  std::vector<std::unique_ptr<PageWriter>> idle; // unused between clusters; they know the columns
  GatheredTags tags;
  KeysWriter keys;
};

struct FileWriter::Cluster final : EncodedCluster {
  [[nodiscard]] std::size_t bytes() const noexcept override {
    std::size_t sum = pages ? pages->capacity() : 0;
    for (const auto& [table, values] : tags)
      sum += values.capacity();
    for (const auto& ranks : keys.ranks)
      sum += ranks.capacity() * sizeof ranks[0];
    return sum;
  }
  [[nodiscard]] std::optional<ClusterBytes> written() const noexcept override {
    return pages ? std::optional(pages->buffers().bytes()) : std::nullopt;
  }

  Category* category = nullptr;
  std::unique_ptr<PageWriter> pages; // null after setAside()
  ClusterMemory::Aside aside;
};

FileWriter::FileWriter(std::unique_ptr<io::ByteSink> sink, SinkOptions options)
    : m_options(std::move(options)), m_file(std::move(sink), m_options.codec),
      m_memory(m_options.spareBytes, m_file.sink().directory()) {}

FileWriter::FileWriter(std::unique_ptr<io::ByteSink> sink,
                       std::shared_ptr<const io::ByteSource> bytes, FileContents contents,
                       SinkOptions options)
    : m_options(std::move(options)), m_file(std::move(sink), m_options.codec, std::move(contents)),
      m_memory(m_options.spareBytes, m_file.sink().directory()) {
  const auto& categories = m_file.contents().categories;
  for (std::uint32_t number = 0; number < categories.size(); ++number) {
    if (isOfSortedKeys(categories[number].name))
      continue;
    add(number).keys.takeOver(bytes);
  }
}

FileWriter::~FileWriter() = default;

Schema FileWriter::schema(std::string_view category) const {
  const std::lock_guard lock(m_mutex);
  const auto known = m_named.find(category);
  return known == m_named.end() ? Schema() : m_file.category(known->second->number).schema;
}

/// Adds a category of the file.
FileWriter::Category& FileWriter::add(std::uint32_t number) {
  Category& added =
      *m_categories.emplace_back(std::make_unique<Category>(m_file, m_memory, number, m_options));
  m_named.emplace(m_file.category(number).name, &added);
  return added;
}

FileWriter::Category& FileWriter::category(std::string_view categoryName) {
  if (const auto known = m_named.find(categoryName); known != m_named.end())
    return *known->second;
  if (categoryName.empty() || !isUtf8(categoryName))
    fail(ErrorKind::usage, name(), ": the name of a category is empty or not UTF-8");
  if (isOfSortedKeys(categoryName))
    fail(ErrorKind::usage, name(), ": a category cannot be called '", categoryName,
         "': kaon uses this name for sorted keys");
  if (m_file.contents().documents.contains(std::string(objectDocument) + std::string(categoryName)))
    fail(ErrorKind::usage, name(), ": '", categoryName, "' is an object that was written already");
  return add(m_file.addCategory(categoryName));
}

/// Returns a cluster ready to be encoded. Adds the batch's tables to the category.
std::unique_ptr<FileWriter::Cluster> FileWriter::prepare(std::string_view categoryName,
                                                         const Batch& batch) {
  const std::lock_guard lock(m_mutex);
  m_whole.checkOpen();
  // Checks first, so that a refused batch leaves no trace.
  (void)keyPlaces(batch.schema(), m_options.keys, name());
  auto cluster = std::make_unique<Cluster>();
  Category& target = category(categoryName);
  cluster->category = &target;
  cluster->entries = static_cast<std::uint32_t>(batch.entries());
  cluster->tables = batch.schema().size();
  const std::uint32_t tables = m_file.category(target.number).schema.size();
  m_file.addTables(target.number, batch.schema());
  if (m_file.category(target.number).schema.size() > tables) {
    target.tags.addTables(tables);
    target.keys.findKeys();
  }
  cluster->places = target.keys.places();
  if (target.idle.empty())
    target.idle.push_back(std::make_unique<PageWriter>(m_options, m_file.sink().directory()));
  cluster->pages = std::move(target.idle.back());
  target.idle.pop_back();
  if (cluster->entries > 0)
    cluster->pages->setBuffers(m_memory.take());
  return cluster;
}

std::unique_ptr<detail::EncodedBatch> FileWriter::encode(std::string_view categoryName,
                                                         const Batch& batch) {
  if (batch.entries() > std::numeric_limits<std::uint32_t>::max())
    fail(ErrorKind::usage, name(), ": a batch must have at most 4294967295 entries");
  std::unique_ptr<Cluster> cluster = prepare(categoryName, batch);
  if (cluster->entries == 0)
    return cluster;
  cluster->pages->encode(batch);
  const Schema& schema = batch.schema();
  for (TableNumber table = 0; table < schema.size(); ++table)
    if (has(schema.table(table).use, TableUse::key))
      cluster->bounds[table] = cluster->pages->bounds(schema, schema.place(table, 0).column).bounds;
  cluster->tags = tagsOf(batch);
  if (!cluster->places.empty())
    cluster->keys = keysOf(batch, cluster->places);
  return cluster;
}

void FileWriter::append(std::unique_ptr<detail::EncodedBatch> encoded) {
  auto* const cluster = dynamic_cast<Cluster*>(encoded.get());
  if (!cluster)
    fail(ErrorKind::usage, name(), ": cannot append a batch that another file encoded");
  const std::lock_guard lock(m_mutex);
  m_whole.checkOpen();
  Category& target = *cluster->category;
  if (cluster->entries > 0) {
    target.keys.check(cluster->keys);
    m_whole.attempt([&] {
      PageBuffers encodedPages = cluster->pages ? cluster->pages->takeBuffers()
                                                : m_memory.takeBack(std::move(cluster->aside));
      writeCluster(target, *cluster, encodedPages.bytes());
      m_memory.keep(std::move(encodedPages));
    });
  }
  if (cluster->pages)
    target.idle.push_back(std::move(cluster->pages));
}

void FileWriter::appendCopy(std::string_view categoryName, detail::EncodedBatch& encoded) {
  auto* const cluster = dynamic_cast<EncodedCluster*>(&encoded);
  const std::lock_guard lock(m_mutex);
  m_whole.checkOpen();
  Category& target = category(categoryName);
  if (!cluster || !cluster->written() ||
      cluster->tables > m_file.category(target.number).schema.size())
    fail(ErrorKind::usage, name(), ": cannot append a batch of a file with other tables");
  if (cluster->entries == 0)
    return;
  cluster->readKeysAndTags(target.keys.places(), target.tags.wants(cluster->entries));
  target.keys.check(cluster->keys);
  m_whole.attempt([&] { writeCluster(target, *cluster, *cluster->written()); });
}

void FileWriter::takeBack(std::unique_ptr<detail::EncodedBatch> encoded) {
  auto& cluster = dynamic_cast<Cluster&>(*encoded);
  const std::lock_guard lock(m_mutex);
  if (!cluster.pages)
    return;
  m_memory.keep(cluster.pages->takeBuffers());
  cluster.category->idle.push_back(std::move(cluster.pages));
}

void FileWriter::writeCluster(Category& target, const EncodedCluster& cluster,
                              const ClusterBytes& bytes) {
  m_file.writeCluster(target.number, cluster.entries, bytes, cluster.bounds);
  if (m_options.sync == Sync::cluster)
    m_file.sink().sync();
  target.tags.add(cluster.tags, cluster.entries);
  target.keys.add(cluster.keys, cluster.entries);
}

void FileWriter::setAside(detail::EncodedBatch& encoded) {
  auto& cluster = dynamic_cast<Cluster&>(encoded);
  if (cluster.entries == 0 || !cluster.pages)
    return;
  const std::lock_guard lock(m_mutex);
  m_whole.attempt([&] { cluster.aside = m_memory.setAside(cluster.pages->takeBuffers()); });
  cluster.category->idle.push_back(std::move(cluster.pages));
}

void FileWriter::addDocument(std::string_view documentName, std::string_view text) {
  const std::lock_guard lock(m_mutex);
  m_whole.checkOpen();
  if (!isUtf8(documentName))
    fail(ErrorKind::usage, name(), ": the name of a document is not UTF-8");
  if (documentName.starts_with(objectDocument))
    fail(ErrorKind::usage, name(), ": a document cannot be called '", documentName,
         "': kaon uses this name for an object");
  m_whole.attempt([&] { m_file.writeDocument(documentName, text); });
}

void FileWriter::sync() {
  const std::lock_guard lock(m_mutex);
  m_whole.attempt([&] {
    m_file.writeSchemas();
    m_file.sink().sync();
  });
}

void FileWriter::addObject(std::string_view object, const ObjectTree& tree) {
  const auto* const part = std::get_if<ObjectPart>(&tree.root.is);
  if (!part)
    fail(ErrorKind::usage, name(), ": object '", object, "': only objects with a class can be ",
         "written");
  const DescribedObject& described = tree.parts[part->number];
  const ObjectValue* const title = described.find("fTitle");
  const auto* const text = title ? std::get_if<std::string>(&title->is) : nullptr;
  writeObject(object, documentOf(tree, described.type, text ? *text : std::string()));
}

std::string FileWriter::copyObject(const ObjectStore& store, const StoredObject& object,
                                   const ObjectTree* changed) {
  try {
    const ObjectTree tree = changed ? *changed : store.read(object.name);
    writeObject(object.name, documentOf(tree, object.type, object.title));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::version)
      throw;
    return error.what(); // the file does not describe its class
  }
  return "";
}

void FileWriter::writeObject(std::string_view object, const std::string& document) {
  const std::lock_guard lock(m_mutex);
  m_whole.checkOpen();
  if (object.empty() || !isUtf8(object))
    fail(ErrorKind::usage, name(), ": the name of an object is empty or not UTF-8");
  const auto& categories = m_file.contents().categories;
  if (std::ranges::find(categories, object, &CategoryContents::name) != categories.end())
    fail(ErrorKind::usage, name(), ": object '", object, "': there is a category '", object,
         "' already");
  if (!m_objects.emplace(object).second)
    fail(ErrorKind::usage, name(), ": object '", object, "': there is an object '", object,
         "' already");
  m_whole.attempt(
      [&] { m_file.writeDocument(std::string(objectDocument) + std::string(object), document); });
}

void FileWriter::finish() {
  const std::lock_guard lock(m_mutex);
  m_whole.finish([&] {
    m_file.writeSchemas();
    for (const auto& category : m_categories)
      category->tags.write();
    for (const auto& category : m_categories)
      category->keys.finish();
    m_file.writeIndex();
    m_file.sink().finish();
  });
}

void FileWriter::abandon() noexcept {
  const std::lock_guard lock(m_mutex);
  m_whole.abandon();
}

} // namespace kaon::kaonfile
