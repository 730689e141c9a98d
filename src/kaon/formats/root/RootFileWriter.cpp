#include <kaon/formats/root/RootFileWriter.h>

#include <kaon/base/Error.h>
#include <kaon/base/Utf8.h>
#include <kaon/base/Warning.h>
#include <kaon/detail/model/ModelDefinitions.h>
#include <kaon/formats/root/RootObjects.h>
#include <kaon/formats/root/container/Folders.h>
#include <kaon/formats/root/container/RecordKey.h>
#include <kaon/formats/root/ntuple/NTupleWriter.h>
#include <kaon/formats/root/objects/ClassWriter.h>
#include <kaon/formats/root/objects/HistogramClasses.h>
#include <kaon/formats/root/objects/MemberWriter.h>
#include <kaon/formats/root/podio/FrameWriter.h>
#include <kaon/formats/root/podio/RootFileDescriptionWriter.h>
#include <kaon/formats/root/tree/TreeClasses.h>
#include <kaon/formats/root/tree/TreeWriter.h>
#include <kaon/model/SchemaDocument.h>

#include <algorithm>
#include <limits>
#include <ranges>
#include <utility>

namespace kaon::root {
namespace {

/// The class of anchors for the file's list of classes, so that programs without this class can
/// list the file.
ClassInfo anchorClass() {
  ClassInfo info{"ROOT::RNTuple", 2, 0x28E632EC, {}};
  for (const char* name : {"fVersionEpoch", "fVersionMajor", "fVersionMinor", "fVersionPatch"})
    info.elements.push_back({name, "", "unsigned short", "", unsignedShortNumber});
  for (const char* name : {"fSeekHeader", "fNBytesHeader", "fLenHeader", "fSeekFooter",
                           "fNBytesFooter", "fLenFooter", "fMaxKeySize"})
    info.elements.push_back({name, "", "unsigned long", "", unsignedLongNumber});
  return info;
}

/// Adds classes, except for those that are there already.
void addClasses(std::vector<ClassInfo>& all, const std::vector<ClassInfo>& added) {
  for (const ClassInfo& info : added)
    if (std::ranges::find(all, info.name, &ClassInfo::name) == all.end())
      all.push_back(info);
}

/// ROOT takes text behind ';' in an object's name for the cycle.
constexpr std::string_view notInNames = "/;", notInNTuples = "/;.\\ ";

bool isAllowed(std::string_view name, std::string_view forbidden) {
  return !name.empty() && name.size() <= mostNameBytes && isUtf8(name) &&
         std::ranges::none_of(name, [&](char c) {
           return static_cast<unsigned char>(c) < 0x20 || c == 0x7F ||
                  forbidden.find(c) != std::string_view::npos;
         });
}

/// Checks a name that may have folders before it, such as "folder/Events".
bool isAllowedPath(std::string_view path, std::string_view forbidden) {
  const std::size_t mark = path.rfind('/');
  if (mark == std::string_view::npos)
    return isAllowed(path, forbidden);
  const std::string_view folders = path.substr(0, mark);
  if (folders.empty() || folders.size() > mostFolderPath)
    return false;
  std::size_t levels = 1;
  for (const auto folder : folders | std::views::split('/'))
    if (++levels > mostFolderLevels || !isAllowed({folder.begin(), folder.end()}, notInNames))
      return false;
  return isAllowed(path.substr(mark + 1), forbidden);
}

/// Whether one path is a folder of the other.
bool areInEachOther(std::string_view a, std::string_view b) {
  const std::size_t common = std::min(a.size(), b.size());
  return a.size() != b.size() && a.substr(0, common) == b.substr(0, common) &&
         (a.size() > common ? a : b)[common] == '/';
}

} // namespace

std::string obstacleTo(std::string_view category, CategoryForm form) {
  const bool isTree = form == CategoryForm::tree, isFrames = form == CategoryForm::frames;
  const std::string_view forbidden = isTree ? notInNames : notInNTuples;
  if (isFrames ? !isAllowed(category, forbidden) : !isAllowedPath(category, forbidden))
    return std::string("ROOT cannot have ") + (isTree ? "a tree" : "an RNTuple") +
           " of this name: a name must not be empty or contain " +
           (isFrames ? "/ (podio has no folders), " : "") +
           (isTree ? "; or control characters" : ". \\ ; or blanks") +
           ", and has at most 16000 bytes, 4096 of them before its last /";
  if (category == documentsName || areInEachOther(category, documentsName))
    return "kaon uses this name for the documents of a file";
  if (isFrames && category == podio::metadataCategory)
    return "podio uses this name for its description of a file";
  return "";
}

struct RootFileWriter::Cluster final : detail::EncodedBatch {
  [[nodiscard]] std::size_t bytes() const noexcept override {
    return encoded->pages.capacity() + encoded->bytesBeside();
  }

