#include <kaon/formats/root/podio/FileDescription.h>

#include <kaon/base/Error.h>
#include <kaon/batch/Window.h>

#include <cstring>
#include <optional>
#include <set>

namespace kaon::root::podio {
namespace {

constexpr std::string_view collectionsSuffix = "___CollectionTypeInfo";
constexpr std::string_view versionSuffix = "___Version";
constexpr std::string_view definitions = "EDMDefinitions";

/// The tables of the one entry there is.
class Metadata {
public:
  explicit Metadata(const Source& source) : m_source(source), m_window(source) {
    if (source.entries() == 0)
      fail(ErrorKind::corrupt, source.name(), ": has no entry; the file is damaged");
  }

  [[nodiscard]] FileDescription describe() {
    FileDescription file;
    for (const Table& table : m_source.schema().tables())
      if (table.isRoot() && table.name.ends_with(collectionsSuffix))
        file.categories.emplace(table.name.substr(0, table.name.size() - collectionsSuffix.size()),
                                collections(std::string(table.name)));
    if (file.categories.empty())
      fail(ErrorKind::version, m_source.name(), ": says nothing of any collections");
    file.version = version("PodioBuildVersion");
    const std::string table(definitions);
    const auto names = texts(table, "_0"), texts = this->texts(table, "_1");
    std::set<std::string_view> known;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (known.insert(names[i]).second)
        file.models.push_back({names[i], texts[i], version(names[i] + std::string(versionSuffix))});
    return file;
  }

private:
  [[nodiscard]] std::vector<CollectionDescription> collections(const std::string& table) {
    const auto names = texts(table, "name"), types = texts(table, "dataType");
    const auto ids = values<std::uint32_t>(table, "collectionID");
    const auto subsets = values<std::uint8_t>(table, "isSubset");
    std::vector<CollectionDescription> all;
    for (std::size_t i = 0; i < names.size(); ++i)
      all.push_back({ids[i], names[i], types[i], subsets[i] != 0});
    return all;
  }

  [[nodiscard]] std::uint32_t find(const std::string& name) const {
    const std::uint32_t number = m_source.schema().find(name);
    if (number == Table::none)
      fail(ErrorKind::version, m_source.name(), ": has no '", name,
           "': another version of podio has written it");
    return number;
  }

  /// The strings of a member of each row of a table.
  [[nodiscard]] std::vector<std::string> texts(const std::string& table, std::string_view member) {
    const std::uint32_t root = find(table), number = find(table + "." + std::string(member));
    const Table info = m_source.schema().table(number);
    if (info.parent != root || !info.isCounted() || info.members.size() != 1 ||
        info.members[0].size() != 1)
      fail(ErrorKind::version, m_source.name(), ": '", info.name, "' is no text");
    const auto [first, last] = m_window.rows(root, 0);
    const auto offsets = m_window.offsets(number, 0);
    const ColumnView characters = m_window.member(number, 0, 0);
    std::vector<std::string> all;
    for (std::size_t row = first; row < last; ++row)
      all.emplace_back(reinterpret_cast<const char*>(characters.base) + offsets[row],
                       offsets[row + 1] - offsets[row]);
    return all;
  }

  /// The values of a member of each row of a table.
  template <class T>
  [[nodiscard]] std::vector<T> values(const std::string& table, std::string_view member) {
    const std::uint32_t number = find(table);
    const Table info = m_source.schema().table(number);
    const std::uint32_t place = info.members.find(member);
    if (place == info.members.size() || info.members[place].size() != sizeof(T))
      fail(ErrorKind::version, m_source.name(), ": '", table, "' has no '", member,
           "' as it should be");
    const auto [first, last] = m_window.rows(number, 0);
    const ColumnView column = m_window.member(number, place, 0);
    std::vector<T> all(last - first);
    for (std::size_t row = first; row < last; ++row)
      std::memcpy(&all[row - first], column.at(row), sizeof(T));
    return all;
  }

  /// A version, of which trees have the members, RNTuples the numbers; "" where there is none.
  [[nodiscard]] std::string version(const std::string& name) {
    const std::uint32_t number = m_source.schema().find(name);
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
  Window m_window;
};

} // namespace

FileDescription describeFile(const Source& metadata) { return Metadata(metadata).describe(); }

} // namespace kaon::root::podio
