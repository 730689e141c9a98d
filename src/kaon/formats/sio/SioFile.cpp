#include <kaon/formats/sio/SioFile.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/formats/sio/FileContent.h>
#include <kaon/formats/sio/SioContainer.h>
#include <kaon/formats/sio/SioSource.h>
#include <kaon/formats/sio/lcio/FileIndex.h>
#include <kaon/formats/sio/lcio/LcioContent.h>
#include <kaon/formats/sio/podio/PodioContent.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::sio {
namespace {

FileContent contentOf(const SioContainer& container) {
  if (podio::isPodioFile(container))
    return podio::contentOf(container);
  if (lcio::isLcioFile(container))
    return lcio::contentOf(container);
  fail(ErrorKind::version, container.name(),
       ": is a SIO file, but neither of LCIO nor of podio: ", "its first record is '",
       container.nameOf(container.records().front()), "'");
}

SioContainer containerOf(std::unique_ptr<io::ByteSource> bytes, const OpenOptions& options) {
  std::vector<std::uint64_t> headers;
  if (bytes->isDistant())
    headers = lcio::indexedPositions(*bytes);
  return {std::move(bytes), options, headers};
}

class SioFile final : public File {
public:
  SioFile(std::unique_ptr<io::ByteSource> bytes, const OpenOptions& options)
      : m_container(containerOf(std::move(bytes), options)), m_content(contentOf(m_container)) {}

  [[nodiscard]] const std::string& name() const noexcept override { return m_container.name(); }
  [[nodiscard]] std::string_view format() const noexcept override { return m_content.format; }
  [[nodiscard]] std::uint64_t bytes() const noexcept override { return m_container.bytes().size(); }
  [[nodiscard]] std::uint64_t id() const noexcept override { return m_container.id(); }
  [[nodiscard]] bool isComplete() const noexcept override {
    return m_container.isComplete() && !m_content.isCut;
  }

  [[nodiscard]] std::vector<std::string> categories() const override {
    return m_content.categories;
  }
  [[nodiscard]] const Source& category(std::string_view name) const override {
    if (std::ranges::find(m_content.categories, name) == m_content.categories.end())
      fail(ErrorKind::name, this->name(), ": has no category '", name, "'",
           suggestion(name, categories()));
    const std::lock_guard lock(m_mutex);
    auto& source = m_sources[std::string(name)];
    if (!source)
      source = std::make_unique<SioSource>(m_content.open(name));
    return *source;
  }

  [[nodiscard]] std::vector<std::string> documents() const override {
    std::vector<std::string> names;
    for (const auto& [name, text] : m_content.documents)
      names.push_back(name);
    return names;
  }
  [[nodiscard]] std::string document(std::string_view name) const override {
    const auto document = m_content.documents.find(name);
    if (document == m_content.documents.end())
      fail(ErrorKind::name, this->name(), ": has no document '", name, "'",
           suggestion(name, documents()));
    return document->second;
  }

private:
  SioContainer m_container;
  FileContent m_content;
  mutable std::mutex m_mutex; // guards m_sources
  mutable std::map<std::string, std::unique_ptr<SioSource>, std::less<>> m_sources;
};

} // namespace

std::unique_ptr<File> openSioFile(std::unique_ptr<io::ByteSource> bytes,
                                  const OpenOptions& options) {
  return std::make_unique<SioFile>(std::move(bytes), options);
}

} // namespace kaon::sio
