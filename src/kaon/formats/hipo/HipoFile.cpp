#include <kaon/formats/hipo/HipoFile.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/formats/hipo/HipoContainer.h>
#include <kaon/formats/hipo/HipoSource.h>
#include <kaon/model/Metadata.h>

#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace kaon::hipo {
namespace {

class HipoFile final : public File {
public:
  HipoFile(std::unique_ptr<io::ByteSource> bytes, const OpenOptions& options)
      : m_container(std::move(bytes), options) {}

  [[nodiscard]] const std::string& name() const noexcept override { return m_container.name(); }
  [[nodiscard]] std::string_view format() const noexcept override { return "hipo"; }
  [[nodiscard]] std::uint64_t bytes() const noexcept override { return m_container.bytes().size(); }
  [[nodiscard]] std::uint64_t id() const noexcept override { return m_container.id(); }
  [[nodiscard]] bool isComplete() const noexcept override { return m_container.isComplete(); }
  [[nodiscard]] std::vector<std::string> categories() const override {
    return {std::string(eventsCategory)};
  }

  [[nodiscard]] const Source& category(std::string_view name) const override {
    if (name != eventsCategory)
      fail(ErrorKind::name, this->name(), ": has no category '", name, "', only 'events'",
           suggestion(name, categories()));
    const std::lock_guard lock(m_mutex);
    if (!m_source)
      m_source = std::make_unique<HipoSource>(m_container);
    return *m_source;
  }

  [[nodiscard]] std::vector<std::string> documents() const override {
    return {std::string(detail::metadataDocument)};
  }
  /// Returns the user configuration, with the group and item of each bank.
  [[nodiscard]] std::string document(std::string_view name) const override {
    if (name != detail::metadataDocument)
      fail(ErrorKind::name, this->name(), ": has no document '", name, "'",
           suggestion(name, documents()));
    Metadata metadata;
    const HipoDictionary& dictionary = m_container.dictionary();
    for (const auto& [key, value] : dictionary.configuration)
      metadata.set(key, value);
    Metadata& events = metadata.part(eventsCategory);
    for (const BankDescription& bank : dictionary.banks) {
      Metadata& part = events.part(bank.name);
      part.set(groupKey, bank.group, "first");
      part.set(itemKey, bank.item, "first");
    }
    return metadata.toJson();
  }

  [[nodiscard]] std::vector<Overhead> overheads() const override {
    return {{"", "dictionary", m_container.dictionaryBytes()},
            {"", "index", m_container.indexBytes()}};
  }

private:
  HipoContainer m_container;
  mutable std::mutex m_mutex; // guards m_source
  mutable std::unique_ptr<HipoSource> m_source;
};

} // namespace

std::unique_ptr<File> openHipoFile(std::unique_ptr<io::ByteSource> bytes,
                                   const OpenOptions& options) {
  return std::make_unique<HipoFile>(std::move(bytes), options);
}

} // namespace kaon::hipo