  RootCategoryWriter* category = nullptr;
  std::unique_ptr<EncodedEntries> encoded;
  std::uint64_t asidePosition = 0;
  std::size_t asideBytes = 0; // bytes of the pages that were set aside
};

RootFileWriter::RootFileWriter(std::unique_ptr<io::ByteSink> sink, SinkOptions options,
                               CategoryForm form)
    : m_options(std::move(options)), m_form(form), m_file(std::move(sink), m_options.codec),
      m_asides(m_file.sink().directory()) {
  warnOfUnused();
}

RootFileWriter::RootFileWriter(std::unique_ptr<io::ByteSink> sink,
                               std::shared_ptr<const RootContainer> old, SinkOptions options,
                               CategoryForm form)
    : m_options(std::move(options)), m_form(form), m_additions(old),
      m_file(std::move(sink), old, m_options.codec), m_documents(readDocuments(*old)),
      m_oldDocuments(m_documents), m_asides(m_file.sink().directory()) {
  m_storedClasses.add(*old);
  m_oldClasses = m_storedClasses.size();
  warnOfUnused();
}

void RootFileWriter::warnOfUnused() const {
  if (!m_options.encodings.empty())
    warn(WarningKind::unusedOption,
         name() + ": ROOT's format says how each type is encoded: 'encodings' is not used");
}

RootFileWriter::~RootFileWriter() = default;

Schema RootFileWriter::schema(std::string_view category) const {
  const std::lock_guard lock(m_mutex);
  for (const auto& known : m_categories)
    if (known->name() == category)
      return known->schema();
  return {};
}

/// Returns the category with the tables of a batch added. Creates it if it is new and accepts the
/// tables.
RootCategoryWriter& RootFileWriter::categoryWith(std::string_view categoryName,
                                                 const Schema& schema) {
  const auto addTables = [&](RootCategoryWriter& category) {
    category.addTables(schema, name());
    if (m_additions && m_additions->areColumns(categoryName))
      m_additions->check(dynamic_cast<const TreeWriter&>(category));
  };
  for (const auto& known : m_categories)
    if (known->name() == categoryName) {
      addTables(*known);
      return *known;
    }
  std::unique_ptr<RootCategoryWriter> added = newCategory(categoryName);
  addTables(*added);
  m_hasTrees = m_hasTrees || dynamic_cast<const TreeWriter*>(added.get());
  return *m_categories.emplace_back(std::move(added));
}

std::unique_ptr<RootCategoryWriter> RootFileWriter::newCategory(std::string_view categoryName) {
  if (const std::string obstacle = obstacleTo(categoryName, m_form); !obstacle.empty())
    fail(ErrorKind::usage, name(), ": category '", categoryName, "': ", obstacle);
  if (m_objects.contains(categoryName))
    fail(ErrorKind::usage, name(), ": '", categoryName, "' is an object that was written already");
  for (const auto& known : m_categories)
    if (areInEachOther(known->name(), categoryName))
      fail(ErrorKind::usage, name(), ": there cannot be categories '", known->name(), "' and '",
           categoryName, "': one of them would be a folder that contains the other");
  if (m_additions)
    if (const std::string obstacle = m_additions->obstacleTo(categoryName, true); !obstacle.empty())
      fail(ErrorKind::usage, name(), ": category '", categoryName, "': ", obstacle);
  std::string called(categoryName);
  if (m_form == CategoryForm::frames)
    return std::make_unique<podio::FrameWriter>(std::move(called), m_options.codec,
                                                m_options.pageBytes, m_documents, m_description);
  if (m_form == CategoryForm::tree || (m_additions && m_additions->areColumns(categoryName)))
    return std::make_unique<TreeWriter>(std::move(called), m_options.codec, m_options.pageBytes);
  return std::make_unique<NTupleWriter>(std::move(called), m_options.codec, m_options.pageBytes);
}

std::unique_ptr<detail::EncodedBatch> RootFileWriter::encode(std::string_view categoryName,
                                                             const Batch& batch) {
  if (batch.entries() > std::numeric_limits<std::uint32_t>::max())
    fail(ErrorKind::usage, name(), ": a batch must have at most 4294967295 entries");
  auto cluster = std::make_unique<Cluster>();
  Schema schema; // the batch's tables, each column stored separately
  Buffer pages;
  {
    const std::lock_guard lock(m_mutex);
    m_whole.checkOpen();
    cluster->category = &categoryWith(categoryName, batch.schema());
    schema = cluster->category->schema().first(batch.schema().size());
    if (!m_spares.empty()) {
      pages = std::move(m_spares.back());
      pages.clear();
      m_spares.pop_back();
    }
  }
  cluster->encoded = cluster->category->encode(schema, batch, std::move(pages));
  return cluster;
}

/// Keeps the memory of pages for the next cluster, within the limit of the options.
void RootFileWriter::keep(Buffer pages) {
  std::size_t sum = pages.capacity();
  for (const Buffer& spare : m_spares)
    sum += spare.capacity();
  if (m_spares.empty() || sum <= m_options.spareBytes)
    m_spares.push_back(std::move(pages));
}

void RootFileWriter::append(std::unique_ptr<detail::EncodedBatch> encoded) {
  auto* const cluster = dynamic_cast<Cluster*>(encoded.get());
  if (!cluster)
    fail(ErrorKind::usage, name(), ": cannot append a batch that another file encoded");
  const std::lock_guard lock(m_mutex);
  m_whole.checkOpen();
  if (cluster->encoded->entries == 0)
    return;
  m_whole.attempt([&] {
    Buffer& pages = cluster->encoded->pages;
    if (cluster->asideBytes > 0) {
      m_asides.read(cluster->asidePosition, pages.assign(cluster->asideBytes));
      if (--m_asideClusters == 0)
        m_asides.clear();
    }
    cluster->category->write(m_file, *cluster->encoded);
    keep(std::move(pages));
  });
}

void RootFileWriter::setAside(detail::EncodedBatch& encoded) {
  auto& cluster = dynamic_cast<Cluster&>(encoded);
  Buffer& pages = cluster.encoded->pages;
  if (pages.empty() || cluster.asideBytes > 0)
    return;
  const std::lock_guard lock(m_mutex);
  m_whole.attempt([&] {
    cluster.asidePosition = m_asides.append(pages.bytes());
    cluster.asideBytes = pages.size();
    ++m_asideClusters;
    keep(std::move(pages));
    pages = {};
  });
}

void RootFileWriter::addDocument(std::string_view documentName, std::string_view text) {
  const std::lock_guard lock(m_mutex);
  m_whole.checkOpen();
  if (!isUtf8(documentName))
    fail(ErrorKind::usage, name(), ": the name of a document is not UTF-8");
  if (isSchemaDocument(documentName))
    fail(ErrorKind::usage, name(), ": a document cannot be called '", documentName,
         "': kaon uses this name for the description of a category");
  m_documents.insert_or_assign(std::string(documentName), std::string(text));
}

/// Throws unless an object can have this name.
void RootFileWriter::checkObjectName(std::string_view object) const {
  if (!isAllowedPath(object, notInNames))
    fail(ErrorKind::usage, name(), ": '", object, "' cannot be the name of an object: names are ",
         "not empty, have neither ; nor control characters, and at most 16000 bytes, 4096 before ",
         "the last /");
  const auto clashes = [&](std::string_view other) {
    return other == object || areInEachOther(other, object);
  };
  if (clashes(documentsName))
    fail(ErrorKind::usage, name(), ": '", object, "' is the place where kaon keeps the texts of a ",
         "file; use another name");
  if (const auto known = std::ranges::find_if(m_objects, clashes); known != m_objects.end())
    fail(ErrorKind::usage, name(), ": object '", object, "': there is an object '", *known,
         "' already");
  for (const auto& known : m_categories)
    if (clashes(known->name()))
      fail(ErrorKind::usage, name(), ": object '", object, "': there is a category '",
           known->name(), "' already");
  if (m_additions)
    if (const std::string obstacle = m_additions->obstacleTo(object, false); !obstacle.empty())
      fail(ErrorKind::usage, name(), ": object '", object, "': ", obstacle);
}

void RootFileWriter::addColumns(std::string_view category, std::string_view columns) {
  const std::lock_guard lock(m_mutex);
  m_whole.checkOpen();
  if (!m_additions)
    return Sink::addColumns(category, columns);
  if (const std::string obstacle = obstacleTo(columns, CategoryForm::tree); !obstacle.empty())
    fail(ErrorKind::usage, name(), ": category '", columns, "': ", obstacle);
  if (const std::string obstacle = m_additions->obstacleTo(columns, true); !obstacle.empty())
    fail(ErrorKind::usage, name(), ": category '", columns, "': ", obstacle);
  if (std::ranges::any_of(m_categories, [&](const auto& each) { return each->name() == columns; }))
    fail(ErrorKind::usage, name(), ": category '", columns, "' has entries already, so it cannot ",
         "become columns of '", category, "'");
  m_additions->addColumns(category, columns);
}

void RootFileWriter::addObject(std::string_view object, const ObjectTree& tree) {
  const std::lock_guard lock(m_mutex);
  m_whole.checkOpen();
  checkObjectName(object);
  writeObject(object, tree, name() + ": object '" + std::string(object) + "'");
}

/// Writes an object by the classes that kaon knows. `where` is for messages.
void RootFileWriter::writeObject(std::string_view object, const ObjectTree& tree,
                                 const std::string& where) {
  const auto* const part = std::get_if<ObjectPart>(&tree.root.is);
  const DescribedObject* const described = part ? &tree.parts[part->number] : nullptr;
  const std::string className = described ? described->type : "";
  const ObjectValue* const titleValue = described ? described->find("fTitle") : nullptr;
  const auto* const title = titleValue ? std::get_if<std::string>(&titleValue->is) : nullptr;
  const std::string keyTitle = title ? *title : "";
  std::uint16_t keyBytes = 0;
  m_whole.attempt([&] { keyBytes = m_file.keyBytesOf(className, object, keyTitle); });
  RootObjectWriter writer(keyBytes);
  MemberWriter(writer, histogramClasses(), tree, where).write();
  m_whole.attempt(
      [&] { m_file.writeObject(className, object, keyTitle, writer.bytes(), m_options.codec); });
  m_objects.emplace(object);
}

std::string RootFileWriter::copyObject(const ObjectStore& store, const StoredObject& object,
                                       const ObjectTree* changed) {
  const std::lock_guard lock(m_mutex);
  m_whole.checkOpen();
  checkObjectName(object.name);
  const auto* const ofRoot = dynamic_cast<const RootObjects*>(&store);
  if (!ofRoot) {
    try {
      writeObject(object.name, changed ? *changed : store.read(object.name), store.name());
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage)
        throw;
      return error.what();
    }
    return "";
  }
  const StoredPayload stored = ofRoot->stored(object.name, changed);
  m_whole.attempt(
      [&] { m_file.writeCopy(*stored.key, object.name, stored.payload.bytes(), m_options.codec); });
  m_objects.insert(object.name);
  if (m_copied.insert(&ofRoot->container()).second)
    m_storedClasses.add(ofRoot->container());
  return "";
}

