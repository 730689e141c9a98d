#include <kaon/formats/hdf5/Hdf5File.h>

#include <kaon/base/Buffer.h>
#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/base/Suggestion.h>
#include <kaon/formats/hdf5/Attributes.h>
#include <kaon/formats/hdf5/FileDriver.h>
#include <kaon/formats/hdf5/Groups.h>
#include <kaon/formats/hdf5/Hdf5Cursor.h>
#include <kaon/formats/hdf5/Hdf5Documents.h>
#include <kaon/formats/hdf5/KaonCategory.h>
#include <kaon/formats/hdf5/LayoutVersion.h>
#include <kaon/formats/hdf5/PlainCategories.h>
#include <kaon/model/SchemaDocument.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::hdf5 {
namespace {

class Hdf5Source final : public Source {
public:
  explicit Hdf5Source(CategoryDatasets contents)
      : m_contents(std::move(contents)), m_widths(m_contents) {}

  [[nodiscard]] const std::string& name() const noexcept override { return m_contents.name; }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_contents.schema; }
  [[nodiscard]] std::uint64_t entries() const noexcept override { return m_contents.entries; }
  [[nodiscard]] std::vector<EntryRange> clusters() const override { return m_widths.clusters(); }
  [[nodiscard]] std::unique_ptr<detail::Cursor> cursor() const override {
    return std::make_unique<Hdf5Cursor>(m_contents, m_widths);
  }
  [[nodiscard]] std::span<const Unreadable> unreadable() const noexcept override {
    return m_contents.unreadable;
  }

  /// Members of records are not stored separately, so their usage is unknown.
  [[nodiscard]] std::optional<ColumnUsage> usage(ColumnNumber number) const override {
    const Column& column = m_contents.schema.columns()[number];
    const DatasetOrigin& origin = m_contents.tables[column.table];
    const std::uint32_t dataset = column.role == ColumnRole::member
                                      ? origin.members[column.member].dataset
                                  : column.role == ColumnRole::counts ? origin.offsets
                                                                      : origin.presence;
    if (dataset == DatasetOrigin::none)
      return ColumnUsage();
    return usageOf(m_contents.datasets[dataset]);
  }

private:
  [[nodiscard]] static std::optional<ColumnUsage> usageOf(const StoredDataset& dataset) {
    if (!dataset.type.members.front().name.empty() || dataset.variable)
      return std::nullopt;
    const LibraryLock lock;
    ColumnUsage usage;
    usage.values = dataset.rows();
    usage.decodedBytes = dataset.rows() * dataset.rowBytes();
    usage.storedBytes = H5Dget_storage_size(dataset.handle.get());
    const auto has = [&](ChunkFilter::Kind kind) {
      return std::ranges::find(dataset.filters, kind, &ChunkFilter::kind) != dataset.filters.end();
    };
    const auto compressing = std::ranges::find_if(dataset.filters, compresses);
    const Codec codec = compressing == dataset.filters.end() ? Codec::none : codecOf(*compressing);
    usage.forms.push_back({has(ChunkFilter::Kind::shuffle) ? codec::Encoding::bytePlanes
                           : codec != Codec::none          ? codec::Encoding::compressed
                                                           : codec::Encoding::raw,
                           codec, usage.storedBytes});
    return usage;
  }

  CategoryDatasets m_contents;
  PageWidths m_widths;
};

class Hdf5File final : public File {
public:
  explicit Hdf5File(std::unique_ptr<io::ByteSource> source)
      : m_bytes(std::make_shared<SourceBytes>(std::move(source))) {
    const LibraryLock lock;
    calling([&] {
      const Hdf5Handle access = accessTo(*m_bytes);
      m_file = Hdf5Handle(H5Fopen(name().c_str(), H5F_ACC_RDONLY, access.get()));
      if (!m_file.isOpen())
        failReading(name(), "cannot be opened as HDF5");
      checkLayout();
      m_documents = readDocuments(m_file.get(), *m_bytes, name());
      findCategories();
    });
    m_id = idOf(m_bytes->source());
  }

  [[nodiscard]] const std::string& name() const noexcept override {
    return m_bytes->source().name();
  }
  [[nodiscard]] std::string_view format() const noexcept override { return "hdf5"; }
  [[nodiscard]] std::uint64_t bytes() const noexcept override { return m_bytes->size(); }
  [[nodiscard]] std::uint64_t id() const noexcept override { return m_id; }

  [[nodiscard]] std::vector<std::string> categories() const override {
    std::vector<std::string> names;
    for (const auto& category : m_categories)
      names.push_back(category->plain.name);
    return names;
  }

  [[nodiscard]] bool hasOptionalsByValues() const override { return true; }

