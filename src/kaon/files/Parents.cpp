#include <kaon/files/Parents.h>

#include <kaon/base/Error.h>
#include <kaon/batch/Provenance.h>
#include <kaon/detail/batch/WrappedFile.h>
#include <kaon/files/ListedEntries.h>
#include <kaon/files/TableFile.h>
#include <kaon/files/Urls.h>
#include <kaon/model/Metadata.h>
#include <kaon/reading/Batches.h>
#include <kaon/selecting/PickedPages.h>
#include <kaon/selecting/SchemaUnion.h>
#include <kaon/selecting/UnitedSource.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kaon {
namespace {

/// Consecutive entries from the same parent.
struct ParentRun {
  EntryRange entries;
  std::size_t parent;
};

/// The origins of a category's entries.
struct Ancestry {
  std::vector<std::uint64_t> ids;    // of the parents
  std::vector<ParentRun> runs;       // all entries, in order
  std::vector<std::uint64_t> picked; // for each entry, its number in the parent
};

Ancestry ancestryOf(const Source& source) {
  for (const std::string_view name : provenanceNames)
    if (source.schema().find(name) == Table::none)
      fail(ErrorKind::usage, source.name(), ": has no '", name,
           "', so the origin of its entries is unknown");
  Ancestry ancestry;
  std::unordered_map<std::uint64_t, std::size_t> parents; // by id
  Batches batches(source, {provenanceNames.begin(), provenanceNames.end()});
  for (const Batch& batch : batches) {
    const auto files = batch.values<std::uint64_t>(provenanceNames[0]);
    const auto entries = batch.values<std::uint64_t>(provenanceNames[1]);
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::uint64_t number = ancestry.picked.size();
      if (files[i] == 0)
        fail(ErrorKind::usage, source.name(), ": entry ", number, " was read from no file");
      const auto [known, isNew] = parents.try_emplace(files[i], ancestry.ids.size());
      if (isNew)
        ancestry.ids.push_back(files[i]);
      const std::size_t parent = known->second;
      if (ancestry.runs.empty() || ancestry.runs.back().parent != parent)
        ancestry.runs.push_back({{number, number}, parent});
      ++ancestry.runs.back().entries.last;
      ancestry.picked.push_back(entries[i]);
    }
  }
  return ancestry;
}

/// Returns one of the files that a file names as its sources: a category without entries can have
/// the tables of any.
std::vector<std::uint64_t> anySource(const File& child) {
  for (const std::string& document : child.documents())
    if (const auto id = idOfSource(document))
      return {*id};
  return {};
}

/// A list of entries may refer to another list, but not to itself.
constexpr unsigned mostLists = 16;
std::shared_ptr<const File> withEntries(std::shared_ptr<const File> file,
                                        const OpenOptions& options, unsigned lists);

/// Returns the bytes at a path or URL. Returns null if they do not exist; `obstacle` then has the
/// server's error.
std::unique_ptr<io::ByteSource> findBytes(const std::string& path, const OpenOptions& options,
                                          std::string& obstacle) {
  std::error_code ignored; // then it does not exist
  if (!isUrl(path))
    return std::filesystem::is_regular_file(path, ignored) ? io::fileSource(path, options.map)
                                                           : nullptr;
  try {
    return bytesAtUrl(path, options);
  } catch (const Error& error) {
    obstacle += std::string("; ") + error.what();
    return nullptr;
  }
}

/// Opens a parent by its recorded name.
std::shared_ptr<const File> openParent(const File& child, std::uint64_t id,
                                       const OpenOptions& options, unsigned lists) {
  const std::string name = child.document(sourceDocument(id));
  const std::filesystem::path beside = std::filesystem::path(child.name()).parent_path();
  std::string obstacles;
  for (const std::string& path : {name, (beside / name).string(),
                                  (beside / std::filesystem::path(name).filename()).string()}) {
    auto bytes = findBytes(path, options, obstacles);
    if (!bytes)
      continue;
    std::shared_ptr<const File> file = openStored(path, std::move(bytes), options);
    if (file->id() == id)
      return withEntries(std::move(file), options, lists);
  }
  fail(ErrorKind::missing, child.name(), ": some of its entries were read from '", name,
       "', which is neither there nor beside this file, or has changed", obstacles);
}