/// Returns the record with the classes of everything in the file. Returns nothing if an old file
/// has them all.
Buffer RootFileWriter::classInfos(std::uint16_t keyBytes) const {
  std::vector<ClassInfo> classes;
  if (m_hasTrees)
    addClasses(classes, treeClasses());
  if (m_additions && m_additions->hasColumns())
    addClasses(classes, {friendClass()});
  if (!m_objects.empty())
    addClasses(classes, histogramClassInfos());
  if (!m_additions || !m_categories.empty())
    addClasses(classes, {anchorClass()});
  std::erase_if(classes, [&](const ClassInfo& info) {
    return m_storedClasses.contains(info.name, info.version);
  });
  if (m_additions && classes.empty() && m_storedClasses.size() == m_oldClasses)
    return {};
  RootObjectWriter writer(keyBytes);
  putClasses(writer, classes, m_storedClasses);
  Buffer bytes;
  bytes.append(writer.bytes());
  return bytes;
}

/// Writes podio's description of the file. It includes models; podio has no other documents.
void RootFileWriter::describeFrames() {
  m_description.models = podioDefinitions(detail::modelsOf(m_documents, name()), name());
  podio::writeDescription(m_file, m_description, m_options.codec);
  std::erase_if(m_documents,
                [](const auto& document) { return document.first.starts_with(modelDocument); });
}

