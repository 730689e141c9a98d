#pragma once

#include <podio/Reader.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace podio {

/// An entry that becomes a frame, `podio::Frame(std::move(entry))`. It equals nullptr if there is
/// no entry.
class Entry : public std::optional<kaon::Frame> {
public:
  using optional::optional;
  /// Throws kaon::Error if there is no entry.
  operator kaon::Frame() && {
    if (!has_value())
      kaon::fail(kaon::ErrorKind::usage, "cannot make a frame: the entry does not exist");
    return std::move(**this);
  }
  bool operator==(std::nullptr_t) const noexcept { return !has_value(); }
};

/// A file of any format, whose entries become frames:
/// `podio::Frame(reader.readNextEntry("events"))`. Each collection is read on demand. For one
/// thread.
class ROOTReader {
public:
  /// Throws kaon::Error, a std::runtime_error.
  void openFile(const std::string& path) {
    m_known.clear();
    m_next.clear();
    m_reader.emplace(path);
    m_known = m_reader->getAvailableCategories();
  }
  /// Returns an empty Entry behind the last entry, and for unknown categories. Collections are
  /// chosen as in Reader.
  [[nodiscard]] Entry readNextEntry(const std::string& category,
                                    const std::vector<std::string>& collsToRead = {}) {
    return readEntry(category, m_next[category], collsToRead);
  }
  /// Returns an entry by its number, or an empty Entry. readNextEntry() continues behind it.
  [[nodiscard]] Entry readEntry(const std::string& category, std::size_t number,
                                const std::vector<std::string>& collsToRead = {}) {
    if (number >= getEntries(category))
      return {};
    m_next[category] = number + 1;
    return m_reader->readFrame(category, number, collsToRead);
  }
  /// Returns 0 for unknown categories.
  [[nodiscard]] std::size_t getEntries(const std::string& category) const {
    return std::ranges::find(m_known, category) == m_known.end() ? 0
                                                                 : m_reader->getEntries(category);
  }
  [[nodiscard]] std::vector<std::string> getAvailableCategories() const { return m_known; }
  /// See Reader::currentFileVersion(). These throw kaon::Error if no file is open.
  [[nodiscard]] version::Version currentFileVersion() const {
    return openReader().currentFileVersion();
  }
  [[nodiscard]] std::optional<version::Version> currentFileVersion(const std::string& model) const {
    return openReader().currentFileVersion(model);
  }

private:
  [[nodiscard]] const Reader& openReader() const {
    if (!m_reader)
      kaon::fail(kaon::ErrorKind::usage, "this reader has no open file");
    return *m_reader;
  }
  std::optional<Reader> m_reader;
  std::vector<std::string> m_known; // categories
  std::map<std::string, std::size_t> m_next;
};

} // namespace podio