/// Sources with the same tables. If they differ, wraps them to have the tables of all.
class UniformSources {
public:
  explicit UniformSources(std::vector<const Source*> sources) : m_sources(std::move(sources)) {
    const Schema& first = m_sources.front()->schema();
    if (std::ranges::all_of(m_sources, [&](const Source* source) {
          return std::ranges::equal(source->schema().tables(), first.tables());
        }))
      return;
    SchemaUnion all;
    std::vector<std::vector<std::uint32_t>> numbers;
    for (const Source* const source : m_sources)
      try {
        numbers.push_back(all.add(source->schema()));
      } catch (const Error& error) {
        fail(error.kind(), source->name(), ": ", error.what());
      }
    m_schema = separated(all.schema());
    for (std::size_t i = 0; i < m_sources.size(); ++i) {
      m_united.push_back(
          std::make_unique<UnitedSource>(*m_sources[i], m_schema, std::move(numbers[i])));
      m_sources[i] = m_united.back().get();
    }
  }
  [[nodiscard]] const std::vector<const Source*>& sources() const noexcept { return m_sources; }

private:
  std::vector<const Source*> m_sources;
  Schema m_schema;
  std::vector<std::unique_ptr<UnitedSource>> m_united;
};

/// The listed entries of one or several sources with the same tables, in the order of the list.
class ParentSource final : public Source {
public:
  ParentSource(std::string name, Ancestry ancestry, std::vector<const Source*> parents,
               std::vector<EntryRange> clusters)
      : m_name(std::move(name)), m_ancestry(std::move(ancestry)), m_parents(std::move(parents)),
        m_clusters(std::move(clusters)) {
    for (const ParentRun& run : m_ancestry.runs)
      for (std::uint64_t entry = run.entries.first; entry < run.entries.last; ++entry)
        if (m_ancestry.picked[entry] >= m_parents[run.parent]->entries())
          fail(ErrorKind::corrupt, m_name, ": entry ", entry, " was read from entry ",
               m_ancestry.picked[entry], " of ", m_parents[run.parent]->name(),
               ", which does not exist");
  }

  [[nodiscard]] const std::string& name() const noexcept override { return m_name; }
  [[nodiscard]] const Schema& schema() const noexcept override {
    return m_parents.front()->schema();
  }
  [[nodiscard]] std::uint64_t entries() const noexcept override { return m_ancestry.picked.size(); }
  [[nodiscard]] std::vector<EntryRange> clusters() const override { return m_clusters; }
  [[nodiscard]] std::unique_ptr<detail::Cursor> cursor() const override;

private:
  class Reading;

  std::string m_name;
  Ancestry m_ancestry;
  std::vector<const Source*> m_parents;
  std::vector<EntryRange> m_clusters;
};

/// Reads the pages of each parent.
class ParentSource::Reading final : public detail::Cursor {
public:
  explicit Reading(const ParentSource& source) : m_source(source) {
    for (const Source* const parent : source.m_parents)
      m_pages.push_back(std::make_unique<PickedPages>(*parent, source.m_ancestry.picked));
  }

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override {
    std::vector<std::vector<EntryRange>> wanted(m_pages.size()); // by parent
    const EntrySelection cut = entries.within({0, m_source.entries()});
    for (const EntryRange& piece : cut.runs())
      for (std::uint64_t first = piece.first; first < piece.last;) {
        const ParentRun& run = runOf(first);
        const std::uint64_t last = std::min(piece.last, run.entries.last);
        wanted[run.parent].push_back({first, last});
        first = last;
      }
    for (std::size_t parent = 0; parent < m_pages.size(); ++parent)
      if (!wanted[parent].empty())
        m_pages[parent]->fetch(columns, EntrySelection(std::move(wanted[parent])));
  }
  [[nodiscard]] detail::PageRange pages(TableNumber group, std::uint64_t entry) override {
    const ParentRun& run = runOf(entry);
    detail::PageRange range = m_pages[run.parent]->pages(group, entry);
    range.firstEntry = std::max(range.firstEntry, run.entries.first);
    range.lastEntry = std::min(range.lastEntry, run.entries.last);
    return range;
  }
  void read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
            detail::Page& page) override {
    m_pages[runOf(range.firstEntry).parent]->read(column, range, values, page);
  }

private:
  [[nodiscard]] const ParentRun& runOf(std::uint64_t entry) const {
    return *std::ranges::upper_bound(m_source.m_ancestry.runs, entry, {},
                                     [](const ParentRun& run) { return run.entries.last; });
  }

  const ParentSource& m_source;
  std::vector<std::unique_ptr<PickedPages>> m_pages; // by parent
};

std::unique_ptr<detail::Cursor> ParentSource::cursor() const {
  return std::make_unique<Reading>(*this);
}

