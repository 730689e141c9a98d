#include <kaon/formats/kaonfile/FileReader.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Warning.h>
#include <kaon/formats/kaonfile/CategorySource.h>
#include <kaon/formats/kaonfile/ContentsReader.h>
#include <kaon/formats/kaonfile/FileRecord.h>
#include <kaon/formats/kaonfile/SortedKeys.h>
#include <kaon/formats/kaonfile/SortedKeysName.h>
#include <kaon/formats/kaonfile/StoredObjects.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::kaonfile {
namespace {

class StoredFile final : public File {
public:
  StoredFile(std::unique_ptr<io::ByteSource> bytes, FileContents contents,
             const OpenOptions& options);

  [[nodiscard]] const std::string& name() const noexcept override { return m_bytes->name(); }
  [[nodiscard]] std::string_view format() const noexcept override { return "kaon"; }
  [[nodiscard]] std::uint64_t bytes() const noexcept override { return m_bytes->size(); }
  [[nodiscard]] std::vector<std::string> categories() const override;
  [[nodiscard]] const Source& category(std::string_view name) const override;
  [[nodiscard]] std::vector<std::string> documents() const override;
  [[nodiscard]] std::string document(std::string_view name) const override;
  [[nodiscard]] std::uint64_t id() const noexcept override { return m_file.id; }
  [[nodiscard]] bool isComplete() const noexcept override { return m_isComplete; }
  [[nodiscard]] std::vector<Overhead> overheads() const override;
  [[nodiscard]] bool hasOptionalsByValues() const override { return true; }
  [[nodiscard]] const ObjectStore* objectStore() const noexcept override { return &m_objects; }

private:
  void addCategories(std::vector<CategoryContents> categories, const OpenOptions& options);

  std::unique_ptr<io::ByteSource> m_bytes;
  FileIdentity m_file;
  bool m_isComplete = true;
  std::vector<std::unique_ptr<CategorySource>> m_categories;
  std::vector<std::string> m_categoryNames; // by number, including sorted keys
  std::map<std::string, StoredDocument, std::less<>> m_documents;
  StoredObjects m_objects;
};

StoredFile::StoredFile(std::unique_ptr<io::ByteSource> bytes, FileContents contents,
                       const OpenOptions& options)
    : m_bytes(std::move(bytes)), m_file(contents.file), m_isComplete(contents.warning.empty()),
      m_documents(std::move(contents.documents)), m_objects(*m_bytes, m_file, m_documents) {
  addCategories(std::move(contents.categories), options);
}

/// Attaches sorted keys to the categories that they belong to.
void StoredFile::addCategories(std::vector<CategoryContents> categories,
                               const OpenOptions& options) {
  for (const CategoryContents& category : categories)
    m_categoryNames.push_back(category.name);
  for (CategoryContents& category : categories)
    if (!isOfSortedKeys(category.name))
      m_categories.push_back(
          std::make_unique<CategorySource>(*m_bytes, m_file, std::move(category), options));
  for (CategoryContents& sorted : categories) {
    if (!isOfSortedKeys(sorted.name))
      continue;
    const auto owner =
        std::ranges::find_if(m_categories, [owner = ownerOfKeys(sorted.name)](const auto& each) {
          return each->categoryName() == owner;
        });
    if (owner != m_categories.end() && isWhole(sorted, (*owner)->contents()))
      (*owner)->setSortedKeys(
          std::make_unique<CategorySource>(*m_bytes, m_file, std::move(sorted), options));
  }
}

std::vector<std::string> StoredFile::categories() const {
  std::vector<std::string> names;
  for (const auto& category : m_categories)
    names.push_back(category->categoryName());
  return names;
}

const Source& StoredFile::category(std::string_view name) const {
  const auto place = std::ranges::find_if(
      m_categories, [&](const auto& category) { return category->categoryName() == name; });
  if (place == m_categories.end())
    fail(ErrorKind::name, this->name(), ": has no category '", name, "'",
         suggestion(name, categories()));
  return **place;
}

std::vector<std::string> StoredFile::documents() const {
  std::vector<std::string> names;
  for (const auto& [name, place] : m_documents)
    if (!name.starts_with(objectDocument))
      names.push_back(name);
  return names;
}

std::string StoredFile::document(std::string_view name) const {
  const auto document = m_documents.find(name);
  if (document == m_documents.end() || name.starts_with(objectDocument))
    fail(ErrorKind::name, this->name(), ": has no document '", name, "'",
         suggestion(name, documents()));
  return readDocument(*m_bytes, m_file.id, name, document->second);
}

/// Adds the sizes of all records but clusters of categories, up to the first damaged record.
std::vector<Overhead> StoredFile::overheads() const {
  std::vector<Overhead> all;
  for (const auto& category : m_categories)
    category->addOverheads(all);
  const auto add = [&](std::string_view what, std::uint64_t bytes) {
    const auto known = std::ranges::find_if(
        all, [&](const Overhead& each) { return each.category.empty() && each.what == what; });
    if (known != all.end())
      known->bytes += bytes;
    else
      all.push_back({"", std::string(what), bytes});
  };
  const auto isIndex = [this](const RecordHeader& header) {
    return header.kind == RecordKind::index || header.kind == RecordKind::end ||
           (header.kind == RecordKind::cluster && header.category < m_categoryNames.size() &&
            isOfSortedKeys(m_categoryNames[header.category]));
  };
  std::uint64_t position = aligned(sizeof(FileHeader));
  while (const auto header = recordAt(*m_bytes, m_file.id, position)) {
    if (header->kind == RecordKind::schema || header->kind == RecordKind::copy)
      add("schema", extentOf(*m_bytes, *header, position));
    else if (header->kind == RecordKind::document)
      add("documents", extentOf(*m_bytes, *header, position));
    else if (isIndex(*header))
      add("index", extentOf(*m_bytes, *header, position));
    position = behind(position, *header);
  }
  return all;
}

} // namespace

bool isKaonFile(std::span<const std::byte> firstBytes) noexcept {
  const auto magic = std::as_bytes(std::span(fileMagic));
  const std::size_t count = std::min(firstBytes.size(), magic.size()); // the file may be cut
  return std::ranges::equal(firstBytes.first(count), magic.first(count));
}

std::unique_ptr<File> openFile(std::unique_ptr<io::ByteSource> bytes, const OpenOptions& options) {
  FileContents contents = readContents(*bytes);
  const std::string warning = contents.warning;
  auto file = openContents(std::move(bytes), std::move(contents), options);
  if (!warning.empty())
    warn(WarningKind::incompleteFile, warning);
  return file;
}

std::unique_ptr<File> openContents(std::unique_ptr<io::ByteSource> bytes, FileContents contents,
                                   const OpenOptions& options) {
  return std::make_unique<StoredFile>(std::move(bytes), std::move(contents), options);
}

} // namespace kaon::kaonfile
