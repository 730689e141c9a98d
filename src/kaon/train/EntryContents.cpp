#include <kaon/train/EntryContents.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/base/Suggestion.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/model/Datatype.h>

#include <algorithm>
#include <ranges>

namespace kaon {
namespace {

/// Returns the tables of a schema that have one of these names.
std::vector<std::uint32_t> tablesNamed(const Schema& schema,
                                       const std::vector<std::string>& names) {
  std::vector<std::uint32_t> numbers;
  for (TableNumber number = 0; number < schema.size(); ++number)
    if (std::ranges::find(names, schema.table(number).name) != names.end())
      numbers.push_back(number);
  return numbers;
}

[[noreturn]] void failUnknown(const Schema& schema, const std::string& name) {
  std::vector<std::string> roots;
  for (const Table& table : schema.tables())
    if (table.isRoot())
      roots.emplace_back(table.name);
  fail(ErrorKind::name, "there is no collection, parameter or value '", name, "'",
       suggestion(name, roots));
}

bool hasRoot(const Schema& schema, std::string_view name) {
  const TableNumber table = schema.find(name);
  return table != Table::none && schema.table(table).isRoot();
}

/// Returns the first schema that has the root table of a member; if no schema has it, the first
/// one.
const Schema& fileWithMember(std::span<const Schema> files, std::string_view member) {
  const auto has = [&](const Schema& file) {
    return std::ranges::any_of(file.tables(), [&](const Table& table) {
      return table.isRoot() && member.starts_with(std::string(table.name) + ".");
    });
  };
  const auto file = std::ranges::find_if(files, has);
  return file == files.end() ? files.front() : *file;
}

/// Returns a table without some of its members.
TableDefinition without(const TableDefinition& table, std::span<const std::uint32_t> dropped) {
  TableDefinition less = table;
  less.members.clear();
  for (MemberNumber member = 0; member < table.members.size(); ++member)
    if (std::ranges::find(dropped, member) == dropped.end())
      less.members.push_back(table.members[member]);
  if (!dropped.empty())
    less.rowSize = detail::placeMembers(less.members);
  return less;
}

/// Throws if the dropped table holds the contents of the table above: the characters of strings,
/// lists in lists, or a subset's references to its objects.
void checkDropped(const Schema& schema, const Table& table) {
  if (table.isRoot())
    return;
  const Table above = schema.table(table.parent);
  const auto isBeside = [&](std::uint32_t other) {
    return schema.table(other).parent == table.parent && schema.table(other).name != table.name;
  };
  if (above.members.empty() &&
      (above.kind != TableKind::collection || above.type.starts_with(detail::subsetPrefix)) &&
      std::ranges::none_of(schema.tablesUnder(schema.rootOf(table.parent)), isBeside))
    fail(ErrorKind::usage, "nothing is left of '", above.name, "' without '", table.name,
         "': drop all of it");
}

/// Throws if the dropped part belongs to a datatype's member or to a relation: objects could not be
/// read without it.
void checkDropped(const Schema& schema, std::uint32_t number, const std::string& name) {
  const Table table = schema.table(number);
  const Table root = schema.table(schema.rootOf(number));
  const bool isRelation =
      table.kind == TableKind::oneRelation || table.kind == TableKind::manyRelation;
  const std::size_t first = root.name.size() + 1;
  const std::size_t end = name.find('.', first);
  const bool isOfDatatype = root.kind == TableKind::collection && !root.type.empty();
  if ((isOfDatatype || isRelation) && end != std::string::npos)
    fail(ErrorKind::usage, "'", name, "' is only a part of '", name.substr(0, end),
         "', and objects cannot be read without it: drop all of '", name.substr(0, end), "'");
}

TableDefinition tableOfPlaces(const std::string& collection, std::uint32_t number) {
  return {.name = collection + std::string(placesSuffix),
          .kind = TableKind::decoration,
          .type = std::string(nameOf(Scalar::UInt32)),
          .parent = number,
          .rowSize = sizeof(std::uint32_t),
          .members = {{.name = "", .type = Scalar::UInt32}}};
}

/// Returns for each object of a subset whether it exists; empty if all exist.
std::vector<std::uint8_t> objectsThere(const Batch& batch, std::uint32_t subset) {
  const Schema& schema = batch.schema();
  for (const TableNumber under : schema.tablesUnder(subset)) {
    if (schema.table(under).kind != TableKind::oneRelation)
      continue;
    const TableView& references = batch.table(under);
    std::vector<std::uint8_t> isThere(references.rows);
    for (std::size_t row = 0; row < isThere.size(); ++row)
      isThere[row] =
          detail::loadAs<std::int32_t>(references.members[detail::relationIndex].at(row)) >= 0;
    if (std::ranges::find(isThere, 0) != isThere.end())
      return isThere;
  }
  return {};
}

} // namespace

std::vector<std::string> placesInParents(std::span<const Schema> files,
                                         const std::vector<std::string>& thinned) {
  std::vector<std::string> names;
  for (const Schema& file : files)
    for (const Table& table : file.tables())
      if (isOfPlaces(table) &&
          std::ranges::find(thinned,
                            table.name.substr(0, table.name.size() - placesSuffix.size())) ==
              thinned.end())
        names.emplace_back(table.name);
  sortUnique(names);
  return names;
}

EntryContents::EntryContents(std::span<const Schema> files, const std::vector<std::string>& kept,
                             const std::vector<std::string>& dropped) {
  for (const std::string& name : kept)
    if (std::ranges::none_of(files, [&](const Schema& file) { return hasRoot(file, name); }))
      failUnknown(files.front(), name);
  std::vector<std::string> members;
  for (const std::string& name : dropped) {
    bool isTable = false;
    for (const Schema& file : files)
      if (const TableNumber table = file.find(name); table != Table::none) {
        checkDropped(file, file.table(table));
        isTable = true;
      }
    (isTable ? m_leftOut : members).push_back(name);
  }
  for (const Schema& file : files)
    for (const Table& table : file.tables())
      if (table.isRoot() && !kept.empty() && std::ranges::find(kept, table.name) == kept.end())
        m_leftOut.emplace_back(table.name);
  sortUnique(m_leftOut);
  for (const Schema& file : files)
    (void)m_tables.add(file, tablesNamed(file, m_leftOut));
  const Schema& all = m_tables.schema();
  for (const std::string& name : members) {
    const Schema& file = fileWithMember(files, name);
    for (const auto& [table, member] : file.membersBelow(name)) {
      checkDropped(file, table, name);
      if (const std::uint32_t number = all.find(file.table(table).name); number != Table::none)
        m_droppedMembers.emplace_back(number, member);
    }
  }
  sortUnique(m_droppedMembers);
  for (std::uint32_t number = 0; number < all.size(); ++number) {
    std::vector<std::uint32_t> less;
    for (const auto& [table, member] : m_droppedMembers)
      if (table == number)
        less.push_back(member);
    m_schema.add(without(all.table(number).definition(), less));
  }
}

void EntryContents::addProvenance(const std::vector<std::string>& thinned) {
  m_hasProvenance = true;
  for (const std::string& name : thinned) {
    const TableNumber collection = m_schema.findCollection(name);
    if (collection == Table::none)
      continue; // nothing refers to other tables
    const TableDefinition places = tableOfPlaces(name, collection);
    const TableNumber known = m_schema.find(places.name);
    if (known == Table::none)
      m_schema.add(places);
    else if (m_schema.table(known).kind != places.kind || m_schema.table(known).type != places.type)
      fail(ErrorKind::usage, "it has a '", places.name, "' that is not the place that objects had ",
           "in their entries, so their provenance cannot be recorded");
  }
  m_schema = BatchWithProvenance(Batch(m_schema, 0, 0)).batch().schema();
}

bool EntryContents::isOfProvenance(const Table& table) const {
  return m_hasProvenance && (isProvenance(table.name) || isOfPlaces(table));
}

bool EntryContents::holdsAllOf(const Schema& schema) const {
  const std::size_t added = m_hasProvenance ? provenanceNames.size() : 0;
  return schema.size() + added == m_schema.size() &&
         std::ranges::equal(schema.tables(), m_schema.tables() | std::views::take(schema.size()));
}

std::vector<std::uint32_t> EntryContents::numbersOf(const Schema& schema) const {
  std::vector<std::uint32_t> leftOut = tablesNamed(schema, m_leftOut);
  for (TableNumber number = 0; number < schema.size(); ++number)
    if (const Table table = schema.table(number);
        table.isRoot() && m_tables.schema().find(table.name) == Table::none)
      leftOut.push_back(number); // no file had it when the train began
  SchemaUnion all = m_tables;
  std::vector<std::uint32_t> numbers = all.add(schema, leftOut);
  for (std::uint32_t& number : numbers)
    if (number != Table::none && number >= m_tables.schema().size())
      number = Table::none;
  return numbers;
}

WrittenEntries::WrittenEntries(const EntryContents& contents, const Batch& batch,
                               std::span<const std::uint32_t> numbers,
                               std::span<const TakenObjects> taken)
    : m_united(batch, numbers, contents.m_tables.schema()),
      m_slim(contents.m_schema, batch.firstEntry(), batch.entries()) {
  const Batch* all = &m_united.batch();
  const auto take = [&](std::string_view collection, std::span<const std::uint8_t> isTaken,
                        LostReference lost) {
    const auto* const values = detail::valuesAt<bool>(isTaken.data());
    all = &m_taken.emplace_back(*all, collection, std::span(values, isTaken.size()), lost).batch();
  };
  for (const TakenObjects& objects : taken)
    take(objects.collection, objects.isTaken, objects.lost);
  // A subset can only have existing objects, so it also loses those that were dropped.
  const bool isLess = !taken.empty() || !contents.m_leftOut.empty();
  for (TableNumber table = 0; isLess && table < all->schema().size(); ++table)
    if (const Table info = all->schema().table(table);
        info.isRoot() && info.type.starts_with(detail::subsetPrefix))
      if (const auto isThere = objectsThere(*all, table); !isThere.empty())
        take(info.name, isThere, LostReference::becomesNone);
  for (TableNumber table = 0; table < all->schema().size(); ++table)
    m_slim.table(table) = all->table(table);
  for (auto dropped = contents.m_droppedMembers.rbegin();
       dropped != contents.m_droppedMembers.rend(); ++dropped) {
    auto& members = m_slim.table(dropped->table).members;
    members.erase(members.begin() + dropped->member);
  }
  m_batch = &m_slim;
  if (!contents.m_hasProvenance)
    return;
  for (const TakenObjects& objects : taken)
    addPlaces(batch, objects);
  m_slim.setOrigins(batch.origins(0, batch.entries()));
  m_batch = &m_withProvenance.emplace(m_slim).batch();
}

/// Stores the position of each taken object in its original entry.
void WrittenEntries::addPlaces(const Batch& batch, const TakenObjects& objects) {
  const TableNumber table = m_slim.schema().find(objects.collection + std::string(placesSuffix));
  if (table == Table::none)
    return;
  std::vector<std::uint32_t>& places = m_places.emplace_back();
  places.reserve(1); // a pointer must exist even without values
  const auto offsets = batch.offsets(objects.collection);
  for (std::size_t entry = 0; entry < batch.entries(); ++entry)
    for (std::uint32_t row = offsets[entry]; row < offsets[entry + 1]; ++row)
      if (objects.isTaken[row] != 0)
        places.push_back(row - offsets[entry]);
  TableView& view = m_slim.table(table);
  view = {};
  view.rows = places.size();
  view.members = {{detail::bytesAt(places.data()), sizeof(std::uint32_t)}};
}

} // namespace kaon