/// The parents' entries of one category, as a file. It has the documents of the parents, which are
/// their models and the names of their own parents; of documents with the same name, the first one.
/// Metadata are the child's, if it has any: they were merged from those of all its parents.
class ParentFile final : public detail::WrappedFile {
public:
  ParentFile(std::shared_ptr<const File> child, std::string category,
             std::vector<std::shared_ptr<const File>> parents, Ancestry ancestry)
      : detail::WrappedFile(parents.front()), m_child(std::move(child)),
        m_category(std::move(category)), m_parents(std::move(parents)) {
    std::vector<const Source*> sources;
    for (const auto& parent : m_parents)
      sources.push_back(&parent->category(m_category));
    m_uniform.emplace(std::move(sources));
    m_source.emplace(m_child->name() + ":" + m_category, std::move(ancestry), m_uniform->sources(),
                     m_child->category(m_category).clusters());
  }
  [[nodiscard]] const std::string& name() const noexcept override { return m_child->name(); }
  [[nodiscard]] std::uint64_t id() const noexcept override { return m_child->id(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept override { return m_child->bytes(); }
  [[nodiscard]] bool isComplete() const noexcept override { return m_child->isComplete(); }
  [[nodiscard]] std::vector<Overhead> overheads() const override { return m_child->overheads(); }
  [[nodiscard]] std::vector<std::string> categories() const override { return {m_category}; }
  [[nodiscard]] const Source& category(std::string_view wanted) const override {
    return wanted == m_category ? *m_source : wrapped()->category(wanted);
  }
  [[nodiscard]] std::vector<std::string> documents() const override {
    Names names;
    for (const auto& parent : m_parents)
      names.merge(namesOf(*parent));
    if (hasMetadata())
      names.emplace(detail::metadataDocument);
    return {names.begin(), names.end()};
  }
  [[nodiscard]] std::string document(std::string_view wanted) const override {
    if (wanted == detail::metadataDocument && hasMetadata())
      return m_child->document(wanted);
    const auto has = [&](const auto& parent) { return namesOf(*parent).contains(wanted); };
    const auto first = std::ranges::find_if(m_parents, has);
    return (first == m_parents.end() ? m_parents.front() : *first)->document(wanted);
  }

private:
  using Names = std::set<std::string, std::less<>>;
  [[nodiscard]] static Names namesOf(const File& file) {
    const std::vector<std::string> names = file.documents();
    return {names.begin(), names.end()};
  }
  [[nodiscard]] bool hasMetadata() const {
    return namesOf(*m_child).contains(detail::metadataDocument);
  }

  std::shared_ptr<const File> m_child;
  std::string m_category;
  std::vector<std::shared_ptr<const File>> m_parents;
  std::optional<UniformSources> m_uniform;
  std::optional<ParentSource> m_source;
};

std::shared_ptr<const File> parentsOf(std::shared_ptr<const File> file, std::string_view category,
                                      const OpenOptions& options, unsigned lists) {
  if (lists > mostLists)
    fail(ErrorKind::corrupt, file->name(),
         ": is a list of entries of other lists, nested more than ", mostLists, " deep");
  Ancestry ancestry = ancestryOf(file->category(category));
  if (ancestry.ids.empty())
    ancestry.ids = anySource(*file);
  if (ancestry.ids.empty())
    fail(ErrorKind::usage, file->name(), ": '", category, "' has no entries, and so no parents");
  std::vector<std::shared_ptr<const File>> parents;
  for (const std::uint64_t id : ancestry.ids)
    parents.push_back(openParent(*file, id, options, lists + 1));
  return std::make_shared<ParentFile>(std::move(file), std::string(category), std::move(parents),
                                      std::move(ancestry));
}

std::shared_ptr<const File> withEntries(std::shared_ptr<const File> file,
                                        const OpenOptions& options, unsigned lists) {
  const std::vector<std::string> documents = file->documents();
  if (std::ranges::find(documents, listDocument) == documents.end())
    return file;
  const std::string category = file->document(listDocument);
  return parentsOf(std::move(file), category, options, lists);
}

} // namespace

std::shared_ptr<const File> parentsOf(std::shared_ptr<const File> file, std::string_view category,
                                      const OpenOptions& options) {
  return parentsOf(std::move(file), category, options, 0);
}

std::shared_ptr<const File> withEntries(std::shared_ptr<const File> file,
                                        const OpenOptions& options) {
  return withEntries(std::move(file), options, 0);
}

} // namespace kaon