void RootFileWriter::finish() {
  const std::lock_guard lock(m_mutex);
  m_whole.finish([&] {
    if (m_additions)
      m_additions->checkEntries();
    for (const auto& category : m_categories)
      if (std::string tables = category->finish(m_file); !tables.empty())
        m_documents[schemaDocumentName(category->name())] = std::move(tables);
    if (m_form == CategoryForm::frames)
      describeFrames();
    if (m_additions)
      m_additions->writeTrees(m_file, m_options.codec);
    if (m_documents != m_oldDocuments) {
      m_file.replaceNext(documentsName);
      writeDocuments(m_file, m_documents);
    }
    m_file.finish([&](std::uint16_t keyBytes) { return classInfos(keyBytes); });
  });
}

void RootFileWriter::abandon() noexcept {
  const std::lock_guard lock(m_mutex);
  m_whole.abandon();
}

std::unique_ptr<Sink> appendToRootFile(const std::string& path, const SinkOptions& options) {
  const bool ofTrees = options.format == "ttree";
  if (!ofTrees && !options.format.empty() && options.format != "rntuple")
    fail(ErrorKind::usage, path, ": is a ROOT file; it gets new categories of the format ",
         "'rntuple' or 'ttree', not '", options.format, "'");
  auto sink = io::appendSink(path); // the file is locked from here on
  return std::make_unique<RootFileWriter>(
      std::move(sink), std::make_shared<RootContainer>(io::fileSource(path)), options,
      ofTrees ? CategoryForm::tree : CategoryForm::ntuple);
}

} // namespace kaon::root
