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

/// A file whose frames are read one after another, or by number. Collections need not be chosen:
/// each is read when it is asked for. A frame of which only some are chosen is without the others;
/// none means all. Throws kaon::Error, which is a std::runtime_error, where there is no such
/// category, frame or collection. For one thread.
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
      (void)entries.source().schema().tableNamed(name); // fails for what is unknown
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
  /// Of the podio that wrote the file; podio::version::build_version where none did.
  [[nodiscard]] version::Version currentFileVersion() const {
    return detail::podioVersionOf(m_reader);
  }
  /// Of a model, if the file says that.
  [[nodiscard]] std::optional<version::Version> currentFileVersion(const std::string& model) const {
    return detail::modelVersionOf(m_reader, model);
  }

private:
  kaon::Reader m_reader;
  std::map<std::string, std::size_t> m_next;
};

[[nodiscard]] inline Reader makeReader(const std::string& path) { return Reader(path); }

} // namespace podio