  [[nodiscard]] const Source& category(std::string_view wanted) const override {
    const auto place = std::ranges::find_if(
        m_categories, [&](const auto& category) { return category->plain.name == wanted; });
    if (place == m_categories.end())
      fail(ErrorKind::name, name(), ": has no category '", wanted, "'",
           suggestion(wanted, categories()));
    Category& category = **place;
    const std::lock_guard lock(category.mutex);
    if (!category.source) {
      const LibraryLock library;
      calling([&] { category.source = std::make_unique<Hdf5Source>(contentsOf(category)); });
    }
    return *category.source;
  }

  [[nodiscard]] std::vector<std::string> documents() const override {
    std::vector<std::string> names;
    for (const auto& [document, text] : m_documents)
      if (!isSchemaDocument(document))
        names.push_back(document);
    return names;
  }

  [[nodiscard]] std::string document(std::string_view wanted) const override {
    const auto document = m_documents.find(wanted);
    if (document == m_documents.end() || isSchemaDocument(wanted))
      fail(ErrorKind::name, name(), ": has no document '", wanted, "'",
           suggestion(wanted, documents()));
    return document->second;
  }

private:
  struct Category {
    PlainCategory plain;   // for kaon's own files, only the name
    bool isStored = false; // written by kaon
    std::mutex mutex;      // guards `source`
    std::unique_ptr<Source> source;
  };

  /// Runs calls of libhdf5. An exception of the source replaces libhdf5's error, because it is the
  /// reason for it.
  void calling(const auto& calls) const {
    m_bytes->failure = nullptr;
    try {
      calls();
    } catch (...) {
      m_bytes->rethrowFailure();
      throw;
    }
  }

  void checkLayout() const {
    const auto version = numberAttribute(m_file.get(), layoutAttribute);
    if (version && *version > layoutVersion)
      fail(ErrorKind::version, name(), ": was written by a newer kaon with version ", *version,
           " of the layout; this kaon reads version ", layoutVersion);
  }

  /// Finds the categories that kaon wrote, or all groups of files of other programs.
  void findCategories() {
    std::vector<std::pair<std::uint64_t, std::string>> stored; // with their numbers in the file
    for (const auto& [document, text] : m_documents)
      if (isSchemaDocument(document)) {
        const std::string category = document.substr(schemaDocumentName("").size());
        stored.emplace_back(numberOf(category), category);
      }
    std::ranges::sort(stored);
    for (auto& [number, category] : stored)
      add({std::move(category), {}, {}}, true);
    if (m_categories.empty()) {
      const std::vector<Group> groups = groupsIn(m_file.get(), *m_bytes, name());
      for (PlainCategory& category : plainCategories(m_file.get(), groups, *m_bytes))
        add(std::move(category), false);
    }
  }

  /// Returns the number that gives the order in which categories were first written.
  [[nodiscard]] std::uint64_t numberOf(const std::string& category) const {
    const Hdf5Handle group(H5Gopen2(m_file.get(), ('/' + category).c_str(), H5P_DEFAULT));
    return group.isOpen() ? numberAttribute(group.get(), "number").value_or(0) : 0;
  }

  void add(PlainCategory category, bool isStored) {
    m_categories.push_back(std::make_unique<Category>());
    m_categories.back()->plain = std::move(category);
    m_categories.back()->isStored = isStored;
  }

  [[nodiscard]] CategoryDatasets contentsOf(const Category& category) const {
    if (!category.isStored)
      return hdf5::contentsOf(category.plain, m_file.get(), *m_bytes);
    const auto schema = m_documents.find(schemaDocumentName(category.plain.name));
    try {
      return storedCategory(m_file.get(), *m_bytes, category.plain.name, schema->second);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::type)
        throw;
      fail(ErrorKind::corrupt, name(), ": '", category.plain.name,
           "' is not as kaon wrote it: ", error.what(),
           "; it is damaged, or another program changed it");
    }
  }

  /// Computes an ID from the first bytes and the size, because HDF5 files have no unique ID.
  static std::uint64_t idOf(const io::ByteSource& source) {
    constexpr std::uint64_t mostBytes = 64 * 1024;
    Buffer scratch;
    const auto first = source.view(0, std::min(source.size(), mostBytes), scratch);
    return checksum(first) ^ source.size();
  }

  std::shared_ptr<SourceBytes> m_bytes;
  Hdf5Handle m_file;
  Documents m_documents;
  std::vector<std::unique_ptr<Category>> m_categories;
  std::uint64_t m_id = 0;
};

} // namespace

std::unique_ptr<File> readFile(std::unique_ptr<io::ByteSource> bytes) {
  return std::make_unique<Hdf5File>(std::move(bytes));
}

} // namespace kaon::hdf5
