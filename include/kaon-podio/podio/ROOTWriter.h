#pragma once

#include <podio/Writer.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace podio {

/// Writes podio's format in RNTuples if the path ends in ".root", and otherwise the format that
/// kaon::Writer chooses. As in podio, all frames of a category have the collections of its first.
class ROOTWriter : public Writer {
public:
  ROOTWriter(const std::string& path) : Writer(path, path.ends_with(".root") ? "podio" : "") {}

  /// Throw kaon::Error, a std::runtime_error, for other collections than those of the first frame.
  void writeFrame(const kaon::Frame& frame, std::string_view category) {
    writeFrame(frame, category, collectionsOf(frame, category));
  }
  void writeFrame(const kaon::Frame& frame, std::string_view category,
                  const std::vector<std::string>& collections) {
    const auto [missing, superfluous] = checkConsistency(collections, category);
    if (m_written.contains(category) && !(missing.empty() && superfluous.empty()))
      kaon::fail(kaon::ErrorKind::usage, "Trying to write category '", category,
                 "' with inconsistent collection content. missing: ", listed(missing),
                 ", superfluous: ", listed(superfluous));
    const std::vector<std::string> available = frame.getAvailableCollections();
    for (const std::string& name : collections)
      if (std::ranges::find(available, name) == available.end())
        kaon::fail(kaon::ErrorKind::name, "Collection '", name, "' in category '", category,
                   "' is not available in Frame");
    Writer::writeFrame(frame, category, collections);
    m_written.try_emplace(std::string(category), collections);
  }
  void writeEvent(const kaon::Frame& frame) { writeFrame(frame, Category::Event); }
  void writeEvent(const kaon::Frame& frame, const std::vector<std::string>& collections) {
    writeFrame(frame, Category::Event, collections);
  }

  /// Returns the collections that the category has but the list lacks, and the reverse.
  [[nodiscard]] std::tuple<std::vector<std::string>, std::vector<std::string>>
  checkConsistency(const std::vector<std::string>& collections, std::string_view category) const {
    const auto written = m_written.find(category);
    const std::vector<std::string> known =
        written == m_written.end() ? std::vector<std::string>() : written->second;
    return {without(known, collections), without(collections, known)};
  }

private:
  /// Returns the collections to write of a frame: all, and those that earlier frames had.
  [[nodiscard]] std::vector<std::string> collectionsOf(const kaon::Frame& frame,
                                                       std::string_view category) const {
    std::vector<std::string> all = frame.getAvailableCollections();
    if (const auto written = m_written.find(category); written != m_written.end())
      for (const std::string& name : without(written->second, all))
        all.push_back(name);
    return all;
  }
  [[nodiscard]] static std::vector<std::string> without(const std::vector<std::string>& names,
                                                        const std::vector<std::string>& others) {
    std::vector<std::string> rest;
    std::ranges::copy_if(names, std::back_inserter(rest), [&](const std::string& name) {
      return std::ranges::find(others, name) == others.end();
    });
    return rest;
  }
  [[nodiscard]] static std::string listed(const std::vector<std::string>& names) {
    std::string text = "[";
    for (const std::string& name : names)
      text += (text.size() > 1 ? ", " : "") + name;
    return text + "]";
  }
  std::map<std::string, std::vector<std::string>, std::less<>> m_written; // by category
};

} // namespace podio
