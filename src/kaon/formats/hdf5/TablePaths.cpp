#include <kaon/formats/hdf5/TablePaths.h>

#include <kaon/base/Joined.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace kaon::hdf5 {
namespace {

constexpr std::string_view bareName = "values", listsName = "lists";

/// Replaces characters that HDF5 does not allow: slashes separate groups, and a dot means the group
/// itself.
std::string allowed(std::string name, std::string_view bare) {
  std::ranges::replace(name, '/', '_');
  std::ranges::replace(name, '\0', '_');
  return name.empty() || name == "." || name == ".." ? std::string(bare) : name;
}

class PathPlan {
public:
  explicit PathPlan(const Schema& schema) : m_schema(schema) {}

  std::vector<TablePath> paths() {
    for (TableNumber number = 0; number < m_schema.size(); ++number)
      add(m_schema.table(number));
    return std::move(m_paths);
  }

private:
  void add(const Table& table) {
    std::string group, prefix;
    std::string_view local = table.name;
    if (!table.isRoot()) {
      group = m_paths[table.parent].group;
      prefix = m_prefixes[table.parent];
      const std::string_view above = m_schema.table(table.parent).name;
      if (local.size() > above.size() && local.starts_with(above) && local[above.size()] == '.')
        local.remove_prefix(above.size() + 1);
    }
    prefix = dotted(prefix, local);
    if (table.isCounted()) {
      group += '/' + unique(group, allowed(prefix, listsName));
      prefix.clear();
    }
    TablePath path{group, {}};
    for (const Member& member : table.members)
      path.members.push_back(unique(group, allowed(dotted(prefix, member.name), bareName)));
    m_paths.push_back(std::move(path));
    m_prefixes.push_back(std::move(prefix));
  }

  std::string unique(const std::string& group, const std::string& name) {
    auto [taken, isNew] = m_taken.try_emplace(group);
    if (isNew)
      taken->second = {std::string(offsetsName), std::string(presentName)};
    std::string unique = name;
    for (std::size_t number = 2; !taken->second.insert(unique).second; ++number)
      unique = name + '_' + std::to_string(number);
    return unique;
  }

  const Schema& m_schema;
  std::vector<TablePath> m_paths;
  std::vector<std::string> m_prefixes;                  // of the names of datasets, by table
  std::map<std::string, std::set<std::string>> m_taken; // by group
};

} // namespace

std::vector<TablePath> tablePaths(const Schema& schema) { return PathPlan(schema).paths(); }

} // namespace kaon::hdf5
