#pragma once

#include <podio/Frame.h>

#include <kaon/binding/EntryReader.h>
#include <kaon/event/Reader.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace podio {

/// A file of any format, whose entries become frames:
/// `podio::Frame(reader.readNextEntry("events"))`. Each collection is read when it is asked for.
/// For one thread.
class ROOTReader {
public:
  /// Throws kaon::Error, which is a std::runtime_error.
  void openFile(const std::string& path) {
    m_reader.emplace(path);
    m_next.clear();
  }
  /// Null where there are no more entries, or none of this category.
  [[nodiscard]] std::unique_ptr<kaon::EntryReader> readNextEntry(const std::string& category) {
    return readEntry(category, m_next[category]);
  }
  /// Likewise; the next one is that behind it.
  [[nodiscard]] std::unique_ptr<kaon::EntryReader> readEntry(const std::string& category,
                                                             std::size_t number) {
    if (number >= getEntries(category))
      return nullptr;
    m_next[category] = number + 1;
    const kaon::Category entries = (*m_reader)[category];
    return std::make_unique<kaon::EntryReader>(entries.file(), entries.source(), number);
  }
  /// 0 of a category that there is not.
  [[nodiscard]] std::size_t getEntries(const std::string& category) const {
    const std::vector<std::string> known = getAvailableCategories();
    return std::ranges::find(known, category) == known.end() ? 0 : (*m_reader)[category].size();
  }
  [[nodiscard]] std::vector<std::string> getAvailableCategories() const {
    return m_reader ? m_reader->categories() : std::vector<std::string>();
  }

private:
  std::optional<kaon::Reader> m_reader;
  std::map<std::string, std::size_t> m_next;
};

} // namespace podio
