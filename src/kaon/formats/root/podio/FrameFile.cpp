#include <kaon/formats/root/podio/FrameFile.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Warning.h>
#include <kaon/formats/root/podio/FrameSource.h>
#include <kaon/formats/root/podio/RootFileDescription.h>

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::root::podio {
namespace {

class FrameFile final : public File {
public:
  FrameFile(std::unique_ptr<File> stored, const RootFileDescription& description)
      : m_stored(std::move(stored)), m_collections(description.categories) {
    std::map<std::string, std::string, std::less<>> added; // if kaon wrote it
    for (const std::string& name : m_stored->documents())
      added.emplace(name, m_stored->document(name));
    PodioDocuments documents = podioDocuments(description, std::move(added), m_stored->name());
    m_documents = std::move(documents.texts);
    m_datatypes.emplace(std::move(documents.models));
  }

  [[nodiscard]] const std::string& name() const noexcept override { return m_stored->name(); }
  [[nodiscard]] std::string_view format() const noexcept override { return m_stored->format(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept override { return m_stored->bytes(); }
  [[nodiscard]] std::uint64_t id() const noexcept override { return m_stored->id(); }
  [[nodiscard]] bool isComplete() const noexcept override { return m_stored->isComplete(); }
  [[nodiscard]] std::vector<Overhead> overheads() const override { return m_stored->overheads(); }
  [[nodiscard]] const ObjectStore* objectStore() const noexcept override {
    return m_stored->objectStore();
  }

  [[nodiscard]] std::vector<std::string> categories() const override {
    std::vector<std::string> names = m_stored->categories();
    std::erase(names, metadataCategory);
    return names;
  }

  [[nodiscard]] const Source& category(std::string_view name) const override {
    const Source& stored = m_stored->category(name);
    const auto collections = m_collections.find(name.substr(0, name.find(';')));
    if (collections == m_collections.end())
      return stored;
    const std::lock_guard lock(m_mutex);
    const auto known = m_categories.find(&stored);
    if (known != m_categories.end())
      return *known->second;
    auto frames = std::make_unique<FrameSource>(
        stored, makeFrameTables(stored, collections->second, *m_datatypes));
    return *m_categories.emplace(&stored, std::move(frames)).first->second;
  }

  [[nodiscard]] std::vector<std::string> documents() const override {
    std::vector<std::string> names;
    for (const auto& [name, text] : m_documents)
      names.push_back(name);
    return names;
  }

  [[nodiscard]] std::string document(std::string_view name) const override {
    const auto document = m_documents.find(name);
    if (document == m_documents.end())
      fail(ErrorKind::name, this->name(), ": has no document '", name, "'",
           suggestion(name, documents()));
    return document->second;
  }

private:
  std::unique_ptr<File> m_stored;
  std::map<std::string, std::vector<CollectionDescription>, std::less<>> m_collections;
  std::map<std::string, std::string, std::less<>> m_documents;
  std::optional<ModelDatatypes> m_datatypes;
  mutable std::mutex m_mutex; // guards m_categories
  mutable std::map<const Source*, std::unique_ptr<FrameSource>> m_categories;
};

/// Whether a file has the numbers of collections where podio stored them before version 0.15.
bool isOfEarlyPodio(const File& file, const std::vector<std::string>& categories) {
  constexpr std::string_view earlyCategory = "metadata", numbers = "CollectionIDs.m_names";
  if (std::ranges::find(categories, earlyCategory) == categories.end())
    return false;
  try {
    return file.category(earlyCategory).schema().find(numbers) != Table::none;
  } catch (const Error&) { // reported when the category is read
    return false;
  }
}

} // namespace

std::unique_ptr<File> withFrames(std::unique_ptr<File> file) {
  const std::vector<std::string> names = file->categories();
  if (std::ranges::find(names, metadataCategory) == names.end()) {
    if (isOfEarlyPodio(*file, names))
      warn(WarningKind::unreadMember,
           file->name() + ": was written by podio before version 0.15, whose collections kaon does "
                          "not know; the file is read as plain tables");
    return file;
  }
  std::optional<RootFileDescription> description;
  try {
    description = describeFile(file->category(metadataCategory));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::version)
      throw;
    warn(WarningKind::unreadMember,
         std::string(error.what()) + "; the file is read as plain tables");
    return file;
  }
  return std::make_unique<FrameFile>(std::move(file), *description);
}

} // namespace kaon::root::podio
