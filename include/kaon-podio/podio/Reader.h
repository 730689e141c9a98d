#pragma once

#include <podio/FileReader.h>
#include <podio/utilities/Glob.h>

#include <kaon/base/Error.h>

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace podio {

/// Reads the frames of files one after another, or by number: see FileReader. Throws kaon::Error, a
/// std::runtime_error, for unknown categories, frames and collections. For one thread.
class Reader {
public:
  /// Takes the files of a ROOTReader or its like.
  template <std::derived_from<FileReader> T>
  Reader(std::unique_ptr<T> reader) : m_files(std::move(*reader)) {}
  explicit Reader(const std::vector<std::string>& paths) { m_files.openFiles(paths); }
  explicit Reader(const std::string& path) { m_files.openFile(path); }

  [[nodiscard]] Frame readNextFrame(std::string_view category,
                                    const std::vector<std::string>& collsToRead = {}) {
    return existing(m_files.readNextEntry(category, collsToRead), category);
  }
  [[nodiscard]] Frame readNextEvent(const std::vector<std::string>& collsToRead = {}) {
    return readNextFrame(Category::Event, collsToRead);
  }
  [[nodiscard]] Frame readFrame(std::string_view category, std::size_t number,
                                const std::vector<std::string>& collsToRead = {}) {
    return existing(m_files.readEntry(category, number, collsToRead), category);
  }
  [[nodiscard]] Frame readEvent(std::size_t number,
                                const std::vector<std::string>& collsToRead = {}) {
    return readFrame(Category::Event, number, collsToRead);
  }
  [[nodiscard]] std::size_t getEntries(std::string_view category) const {
    return m_files.getEntries(category);
  }
  [[nodiscard]] std::size_t getEvents() const { return getEntries(Category::Event); }
  [[nodiscard]] std::vector<std::string_view> getAvailableCategories() const {
    return m_files.getAvailableCategories();
  }
  [[nodiscard]] version::Version currentFileVersion() const { return m_files.currentFileVersion(); }
  [[nodiscard]] std::optional<version::Version> currentFileVersion(std::string_view model) const {
    return m_files.currentFileVersion(model);
  }
  [[nodiscard]] std::string_view getDatamodelDefinition(std::string_view model) const {
    return m_files.getDatamodelDefinition(model);
  }
  [[nodiscard]] std::vector<std::string> getAvailableDatamodels() const {
    return m_files.getAvailableDatamodels();
  }

private:
  [[nodiscard]] static Frame existing(std::unique_ptr<FrameData> data, std::string_view category) {
    if (!data)
      kaon::fail(kaon::ErrorKind::usage, "the frame does not exist in the category '", category,
                 "'");
    return std::move(data->frame);
  }
  FileReader m_files;
};

/// Open one file, all that match a pattern such as "run_*.root", or several.
[[nodiscard]] inline Reader makeReader(const std::vector<std::string>& paths) {
  return Reader(paths);
}
[[nodiscard]] inline Reader makeReader(const std::string& path) {
  return Reader(utils::expand_glob(path));
}

} // namespace podio
