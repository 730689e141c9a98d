#include <kaon/event/CategoryTables.h>

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>

#include <algorithm>
#include <string_view>

namespace kaon {
namespace {

/// Whether the tables are equal apart from layout, parent and group.
bool holdsTheSame(TableDefinition a, const Table& b) {
  TableDefinition other = b.definition();
  a.layout = other.layout;
  a.parent = other.parent;
  a.group = other.group;
  a.use = other.use;
  for (std::size_t i = 0; i < std::min(a.members.size(), other.members.size()); ++i)
    a.members[i].precision = other.members[i].precision;
  return a == other;
}

} // namespace

void failDifferent(const TableDefinition& table, const Table& known) {
  constexpr std::string_view before = ", or another version of it, in earlier frames";
  if (table.name.ends_with('.')) // tables in lists have no name
    fail(ErrorKind::type, "the lists of '", table.name.substr(0, table.name.size() - 1), "' hold ",
         table.type, " here but held ", known.type, before);
  fail(ErrorKind::type, "'", table.name, "' is ", withArticle(table.type), " here but was ",
       withArticle(known.type), before);
}

std::uint32_t CategoryTables::define(const std::vector<TableDefinition>& tables) {
  if (const std::uint32_t known = find(tables); known != Table::none)
    return known;
  const std::lock_guard lock(m_shared.mutex);
  addShared(); // another thread may have added it
  if (const std::uint32_t known = find(tables); known != Table::none)
    return known;
  const TableDefinition& root = tables.front();
  const TableNumber table = schema().find(root.name);
  const bool isThere = table != Table::none &&
                       schema().table(table).kind == TableKind::collection &&
                       root.kind == TableKind::collection;
  if (!isThere)
    checkNotLate(root);
  const std::uint32_t number = add(tables, isThere);
  addShared();
  return number;
}

/// Adds the tables that are missing, all or none. Call it with the lock held.
TableNumber CategoryTables::add(const std::vector<TableDefinition>& tables, bool isThere) {
  const std::uint32_t before = m_shared.schema.size();
  std::vector<std::uint32_t> numbers;
  try {
    for (TableDefinition table : tables) {
      TableNumber number = isThere ? m_shared.schema.find(table.name) : Table::none;
      if (number == Table::none) {
        if (table.parent != Table::none)
          table.parent = numbers[table.parent];
        number = m_shared.schema.add(table);
      }
      numbers.push_back(number);
    }
  } catch (...) {
    m_shared.schema = m_shared.schema.first(before);
    throw;
  }
  return numbers.front();
}

/// Returns the number of a root table. Returns Table::none if the table is missing, or, for a
/// collection, one of the tables under it.
TableNumber CategoryTables::find(const std::vector<TableDefinition>& tables) const {
  const TableDefinition& root = tables.front();
  const TableNumber known = root.kind == TableKind::parameter
                                ? schema().findParameter(root.name, root.type)
                                : schema().find(root.name);
  if (known == Table::none || schema().table(known).kind != root.kind)
    return Table::none;
  bool isAll = true;
  for (std::uint32_t i = 0; i < tables.size(); ++i) {
    const bool isBelow = i > 0 && root.kind == TableKind::collection;
    const TableNumber number = isBelow ? schema().find(tables[i].name) : TableNumber(known + i);
    if (isBelow && number == Table::none)
      isAll = false;
    else if (number >= schema().size() || !holdsTheSame(tables[i], schema().table(number)))
      failDifferent(tables[i], schema().table(number < schema().size() ? number : known));
  }
  return isAll ? known : Table::none;
}

void CategoryTables::catchUp() {
  const std::lock_guard lock(m_shared.mutex);
  addShared();
}

/// Adds the missing shared tables to the builder. Call it with the lock held.
void CategoryTables::addShared() {
  for (TableNumber table = schema().size(); table < m_shared.schema.size(); ++table)
    m_builder.add(m_shared.schema.table(table).definition());
}

/// Throws Error(usage) if earlier frames lack this collection and one of its members is a key.
void CategoryTables::checkNotLate(const TableDefinition& table) const {
  for (const auto& [key, use] : m_rules.uses)
    if (hasFrames() && key.starts_with(table.name + "."))
      fail(ErrorKind::usage, "'", key, "' is to be a key, but earlier frames lack it");
}

} // namespace kaon
