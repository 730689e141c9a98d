#include <kaon/selecting/CommonTables.h>

#include <kaon/base/Joined.h>
#include <kaon/batch/Provenance.h>
#include <kaon/model/LateMembers.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace kaon::detail {
namespace {

/// Returns a text that only tables with the same meaning share. Without a datatype, some formats
/// have collections where others have parameters.
std::string keyOf(const Table& table) {
  const bool hasType = table.kind == TableKind::collection && !DeclaredTables::canUnite(table);
  return joined(hasType                          ? "objects "
                : table.kind == TableKind::value ? "value "
                                                 : "list ",
                table.name);
}

bool holdSame(const Table& a, const Table& b) {
  return a.name == b.name && a.type == b.type &&
         std::ranges::equal(a.members, b.members, [](const Member& x, const Member& y) {
           return x.name == y.name && x.type == y.type && x.extent == y.extent &&
                  x.structure == y.structure;
         });
}

/// Returns whether two root tables, and the tables under them, have the same members.
bool holdSame(const Schema& a, std::uint32_t rootOfA, const Schema& b, std::uint32_t rootOfB) {
  const TableChain tablesOfA = a.tablesUnder(rootOfA), tablesOfB = b.tablesUnder(rootOfB);
  return std::ranges::equal(tablesOfA, tablesOfB, [&](std::uint32_t x, std::uint32_t y) {
    return holdSame(a.table(x), b.table(y));
  });
}

/// Returns whether a root table of a schema already has the common tables.
bool holdSame(const Schema& schema, TableNumber root, const std::vector<CommonTable>& common) {
  std::vector<std::uint32_t> numbers;
  for (const TableNumber number : schema.tablesUnder(root))
    numbers.push_back(number);
  return std::ranges::equal(numbers, common, [&](std::uint32_t number, const CommonTable& other) {
    const Table table = schema.table(number);
    return table.name == other.definition.name &&
           (table.kind == TableKind::text) == (other.definition.kind == TableKind::text) &&
           std::ranges::equal(table.members, other.definition.members,
                              [](const Member& x, const MemberDefinition& y) {
                                return x.name == y.name && x.structure == y.structure;
                              });
  });
}

std::vector<TableDefinition> definitionsOf(std::vector<CommonTable> tables) {
  std::vector<TableDefinition> definitions;
  for (CommonTable& table : tables)
    definitions.push_back(std::move(table.definition));
  return definitions;
}

} // namespace

void CommonTables::add(const Source& source) {
  const Schema& schema = source.schema();
  const bool counts = source.entries() > 0;
  m_files += counts ? 1 : 0;
  std::shared_ptr<const Schema> copy;
  for (TableNumber number = 0; number < schema.size(); ++number) {
    const Table table = schema.table(number);
    const bool isNamed = table.isRoot() && schema.find(table.name) == number;
    if (!isNamed || (!fills() && !DeclaredTables::canUnite(table)))
      continue;
    const auto [place, isNew] = m_roots.try_emplace(keyOf(table));
    Root& root = place->second;
    root.files += counts ? 1 : 0;
    if (isNew) {
      if (!copy)
        copy = std::make_shared<const Schema>(schema);
      root.schema = copy;
      root.number = number;
      root.isFixed = !DeclaredTables::canUnite(table);
      m_names.push_back(place->first);
    } else if (!root.isFixed && !holdSame(*root.schema, root.number, schema, number)) {
      unite(root, schema, number);
    }
  }
  if (m_commonness != Commonness::optionals)
    markMissing();
}

void CommonTables::unite(Root& root, const Schema& schema, std::uint32_t number) {
  if (!root.united)
    root.united.emplace(*root.schema, root.number);
  root.isFixed = !root.united->unite(DeclaredTables(schema, number), fills());
  m_differ = m_differ || !root.isFixed;
}

/// Makes the values optional that some file with entries lacks.
void CommonTables::markMissing() {
  for (auto& [key, root] : m_roots) {
    if (root.files == m_files)
      continue;
    m_differ = m_differ || fills();
    const Table table = root.schema->table(root.number);
    if (root.isFixed || table.kind != TableKind::value || isOfPlaces(table))
      continue;
    m_differ = true;
    if (!root.united)
      root.united.emplace(*root.schema, root.number);
    root.united->makeOptional();
  }
}

const DeclaredTables* CommonTables::tablesFor(const Schema& schema, TableNumber number) const {
  const auto root = m_roots.find(keyOf(schema.table(number)));
  if (root == m_roots.end() || root->second.isFixed || !root->second.united ||
      holdSame(schema, number, root->second.united->definitions()))
    return nullptr;
  return &*root->second.united;
}

std::vector<std::vector<TableDefinition>> CommonTables::lackedBy(const Schema& schema) const {
  std::vector<std::vector<TableDefinition>> lacked;
  for (const std::string& name : fills() ? m_names : std::vector<std::string>()) {
    const Root& root = m_roots.find(name)->second;
    if (schema.find(root.schema->table(root.number).name) != Table::none)
      continue;
    lacked.push_back(root.united && !root.isFixed ? definitionsOf(root.united->definitions())
                                                  : definitionsUnder(*root.schema, root.number));
  }
  return lacked;
}

} // namespace kaon::detail
