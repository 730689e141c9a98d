#include <kaon/formats/root/podio/RootFileDescription.h>

#include <kaon/base/Error.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/model/PodioDefinition.h>
#include <kaon/detail/reading/Window.h>
#include <kaon/formats/root/podio/FrameNames.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace kaon::root::podio {
namespace {

constexpr std::string_view namesSuffix = "___idTable";
/// Earlier versions name the branches of relations and vector members by numbers.
constexpr detail::PodioVersion firstKnown = {0, 16, 99};

/// Reads the tables of the single entry.
class MetadataReader {
public:
  explicit MetadataReader(const Source& source) : m_source(source), m_window(source) {
    if (source.entries() == 0)
      fail(ErrorKind::corrupt, source.name(), ": has no entry; the file is damaged");
  }

  [[nodiscard]] RootFileDescription describe() {
    RootFileDescription file;
    for (const Table& table : m_source.schema().tables())
      if (table.isRoot() && table.name.ends_with(collectionsSuffix))
        addCategory(table.name.substr(0, table.name.size() - collectionsSuffix.size()), file);
    if (file.categories.empty() && m_source.schema().find(availableCategories) == Table::none)
      fail(ErrorKind::version, m_source.name(), ": does not list any collections");
    file.version = version(std::string(buildVersion));
    if (const auto podio = detail::podioVersionOf(file.version); podio && *podio < firstKnown)
      fail(ErrorKind::version, m_source.name(), ": was written by podio ", file.version,
           ", whose relations kaon does not know; kaon knows podio from version 0.17 on");
    const std::string table(definitions);
    const auto names = texts(table, table + "._0"), models = texts(table, table + "._1");
    if (names.size() > mostPodioModels)
      fail(ErrorKind::corrupt, m_source.name(), ": has ", names.size(), " models, more than ",
           mostPodioModels, "; the file is damaged");
    for (std::size_t i = 0; i < names.size(); ++i)
      file.add({names[i], models[i], version(names[i] + std::string(versionSuffix))});
    return file;
  }

private:
  /// Until podio 1.2, the descriptions were tuples and did not contain the names.
  void addCategory(std::string_view category, RootFileDescription& file) {
    const std::string table = std::string(category) + std::string(collectionsSuffix);
    const bool areTuples = m_source.schema().find(table + ".name") == Table::none;
    const auto ids = values<std::uint32_t>(table, areTuples ? "_0" : "collectionID");
    const auto types = texts(table, table + (areTuples ? "._1" : ".dataType"));
    const auto subsets = values<std::uint8_t>(table, areTuples ? "_2" : "isSubset");
    const auto names = areTuples ? namesOf(ids, std::string(category) + std::string(namesSuffix))
                                 : texts(table, table + ".name");
    auto& collections = file.categories[std::string(category)];
    for (std::size_t i = 0; i < names.size(); ++i)
      collections.push_back(
          {.id = ids[i], .name = names[i], .type = types[i], .isSubset = subsets[i] != 0});
  }

  [[nodiscard]] std::vector<std::string> namesOf(const std::vector<std::uint32_t>& ids,
                                                 const std::string& table) {
    const std::string list = table + ".m_names";
    const auto known = values<std::uint32_t>(table + ".m_collectionIDs", "");
    const auto names = texts(list, list + ".text");
    std::unordered_map<std::uint32_t, std::size_t> places;
    for (std::size_t place = 0; place < std::min(known.size(), names.size()); ++place)
      places.emplace(known[place], place);
    std::vector<std::string> all;
    for (const std::uint32_t id : ids) {
      const auto place = places.find(id);
      if (place == places.end())
        fail(ErrorKind::corrupt, m_source.name(), ": '", table, "' has no collection ", id,
             "; the file is damaged");
      all.push_back(names[place->second]);
    }
    return all;
  }

  [[nodiscard]] std::uint32_t find(const std::string& name) const {
    const TableNumber number = m_source.schema().find(name);
    if (number == Table::none)
      fail(ErrorKind::version, m_source.name(), ": has no '", name,
           "': another version of podio wrote the file");
    return number;
  }

  /// Returns the strings in another table for the rows of a table.
  [[nodiscard]] std::vector<std::string> texts(const std::string& table, const std::string& text) {
    const std::uint32_t root = find(table), number = find(text);
    const Table info = m_source.schema().table(number);
    if (info.parent != root || !info.isCounted() || info.members.size() != 1 ||
        info.members[0].size() != 1)
      fail(ErrorKind::version, m_source.name(), ": '", info.name, "' is not a text");
    const auto [first, last] = m_window.rows(root, 0);
    const auto offsets = m_window.offsets(number, 0);
    const ColumnView characters = m_window.member(number, 0, 0);
    std::vector<std::string> all;
    for (std::size_t row = first; row < last; ++row)
      all.emplace_back(detail::valuesAt<char>(characters.base) + offsets[row],
                       offsets[row + 1] - offsets[row]);
    return all;
  }

  /// Returns the values of a member for each row of a table.
  template <class T>
  [[nodiscard]] std::vector<T> values(const std::string& table, std::string_view member) {
    const std::uint32_t number = find(table);
    const Table info = m_source.schema().table(number);
    const std::uint32_t place = info.members.find(member);
    if (place == info.members.size() || info.members[place].size() != sizeof(T))
      fail(ErrorKind::version, m_source.name(), ": '", table, "' lacks '", member,
           "', or has it with another type");
    const auto [first, last] = m_window.rows(number, 0);
    const ColumnView column = m_window.member(number, place, 0);
    std::vector<T> all(last - first);
    for (std::size_t row = first; row < last; ++row)
      std::memcpy(&all[row - first], column.at(row), sizeof(T));
    return all;
  }

  /// Returns a version. Trees store it as members, RNTuples as numbers. Returns "" if it is
  /// missing.
  [[nodiscard]] std::string version(const std::string& name) {
    const TableNumber number = m_source.schema().find(name);
    if (number == Table::none)
      return "";
    std::string text;
    for (const Member& member : m_source.schema().table(number).members) {
      if (member.type != Scalar::UInt16 || member.extent != 1)
        return "";
      for (const std::uint16_t part : values<std::uint16_t>(name, member.name))
        text.append(text.empty() ? "" : ".").append(std::to_string(part));
    }
    return text;
  }

  const Source& m_source;
  detail::Window m_window;
};

} // namespace

RootFileDescription describeFile(const Source& metadata) {
  return MetadataReader(metadata).describe();
}

} // namespace kaon::root::podio
