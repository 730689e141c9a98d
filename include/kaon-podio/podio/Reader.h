#pragma once

#include <podio/FileVersion.h>
#include <podio/Frame.h>

#include <kaon/event/Reader.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace podio {

/// Reads the frames of a file one after another, or by number. Each collection is read on demand,
/// so you need not choose collections. If you choose some, the frame has only these; an empty list
/// means all. Throws kaon::Error, a std::runtime_error, for unknown categories, frames and
/// collections. For one thread.
class Reader {
public:
  explicit Reader(const std::string& path) : m_reader(path) {}

  [[nodiscard]] Frame readNextFrame(const std::string& category,
                                    const std::vector<std::string>& collsToRead = {}) {
    Frame frame = readFrame(category, m_next[category], collsToRead);
    ++m_next[category];
    return frame;
  }
  [[nodiscard]] Frame readNextEvent(const std::vector<std::string>& collsToRead = {}) {
    return readNextFrame(Category::Event, collsToRead);
  }
  [[nodiscard]] Frame readFrame(const std::string& category, std::size_t number,
                                const std::vector<std::string>& collsToRead = {}) const {
    const kaon::Category entries = m_reader[category];
    for (const std::string& name : collsToRead)
      (void)entries.source().schema().tableNamed(name); // throws for unknown names
    Frame frame = entries.at(number);
    if (!collsToRead.empty())
      for (const std::string& name : frame.getAvailableCollections())
        if (std::ranges::find(collsToRead, name) == collsToRead.end())
          frame.remove(name);
    return frame;
  }
  [[nodiscard]] Frame readEvent(std::size_t number,
                                const std::vector<std::string>& collsToRead = {}) const {
    return readFrame(Category::Event, number, collsToRead);
  }
  [[nodiscard]] std::size_t getEntries(const std::string& category) const {
    return m_reader[category].size();
  }
  [[nodiscard]] std::size_t getEvents() const { return getEntries(Category::Event); }
  [[nodiscard]] std::vector<std::string> getAvailableCategories() const {
    return m_reader.categories();
  }
  /// Returns the version of podio that wrote the file, or podio::version::build_version if podio
  /// did not.
  [[nodiscard]] version::Version currentFileVersion() const {
    return detail::podioVersionOf(m_reader);
  }
  /// Returns the version of a model, if the file has it.
  [[nodiscard]] std::optional<version::Version> currentFileVersion(const std::string& model) const {
    return detail::modelVersionOf(m_reader, model);
  }

private:
  kaon::Reader m_reader;
  std::map<std::string, std::size_t> m_next;
};

[[nodiscard]] inline Reader makeReader(const std::string& path) { return Reader(path); }

} // namespace podio
