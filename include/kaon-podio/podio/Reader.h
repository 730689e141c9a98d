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
    OpenCategory& open = categoryNamed(category);
    Frame frame = readFrom(open.entries, open.next, collsToRead);
    ++open.next;
    return frame;
  }
  [[nodiscard]] Frame readNextEvent(const std::vector<std::string>& collsToRead = {}) {
    return readNextFrame(Category::Event, collsToRead);
  }
  [[nodiscard]] Frame readFrame(const std::string& category, std::size_t number,
                                const std::vector<std::string>& collsToRead = {}) const {
    return readFrom(categoryNamed(category).entries, number, collsToRead);
  }
  [[nodiscard]] Frame readEvent(std::size_t number,
                                const std::vector<std::string>& collsToRead = {}) const {
    return readFrame(Category::Event, number, collsToRead);
  }
  [[nodiscard]] std::size_t getEntries(const std::string& category) const {
    return categoryNamed(category).entries.size();
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
  struct OpenCategory {
    kaon::Category entries;
    std::size_t next = 0; // the frame that readNextFrame() reads
  };
  [[nodiscard]] OpenCategory& categoryNamed(const std::string& name) const {
    const auto known = m_open.find(name);
    return known != m_open.end()
               ? known->second
               : m_open.try_emplace(name, OpenCategory{m_reader[name]}).first->second;
  }
  [[nodiscard]] static Frame readFrom(const kaon::Category& entries, std::size_t number,
                                      const std::vector<std::string>& collsToRead) {
    for (const std::string& name : collsToRead)
      (void)entries.source().schema().tableNamed(name); // throws for unknown names
    Frame frame = entries.at(number);
    if (!collsToRead.empty())
      for (const std::string& name : frame.getAvailableCollections())
        if (std::ranges::find(collsToRead, name) == collsToRead.end())
          frame.remove(name);
    return frame;
  }

  kaon::Reader m_reader;
  mutable std::map<std::string, OpenCategory> m_open; // categories that were used
};

[[nodiscard]] inline Reader makeReader(const std::string& path) { return Reader(path); }

} // namespace podio
