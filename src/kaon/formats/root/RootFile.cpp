#include <kaon/formats/root/RootFile.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Utf8.h>
#include <kaon/formats/root/RootDocuments.h>
#include <kaon/formats/root/RootObjects.h>
#include <kaon/formats/root/container/RootContainer.h>
#include <kaon/formats/root/ntuple/NTupleSource.h>
#include <kaon/formats/root/podio/FrameFile.h>
#include <kaon/formats/root/tree/TreeSource.h>
#include <kaon/model/SchemaDocument.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::root {
namespace {

/// The function that opens a category, by the class of the stored object.
struct Opener {
  std::string_view className;
  /// `stored` is kaon's own description of the tables, or "" if the file has none.
  std::unique_ptr<Source> (*open)(const RootContainer& container, const ListedObject& object,
                                  std::string_view stored);
};
constexpr std::array openers{
    Opener{"ROOT::RNTuple", openNTuple}, Opener{"ROOT::Experimental::RNTuple", openEarlyNTuple},
    Opener{"TTree", openTree}, Opener{"TNtuple", openTree}, Opener{"TNtupleD", openTree}};

const Opener* openerOf(const ListedObject& object) noexcept {
  const auto opener = std::ranges::find(openers, object.key.className, &Opener::className);
  return opener == openers.end() ? nullptr : &*opener;
}

/// Splits "Events;2" into "Events" and its cycle 2.
std::pair<std::string_view, std::optional<std::uint16_t>> splitCycle(std::string_view name) {
  const std::size_t mark = name.rfind(';');
  std::uint16_t cycle = 0;
  if (mark == std::string_view::npos)
    return {name, std::nullopt};
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + mark + 1, end, cycle);
  return error == std::errc{} && rest == end ? std::pair{name.substr(0, mark), std::optional(cycle)}
                                             : std::pair{name, std::optional<std::uint16_t>{}};
}

class RootFile final : public File {
public:
  RootFile(std::unique_ptr<io::ByteSource> bytes, const OpenOptions& options)
      : m_container(std::move(bytes), options) {
    std::vector<const ListedObject*> objects;
    for (const ListedObject& object : m_container.objects())
      if (!isUtf8(object.path) || object.path == documentsName)
        continue;
      else if (openerOf(object))
        m_categories.push_back(std::make_unique<Category>(object));
      else
        objects.push_back(&object);
    m_objects.emplace(m_container, std::move(objects));
  }

  [[nodiscard]] const std::string& name() const noexcept override { return m_container.name(); }
  [[nodiscard]] std::string_view format() const noexcept override { return "root"; }
  [[nodiscard]] std::uint64_t bytes() const noexcept override { return m_container.bytes().size(); }
  [[nodiscard]] std::uint64_t id() const noexcept override { return m_container.id(); }
  [[nodiscard]] bool isComplete() const noexcept override { return m_container.isComplete(); }

  [[nodiscard]] std::vector<std::string> categories() const override {
    std::vector<std::string> names;
    for (const auto& category : m_categories)
      if (names.empty() || names.back() != category->object.path) // the newest cycle comes first
        names.push_back(category->object.path);
    return names;
  }

  [[nodiscard]] const Source& category(std::string_view name) const override {
    auto place = find(name, std::nullopt);
    if (place == m_categories.end())
      if (const auto [path, cycle] = splitCycle(name); cycle)
        place = find(path, cycle);
    if (place == m_categories.end())
      fail(ErrorKind::name, this->name(), ": has no RNTuple or tree '", name, "'",
           suggestion(name, categories()));
    Category& category = **place;
    const std::lock_guard lock(category.mutex);
    if (!category.source) {
      const Documents& all = allDocuments();
      const auto stored = all.find(schemaDocumentName(category.object.path));
      category.source = openerOf(category.object)
                            ->open(m_container, category.object,
                                   stored == all.end() ? std::string_view() : stored->second);
    }
    return *category.source;
  }

  [[nodiscard]] std::vector<std::string> documents() const override {
    std::vector<std::string> names;
    for (const auto& [name, text] : allDocuments())
      if (!isSchemaDocument(name))
        names.push_back(name);
    return names;
  }

  [[nodiscard]] std::string document(std::string_view name) const override {
    const Documents& all = allDocuments();
    const auto document = all.find(name);
    if (document == all.end() || isSchemaDocument(name))
      fail(ErrorKind::name, this->name(), ": has no document '", name, "'",
           suggestion(name, documents()));
    return document->second;
  }

  [[nodiscard]] bool hasOptionalsByValues() const override {
    return std::ranges::any_of(allDocuments(),
                               [](const auto& each) { return isSchemaDocument(each.first); });
  }

  [[nodiscard]] const ObjectStore* objectStore() const noexcept override { return &*m_objects; }

private:
  struct Category {
    explicit Category(const ListedObject& listed) : object(listed) {}
    const ListedObject& object;
    std::mutex mutex; // guards `source`
    std::unique_ptr<Source> source;
  };

  [[nodiscard]] std::vector<std::unique_ptr<Category>>::const_iterator
  find(std::string_view path, std::optional<std::uint16_t> cycle) const {
    return std::ranges::find_if(m_categories, [&](const auto& category) {
      const ListedObject& object = category->object;
      return object.path == path && (!cycle || object.key.cycle == *cycle);
    });
  }

  /// Reads the documents on the first call.
  [[nodiscard]] const Documents& allDocuments() const {
    const std::lock_guard lock(m_documentsMutex);
    if (!m_documents)
      m_documents = readDocuments(m_container);
    return *m_documents;
  }

  RootContainer m_container;
  std::optional<RootObjects> m_objects;
  std::vector<std::unique_ptr<Category>> m_categories; // by path, the newest cycle first
  mutable std::mutex m_documentsMutex;                 // guards m_documents
  mutable std::optional<Documents> m_documents;
};

} // namespace

std::unique_ptr<File> openRootFile(std::unique_ptr<io::ByteSource> bytes,
                                   const OpenOptions& options) {
  return podio::withFrames(std::make_unique<RootFile>(std::move(bytes), options));
}

} // namespace kaon::root
