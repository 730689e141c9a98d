#pragma once

#include <podio/FileVersion.h>
#include <podio/FrameData.h>

#include <kaon/base/Error.h>
#include <kaon/event/Reader.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace podio {

/// The files of a reader, of any format that kaon reads: the base of ROOTReader and its like.
/// Several files are read as one. Each collection is read on demand, so you need not choose
/// collections. If you choose some, the frame has only these; an empty list means all. For one
/// thread.
class FileReader {
public:
  FileReader() = default;
  FileReader(FileReader&&) = default;
  FileReader& operator=(FileReader&&) = default;

  /// Throw kaon::Error, a std::runtime_error.
  void openFile(const std::string& path) { openFiles({path}); }
  void openFiles(const std::vector<std::string>& paths) {
    std::vector<kaon::Reader> readers;
    for (const std::string& path : paths)
      readers.emplace_back(path);
    m_readers = std::move(readers);
    m_known = first().categories();
    m_open.clear();
    m_models.reset();
  }

  /// Returns null behind the last entry, and for unknown categories. Throws kaon::Error for unknown
  /// collections.
  [[nodiscard]] std::unique_ptr<FrameData>
  readNextEntry(std::string_view category, const std::vector<std::string>& collsToRead = {}) {
    OpenCategory* const open = find(category);
    return open ? readEntry(category, open->next, collsToRead) : nullptr;
  }
  /// Returns an entry by its number, or null. readNextEntry() continues behind it.
  [[nodiscard]] std::unique_ptr<FrameData>
  readEntry(std::string_view category, std::size_t entry,
            const std::vector<std::string>& collsToRead = {}) {
    OpenCategory* const open = find(category);
    if (!open || entry >= open->size())
      return nullptr;
    auto data = std::make_unique<FrameData>(open->read(entry, collsToRead));
    open->next = entry + 1;
    return data;
  }
  /// Returns 0 for unknown categories.
  [[nodiscard]] unsigned getEntries(std::string_view category) const {
    const OpenCategory* const open = find(category);
    return open ? static_cast<unsigned>(open->size()) : 0;
  }
  /// Returns the categories of the first file; valid until the next file is opened.
  [[nodiscard]] std::vector<std::string_view> getAvailableCategories() const {
    return {m_known.begin(), m_known.end()};
  }
  /// Returns the version of podio that wrote the first file, or podio::version::build_version if
  /// podio did not.
  [[nodiscard]] version::Version currentFileVersion() const {
    return detail::podioVersionOf(first());
  }
  /// Returns the version of a model, if the file has it.
  [[nodiscard]] std::optional<version::Version> currentFileVersion(std::string_view model) const {
    const kaon::detail::ModelDefinition* const known = definition(model);
    return known ? detail::versionOf(known->version) : std::nullopt;
  }
  /// Returns the definition of a model as JSON, valid until the next file is opened; "{}" if the
  /// file lacks the model.
  [[nodiscard]] std::string_view getDatamodelDefinition(std::string_view model) const {
    const kaon::detail::ModelDefinition* const known = definition(model);
    return known ? std::string_view(known->definition) : "{}";
  }
  [[nodiscard]] std::vector<std::string> getAvailableDatamodels() const {
    std::vector<std::string> names;
    for (const kaon::detail::ModelDefinition& each : models())
      names.push_back(each.name);
    return names;
  }

private:
  /// A category in all files.
  struct OpenCategory {
    std::vector<kaon::Category> parts;
    std::vector<std::size_t> ends; // the entries of the parts so far
    std::size_t next = 0;          // the entry that readNextEntry() reads

    [[nodiscard]] std::size_t size() const { return ends.empty() ? 0 : ends.back(); }
    [[nodiscard]] kaon::Frame read(std::size_t entry,
                                   const std::vector<std::string>& collsToRead) const {
      const auto part =
          static_cast<std::size_t>(std::ranges::upper_bound(ends, entry) - ends.begin());
      const kaon::Category& entries = parts[part];
      for (const std::string& name : collsToRead)
        (void)entries.source().schema().tableNamed(name); // throws for unknown names
      kaon::Frame frame = entries.at(entry - (part > 0 ? ends[part - 1] : 0));
      if (!collsToRead.empty())
        for (const std::string& name : frame.getAvailableCollections())
          if (std::ranges::find(collsToRead, name) == collsToRead.end())
            frame.remove(name);
      return frame;
    }
  };
  [[nodiscard]] OpenCategory* find(std::string_view name) const {
    if (const auto known = m_open.find(name); known != m_open.end())
      return &known->second;
    if (std::ranges::find(m_known, name) == m_known.end())
      return nullptr;
    OpenCategory open;
    for (const kaon::Reader& reader : m_readers) {
      const std::vector<std::string> categories = reader.categories();
      if (std::ranges::find(categories, name) == categories.end())
        continue;
      open.parts.push_back(reader[name]);
      open.ends.push_back(open.size() + open.parts.back().size());
    }
    return &m_open.emplace(name, std::move(open)).first->second;
  }
  [[nodiscard]] const kaon::Reader& first() const {
    if (m_readers.empty())
      kaon::fail(kaon::ErrorKind::usage, "this reader has no open file");
    return m_readers.front();
  }

  [[nodiscard]] const std::vector<kaon::detail::ModelDefinition>& models() const {
    if (!m_models)
      m_models = detail::modelsOf(first());
    return *m_models;
  }
  [[nodiscard]] const kaon::detail::ModelDefinition* definition(std::string_view model) const {
    const auto found = std::ranges::find(models(), model, &kaon::detail::ModelDefinition::name);
    return found == models().end() ? nullptr : &*found;
  }

  std::vector<kaon::Reader> m_readers;
  std::vector<std::string> m_known;                                // categories
  mutable std::map<std::string, OpenCategory, std::less<>> m_open; // categories that were used
  mutable std::optional<std::vector<kaon::detail::ModelDefinition>> m_models; // of the first file
};

} // namespace podio
