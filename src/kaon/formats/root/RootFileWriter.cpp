#include <kaon/formats/root/RootFileWriter.h>

#include <kaon/base/Error.h>
#include <kaon/base/Utf8.h>
#include <kaon/base/Warning.h>
#include <kaon/formats/root/objects/ClassWriter.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace kaon::root {
namespace {

/// The class of anchors, as files describe it: a reader that knows none can list it.
ClassInfo anchorClass() {
  ClassInfo info{"ROOT::RNTuple", 2, 0x28E632EC, {}};
  for (const char* name : {"fVersionEpoch", "fVersionMajor", "fVersionMinor", "fVersionPatch"})
    info.elements.push_back({name, "", "unsigned short", "", unsignedShortNumber});
  for (const char* name : {"fSeekHeader", "fNBytesHeader", "fLenHeader", "fSeekFooter",
                           "fNBytesFooter", "fLenFooter", "fMaxKeySize"})
    info.elements.push_back({name, "", "unsigned long", "", unsignedLongNumber});
  return info;
}

Buffer classInfos(std::uint16_t keyBytes) {
  ObjectWriter writer(keyBytes);
  const std::vector<ClassInfo> classes{anchorClass()};
  putClasses(writer, classes);
  Buffer bytes;
  bytes.append(writer.bytes());
  return bytes;
}

/// ROOT calls objects in files by names in which some characters mean something else.
bool isAllowed(std::string_view name) {
  return !name.empty() && isUtf8(name) && std::ranges::none_of(name, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F ||
           std::string_view("./\\ ;").find(c) != std::string_view::npos;
  });
}

} // namespace

/// A category as it is being written.
struct RootFileWriter::Category {
  Category(std::string name, const SinkOptions& options)
      : ntuple(std::move(name), options.codec, options.pageBytes) {}
  NTupleWriter ntuple;
};

struct RootFileWriter::Cluster final : EncodedBatch {
  [[nodiscard]] std::size_t bytes() const noexcept override {
    std::size_t sum = encoded.pages.capacity();
    for (const auto& [column, pages] : encoded.columns)
      sum += pages.capacity() * sizeof pages[0];
    return sum;
  }

  Category* category = nullptr;
  Schema schema; // with each column apart
  EncodedCluster encoded;
  std::unique_ptr<ClusterEncoder> encoder; // null when it is encoded
  std::uint64_t asidePosition = 0;
  std::size_t asideBytes = 0; // of pages that were set aside
};

RootFileWriter::RootFileWriter(std::unique_ptr<io::ByteSink> sink, SinkOptions options)
    : m_options(std::move(options)), m_file(std::move(sink), m_options.codec),
      m_asides(m_file.sink().directory()) {
  if (!m_options.encodings.empty())
    warn(WarningKind::unusedOption,
         name() + ": ROOT's format says how each type is encoded: 'encodings' is not used");
}

RootFileWriter::~RootFileWriter() = default;

void RootFileWriter::checkOpen() const {
  if (!m_open)
    fail(ErrorKind::usage, name(), ": is finished, or failed; nothing can be written");
}

void RootFileWriter::attempt(const auto& write) {
  try {
    write();
  } catch (...) {
    m_open = false;
    m_file.sink().abandon();
    throw;
  }
}

Schema RootFileWriter::schema(std::string_view category) const {
  const std::lock_guard lock(m_mutex);
  for (const auto& known : m_categories)
    if (known->ntuple.name() == category)
      return known->ntuple.schema();
  return {};
}

RootFileWriter::Category& RootFileWriter::category(std::string_view categoryName) {
  for (const auto& known : m_categories)
    if (known->ntuple.name() == categoryName)
      return *known;
  if (!isAllowed(categoryName))
    fail(ErrorKind::usage, name(), ": ROOT cannot have an RNTuple called '", categoryName,
         "': call the category so that the name is not empty and has none of . / \\ ; and blanks");
  if (categoryName == documentsName)
    fail(ErrorKind::usage, name(), ": a category cannot be called '", categoryName,
         "': that is where kaon keeps the texts of a file");
  return *m_categories.emplace_back(
      std::make_unique<Category>(std::string(categoryName), m_options));
}

