#include <kaon/formats/root/ntuple/Mapping.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/Documentation.h>
#include <kaon/formats/root/ntuple/FieldTables.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace kaon::root {
namespace {

// Bytes per row of a value that shares a group with others.
constexpr std::uint32_t mostInGroup = 64;

/// Finds the collections that are named by projected fields. Returns their names by number.
std::map<std::uint32_t, std::string> namedCollections(const NTupleDescriptor& descriptor) {
  std::map<std::uint32_t, std::string> names;
  for (const std::uint32_t number : descriptor.topFields) {
    const NTupleField& sizes = descriptor.fields[number];
    if (!sizes.isProjected || sizes.role != FieldRole::plain || !sizes.name.starts_with('n') ||
        sizes.source >= descriptor.fields.size())
      continue;
    const NTupleField& source = descriptor.fields[sizes.source];
    if (source.role != FieldRole::collection || source.parent != sizes.source ||
        source.children.size() != 1)
      continue;
    const std::string prefix = sizes.name.substr(1) + '_';
    const NTupleField& record = descriptor.fields[source.children[0]];
    bool isPrefix = prefix.size() > 1 && !record.children.empty();
    for (const std::uint32_t child : record.children)
      isPrefix &= descriptor.fields[child].name.size() > prefix.size() &&
                  descriptor.fields[child].name.starts_with(prefix);
    if (isPrefix)
      names.emplace(sizes.source, sizes.name.substr(1));
  }
  return names;
}

class Mapper {
public:
  Mapper(const NTupleDescriptor& descriptor, bool groups)
      : m_descriptor(descriptor), m_named(namedCollections(descriptor)) {
    if (groups)
      return;
    m_split = std::exchange(m_named, {});
    for (const std::uint32_t number : m_descriptor.topFields)
      if (const NTupleField& field = m_descriptor.fields[number]; isProjectedFrom(field, m_split))
        m_projected.emplace(field.source, field.name);
  }

  Mapping map() {
    for (const std::uint32_t number : m_descriptor.topFields)
      if (const NTupleField& field = m_descriptor.fields[number];
          !isProjectedFrom(field, m_named) && !isProjectedCompletely(number))
        add(number, field);
    return std::move(m_mapping);
  }

private:
  using Names = std::map<std::uint32_t, std::string>;

  /// Whether a field exposes a member of one of these collections.
  [[nodiscard]] static bool isProjectedFrom(const NTupleField& field, const Names& collections) {
    return field.isProjected && field.role == FieldRole::collection &&
           collections.contains(field.source);
  }

  /// Whether other fields expose all members of a collection.
  [[nodiscard]] bool isProjectedCompletely(std::uint32_t collection) const {
    if (!m_split.contains(collection))
      return false;
    const std::uint32_t record = m_descriptor.fields[collection].children[0];
    return std::ranges::all_of(m_descriptor.fields[record].children, [&](std::uint32_t child) {
      return m_projected.contains({collection, m_descriptor.fields[child].name});
    });
  }

  void add(std::uint32_t number, const NTupleField& field) {
    const auto named = m_named.find(number);
    const std::string name = named == m_named.end() ? field.name : named->second;
    const std::string prefix = named == m_named.end() ? "" : name + '_';
    // Named bases are the fallback, because a class can have the same base twice.
    for (const bool namesBases : {false, true})
      try {
        FieldTables tables(m_descriptor, prefix, namesBases);
        tables.add(number, name);
        describe(tables.tables[0], field);
        group(tables.tables);
        return addTables(tables);
      } catch (const Error& error) {
        if (namesBases)
          m_mapping.unreadable.push_back({field.name, field.typeName, error.what()});
      }
    m_named.erase(number); // its members are read separately where they are projected
  }

  /// Bare values have their description in the table.
  static void describe(TableDefinition& table, const NTupleField& field) {
    Documentation text = documentationIn(field.description);
    table.description = std::move(text.description);
    if (table.members.size() != 1 || !table.members[0].name.empty())
      return;
    table.members[0].unit = std::move(text.unit);
    table.members[0].description.clear();
  }

  /// Values share one group, except large values and values with lists.
  static void group(std::vector<TableDefinition>& tables) {
    if (tables[0].kind == TableKind::value &&
        (tables.size() > 1 || tables[0].rowSize > mostInGroup))
      tables[0].group = tables[0].name;
  }

  /// Adds all tables of a field, or none.
  void addTables(FieldTables& field) {
    Schema alone;
    for (const TableDefinition& table : field.tables)
      alone.add(table);
    if (m_mapping.schema.find(field.tables[0].name) != Table::none)
      fail(ErrorKind::type, "another field has the same name");
    const std::uint32_t first = m_mapping.schema.size();
    for (TableDefinition& table : field.tables) {
      if (table.parent != Table::none)
        table.parent += first;
      m_mapping.schema.add(table);
    }
    for (TableRules& rules : field.rules)
      m_mapping.rules.push_back(std::move(rules));
  }

  const NTupleDescriptor& m_descriptor;
  Names m_named; ///< Collections that are read by the names of their projections.
  Names m_split; ///< Collections whose projections are read, one by one.
  std::set<std::pair<std::uint32_t, std::string>> m_projected; ///< Collections and members.
  Mapping m_mapping;
};

} // namespace

Mapping mapFields(const NTupleDescriptor& descriptor, bool groups) {
  return Mapper(descriptor, groups).map();
}

} // namespace kaon::root
