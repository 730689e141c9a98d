#include <kaon/formats/hdf5/Hdf5FileWriter.h>

#include <kaon/base/Error.h>
#include <kaon/base/Utf8.h>
#include <kaon/base/Warning.h>
#include <kaon/formats/hdf5/Attributes.h>
#include <kaon/formats/hdf5/LayoutVersion.h>
#include <kaon/formats/hdf5/TablePaths.h>
#include <kaon/model/SchemaDocument.h>
#include <kaon/model/SplitSchema.h>
#include <kaon/writing/BatchCheck.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace kaon::hdf5 {
namespace {

/// Every HDF5 supports deflate, and hardly any other codec, so all codecs except none become
/// deflate. Its lowest level suffices for shuffled bytes.
int levelOf(Compression codec) {
  if (codec.codec == Codec::none)
    return 0;
  return codec.codec == Codec::zlib ? codec.level : 1;
}

bool isBelow(std::string_view path, std::string_view above) {
  return path.size() > above.size() && path.starts_with(above) && path[above.size()] == '/';
}

} // namespace

Hdf5FileWriter::Hdf5FileWriter(std::unique_ptr<io::ByteSink> sink, SinkOptions options)
    : m_sink(std::move(sink)), m_bytes(std::make_shared<SinkBytes>(*m_sink)),
      m_options(std::move(options)) {
  m_sink->rewrite(0, {}); // throws for pipes
  if (!m_options.encodings.empty())
    warn(WarningKind::unusedOption,
         name() + ": HDF5 has no encodings of kaon's: 'encodings' is not used");
  const LibraryLock lock;
  const Hdf5Handle access = accessToNew(*m_bytes), creation(H5Pcreate(H5P_FILE_CREATE));
  m_file = Hdf5Handle(H5Fcreate(name().c_str(), H5F_ACC_TRUNC, creation.get(), access.get()));
  if (m_bytes->failure || !m_file.isOpen())
    m_bytes->drop();
  m_bytes->rethrowFailure();
  if (!m_file.isOpen())
    failWriting(name(), "cannot be created");
}

Schema Hdf5FileWriter::schema(std::string_view category) const {
  const std::lock_guard lock(m_mutex);
  const auto known = std::ranges::find(m_categories, category, &Hdf5CategoryWriter::name);
  return known == m_categories.end() ? Schema() : known->schema();
}

std::unique_ptr<detail::EncodedBatch> Hdf5FileWriter::encode(std::string_view category,
                                                             const Batch& batch) {
  checkWhole(batch);
  const Schema split = splitSchema(batch.schema());
  {
    const std::lock_guard lock(m_mutex);
    checkOpen();
    (void)categoryWith(category, split);
  }
  return gather(category, batch, split);
}

void Hdf5FileWriter::append(std::unique_ptr<detail::EncodedBatch> batch) {
  auto* const gathered = dynamic_cast<GatheredBatch*>(batch.get());
  if (!gathered)
    fail(ErrorKind::usage, name(), ": cannot append a batch that another file encoded");
  appendCopy(gathered->category, *batch);
}

void Hdf5FileWriter::appendCopy(std::string_view category, detail::EncodedBatch& encoded) {
  const auto* const batch = dynamic_cast<const GatheredBatch*>(&encoded);
  if (!batch)
    fail(ErrorKind::usage, name(), ": cannot append a batch that another file encoded");
  const std::lock_guard lock(m_mutex);
  checkOpen();
  Hdf5CategoryWriter& writer = categoryWith(category, batch->schema);
  attempt([&] { writer.append(m_file.get(), *batch, name()); });
}

void Hdf5FileWriter::addDocument(std::string_view documentName, std::string_view text) {
  const std::lock_guard lock(m_mutex);
  checkOpen();
  if (!isUtf8(documentName) || documentName.find('\0') != std::string_view::npos)
    fail(ErrorKind::usage, name(),
         ": the name of a document is not UTF-8, or contains the character 0");
  if (documentName.size() > mostNameBytes)
    fail(ErrorKind::usage, name(), ": the name of a document has ", documentName.size(),
         " bytes; in HDF5 it has at most ", mostNameBytes);
  if (isSchemaDocument(documentName))
    fail(ErrorKind::usage, name(), ": a document cannot be called '", documentName,
         "': kaon uses this name for the description of a category");
  m_documents.insert_or_assign(std::string(documentName), std::string(text));
}