/// A cluster with what it needs to be encoded. The tables of its batch are the category's then.
std::unique_ptr<RootFileWriter::Cluster> RootFileWriter::prepare(std::string_view categoryName,
                                                                 const Batch& batch) {
  const std::lock_guard lock(m_mutex);
  checkOpen();
  auto cluster = std::make_unique<Cluster>();
  cluster->category = &category(categoryName);
  cluster->category->ntuple.addTables(batch.schema(), name());
  cluster->schema = cluster->category->ntuple.schema().first(batch.schema().size());
  if (m_idle.empty())
    m_idle.push_back(std::make_unique<ClusterEncoder>(m_options.codec, m_options.pageBytes));
  cluster->encoder = std::move(m_idle.back());
  m_idle.pop_back();
  if (!m_spares.empty()) {
    cluster->encoded.pages = std::move(m_spares.back());
    cluster->encoded.pages.clear();
    m_spares.pop_back();
  }
  return cluster;
}

std::unique_ptr<EncodedBatch> RootFileWriter::encode(std::string_view categoryName,
                                                     const Batch& batch) {
  if (batch.entries() > std::numeric_limits<std::uint32_t>::max())
    fail(ErrorKind::usage, name(), ": a batch of more than 4294967295 entries");
  std::unique_ptr<Cluster> cluster = prepare(categoryName, batch);
  cluster->encoder->encode(cluster->schema, batch, cluster->encoded);
  const std::lock_guard lock(m_mutex);
  m_idle.push_back(std::move(cluster->encoder));
  return cluster;
}

/// Keeps the memory of pages for the next cluster, as far as options allow.
void RootFileWriter::keep(EncodedCluster& cluster) {
  std::size_t sum = cluster.pages.capacity();
  for (const Buffer& spare : m_spares)
    sum += spare.capacity();
  if (m_spares.empty() || sum <= m_options.spareBytes)
    m_spares.push_back(std::move(cluster.pages));
}

void RootFileWriter::append(std::unique_ptr<EncodedBatch> encoded) {
  auto* const cluster = dynamic_cast<Cluster*>(encoded.get());
  if (!cluster)
    fail(ErrorKind::usage, name(), ": a batch that another file encoded");
  const std::lock_guard lock(m_mutex);
  checkOpen();
  if (cluster->encoded.entries == 0)
    return;
  attempt([&] {
    EncodedCluster& pages = cluster->encoded;
    if (cluster->asideBytes > 0) {
      m_asides.read(cluster->asidePosition, pages.pages.assign(cluster->asideBytes));
      if (--m_asideClusters == 0)
        m_asides.clear();
    }
    cluster->category->ntuple.write(m_file, pages);
    keep(pages);
  });
}

void RootFileWriter::setAside(EncodedBatch& encoded) {
  auto& cluster = dynamic_cast<Cluster&>(encoded);
  Buffer& pages = cluster.encoded.pages;
  if (pages.empty() || cluster.asideBytes > 0)
    return;
  const std::lock_guard lock(m_mutex);
  checkOpen();
  attempt([&] {
    cluster.asidePosition = m_asides.append(pages.bytes());
    cluster.asideBytes = pages.size();
    ++m_asideClusters;
    keep(cluster.encoded);
    pages = {};
  });
}

void RootFileWriter::addDocument(std::string_view documentName, std::string_view text) {
  const std::lock_guard lock(m_mutex);
  checkOpen();
  if (!isUtf8(documentName))
    fail(ErrorKind::usage, name(), ": the name of a document is not UTF-8");
  if (isSchemaDocument(documentName))
    fail(ErrorKind::usage, name(), ": a document cannot be called '", documentName,
         "': that is how what kaon says of a category is called");
  m_documents.insert_or_assign(std::string(documentName), std::string(text));
}

void RootFileWriter::finish() {
  const std::lock_guard lock(m_mutex);
  if (!std::exchange(m_open, false))
    fail(ErrorKind::usage, name(), ": is finished already, or failed");
  attempt([&] {
    for (const auto& category : m_categories)
      m_documents[schemaDocumentName(category->ntuple.name())] =
          toJson(category->ntuple.finish(m_file));
    if (!m_documents.empty())
      writeDocuments(m_file, m_documents);
    m_file.finish(classInfos);
  });
}

void RootFileWriter::abandon() noexcept {
  const std::lock_guard lock(m_mutex);
  m_open = false;
  m_file.sink().abandon();
}

} // namespace kaon::root