void Hdf5FileWriter::finish() {
  const std::lock_guard lock(m_mutex);
  checkOpen();
  attempt([&] {
    const LibraryLock library;
    for (Hdf5CategoryWriter& category : m_categories)
      category.finish(m_file.get(), name());
    m_bytes->keep();
    std::uint64_t number = 0;
    for (const Hdf5CategoryWriter& category : m_categories) {
      category.describe(m_file.get(), number++, name());
      m_documents[schemaDocumentName(category.name())] = category.schemaDocument();
    }
    writeDocuments(m_file.get(), m_documents, name());
    putAttribute(m_file.get(), layoutAttribute, layoutVersion, name());
    const bool isWritten = H5Fflush(m_file.get(), H5F_SCOPE_LOCAL) >= 0;
    m_file.close();
    m_bytes->rethrowFailure();
    m_bytes->finish();
    if (!isWritten)
      failWriting(name(), "cannot be completed");
    m_sink->finish();
  });
  m_isOpen = false;
}

void Hdf5FileWriter::abandon() noexcept {
  const std::lock_guard lock(m_mutex);
  giveUp();
}

void Hdf5FileWriter::checkOpen() const {
  if (!m_isOpen)
    fail(ErrorKind::usage, name(), ": is finished, or failed; nothing can be written");
}

/// Runs a step that must not be done in part. If it throws, the file is given up.
void Hdf5FileWriter::attempt(const auto& write) {
  try {
    write();
  } catch (...) {
    std::exception_ptr reason = m_bytes->failure ? m_bytes->failure : std::current_exception();
    giveUp();
    std::rethrow_exception(reason);
  }
}

void Hdf5FileWriter::giveUp() noexcept {
  if (!std::exchange(m_isOpen, false))
    return;
  m_bytes->drop();
  m_categories.clear(); // with their datasets
  m_file.close();
  m_sink->abandon();
}

/// Returns the category with these tables added. Creates it if it is new and accepts the tables.
Hdf5CategoryWriter& Hdf5FileWriter::categoryWith(std::string_view category, const Schema& split) {
  const auto known = std::ranges::find(m_categories, category, &Hdf5CategoryWriter::name);
  if (known != m_categories.end()) {
    known->addTables(split, name());
    return *known;
  }
  checkName(category);
  Hdf5CategoryWriter added(std::string(category), m_options.pageBytes, levelOf(m_options.codec));
  added.addTables(split, name());
  return m_categories.emplace_back(std::move(added));
}

/// Checks a category's name. A slash in it separates nested groups, as in HDF5.
void Hdf5FileWriter::checkName(std::string_view category) const {
  std::string_view rest = category;
  const bool isText = isUtf8(category) && category.find('\0') == std::string_view::npos;
  for (bool isLast = false; !isLast;) {
    const std::size_t end = rest.find('/');
    const std::string_view part = rest.substr(0, end);
    if (!isText || part.empty() || part == "." || part == "..")
      fail(ErrorKind::usage, name(), ": HDF5 cannot have a group '", category,
           "': no part of the category's name may be empty or '.'");
    isLast = end == std::string_view::npos;
    rest.remove_prefix(isLast ? rest.size() : end + 1);
  }
  if (category.size() > mostNameBytes)
    fail(ErrorKind::usage, name(), ": the name of a category has ", category.size(),
         " bytes; in HDF5 it has at most ", mostNameBytes);
  if (category == documentsGroup || isBelow(category, documentsGroup))
    fail(ErrorKind::usage, name(), ": a category cannot be called '", category,
         "': kaon uses this name for the documents of a file");
  for (const Hdf5CategoryWriter& other : m_categories)
    if (isBelow(category, other.name()) || isBelow(other.name(), category))
      fail(ErrorKind::usage, name(), ": the category '", category, "' cannot be within '",
           other.name(), "', nor contain it");
}

} // namespace kaon::hdf5
