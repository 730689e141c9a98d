#include <kaon/binding/EvolvedSource.h>

#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/batch/Keys.h>
#include <kaon/batch/MissingPage.h>
#include <kaon/binding/Conversion.h>
#include <kaon/model/CollectionTables.h>
#include <kaon/object/RegisteredClasses.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace kaon {
namespace {

/// Returns the datatype with this present or old name; null if no model has it.
const Datatype* findDatatype(const ModelDatatypes& datatypes, std::string_view name) {
  const Datatype* type = datatypes.find(name);
  if (!type)
    type = programDatatype(name);
  return type && type->model ? type : nullptr;
}

bool holdSame(const TableDefinition& a, const Table& b) {
  return a.name == b.name && a.kind == b.kind && a.type == b.type &&
         std::ranges::equal(a.members, b.members, [](const MemberDefinition& x, const Member& y) {
           return x.name == y.name && x.type == y.type && x.extent == y.extent &&
                  x.structure == y.structure;
         });
}

/// Returns whether a collection's tables in the file equal those of its datatype, except for
/// decorations.
bool holdSame(const std::vector<TableDefinition>& tables, const Schema& schema, TableNumber root) {
  auto expected = tables.begin();
  for (const TableNumber number : schema.tablesUnder(root)) {
    if (schema.table(number).kind == TableKind::decoration)
      continue;
    if (expected == tables.end() || !holdSame(*expected++, schema.table(number)))
      return false;
  }
  return expected == tables.end();
}

/// Throws Error(usage) if a member gets a default that only compilers understand.
void checkDefaults(const ModelDatatypes& datatypes, const Datatype& type,
                   std::span<const BindingOrigin> origins) {
  const auto isMissing = [](const BindingOrigin& origin) { return origin.table == Table::none; };
  if (datatypes.find(type.name) == &type &&
      std::ranges::any_of(origins.first(type.leaves.size()), isMissing))
    (void)datatypes.get(type.name);
}

} // namespace

/// Reads the file's pages, and converts those that differ.
class EvolvedSource::Reading final : public detail::Cursor {
public:
  explicit Reading(const EvolvedSource& source) : m_source(source), m_window(source.m_stored) {}

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override {
    std::vector<std::uint32_t> stored;
    for (const ColumnNumber column : columns)
      std::ranges::copy(m_source.storedColumns(m_source.m_columns[column]),
                        std::back_inserter(stored));
    sortUnique(stored);
    m_window.fetch(stored, entries);
  }

  [[nodiscard]] std::shared_ptr<const void> hold() override { return m_window.cursor().hold(); }

  [[nodiscard]] detail::PageRange pages(TableNumber group, std::uint64_t entry) override {
    const Schema& stored = m_source.m_stored.schema();
    return m_window.cursor().pages(stored.groupOf(m_source.m_storedRoots[group]), entry);
  }

  [[nodiscard]] std::optional<Extremes> extremes(TableNumber table, MemberNumber member,
                                                 const detail::PageRange& range) override {
    return m_source.extremesFrom(table, member, [&](TableMember place) {
      return m_window.cursor().extremes(place.table, place.member, range);
    });
  }

  void read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
            detail::Page& page) override {
    const Column& from = m_source.m_columns[column];
    if (from.mistake)
      std::rethrow_exception(from.mistake);
    if (from.holdsTables)
      return readTables(*from.stored, range, values, page);
    if (from.stored)
      return m_window.cursor().read(*from.stored, range, values, page);
    page.shared.reset();
    if (from.origin.table == Table::none)
      return fillLacking(column, values, page);
    const ColumnView converted = convertPage(m_window, from.origin, range.firstEntry, page.storage);
    page.values = values;
    page.data = converted.base;
    page.isRepeated = converted.stride == 0;
    if (!page.isRepeated && page.storage.size() / converted.stride < values)
      fail(ErrorKind::corrupt, m_source.name(), ": changed while it was read");
  }

private:
  /// Fills in a column that the file lacks in all entries.
  void fillLacking(ColumnNumber column, std::size_t values, detail::Page& page) {
    const kaon::Column& info = m_source.m_schema.columns()[column];
    if (info.role != ColumnRole::member)
      return fillMissing(m_source.m_schema, column, true, values, m_source.name(), page);
    std::byte* const row = page.storage.assign(info.elementSize).data();
    std::memcpy(row, m_source.m_columns[column].origin.missing, info.elementSize);
    page.values = values;
    page.data = row;
    page.isRepeated = true;
  }

  /// Reads the tables of references, and replaces the file's numbers by those of this source.
  void readTables(std::uint32_t stored, const detail::PageRange& range, std::size_t values,
                  detail::Page& page) {
    m_tables.isRepeated = false;
    m_window.cursor().read(stored, range, values, m_tables);
    const auto& numbers = m_source.m_numbers;
    const std::size_t rows = m_tables.isRepeated ? 1 : values;
    const auto out = page.roomFor(rows * sizeof(std::uint32_t));
    for (std::size_t row = 0; row < rows; ++row) {
      TableNumber table = 0;
      std::memcpy(&table, m_tables.data + row * sizeof table, sizeof table);
      const TableNumber number = table < numbers.size() ? TableNumber(numbers[table]) : Table::none;
      std::memcpy(out.data() + row * sizeof number, &number, sizeof number);
    }
    page.values = values;
    page.isRepeated = m_tables.isRepeated;
    page.shared.reset();
  }

  const EvolvedSource& m_source;
  detail::Window m_window; // of the file
  detail::Page m_tables;
};

EvolvedSource::EvolvedSource(const File& file, const Source& stored,
                             const ModelDatatypes& datatypes)
    : m_stored(stored), m_numbers(stored.schema().size(), Table::none) {
  for (TableNumber number = 0; number < stored.schema().size(); ++number)
    if (stored.schema().table(number).isRoot())
      addRoot(file, number, datatypes);
  renumber();
  m_sortedKeys = findSortedKeys();
}

std::unique_ptr<detail::Cursor> EvolvedSource::cursor() const {
  return std::make_unique<Reading>(*this);
}

void EvolvedSource::addRoot(const File& file, TableNumber root, const ModelDatatypes& datatypes) {
  const Schema& schema = m_stored.schema();
  const Table info = schema.table(root);
  std::string typeName(info.type);
  if (info.kind == TableKind::collection) {
    m_numbers[root] = m_schema.size();
    const bool isSubset = info.type.starts_with(detail::subsetPrefix) && info.type.ends_with('>');
    const std::string_view objects =
        isSubset ? info.type.substr(detail::subsetPrefix.size(),
                                    info.type.size() - detail::subsetPrefix.size() - 1)
                 : info.type;
    const Datatype* const type = findDatatype(datatypes, objects);
    if (type && isSubset && type->name != objects) {
      typeName = std::string(detail::subsetPrefix) + std::string(type->name) + ">";
      m_datatypes.insert(type);
    } else if (type && !isSubset) {
      // Converted columns are not stored in rows.
      auto tables =
          tablesOf(*type, info.name, 0, info.layout == Layout::row ? Layout::member : info.layout);
      if (!holdSame(tables, schema, root)) {
        m_datatypes.insert(type);
        std::vector<BindingOrigin> origins;
        std::exception_ptr mistake;
        try {
          origins = bindColumns(file, m_stored, root, *type, m_zeros.emplace_back());
          checkDefaults(datatypes, *type, origins);
        } catch (const Error&) {
          mistake = std::current_exception();
        }
        return addEvolved(root, std::move(tables), origins, mistake);
      }
    }
  }
  addStored(root, typeName);
}

/// Adds a root table of the file and all tables under it.
void EvolvedSource::addStored(TableNumber root, const std::string& type) {
  std::vector<std::pair<TableNumber, TableNumber>> numbers; // there and here
  for (const TableNumber number : m_stored.schema().tablesUnder(root)) {
    TableDefinition definition = m_stored.schema().table(number).definition();
    if (number == root)
      definition.type = type;
    else
      definition.parent = std::ranges::find(numbers, definition.parent, [](auto pair) {
                            return pair.first;
                          })->second;
    numbers.emplace_back(number, m_schema.size());
    addTable(number, std::move(definition));
  }
}

/// Adds a table of the file with all its columns.
void EvolvedSource::addTable(std::uint32_t stored, TableDefinition definition) {
  const auto [first, last] = m_stored.schema().columnsOf(stored);
  const bool isRelation =
      definition.kind == TableKind::oneRelation || definition.kind == TableKind::manyRelation;
  for (ColumnNumber column = first; column < last; ++column)
    m_columns.push_back(
        {.stored = column,
         .holdsTables =
             isRelation &&
             column == m_stored.schema().place(stored, detail::relationCollection).column});
  m_schema.add(definition);
  m_storedRoots.push_back(stored);
}

/// Adds the tables of a datatype. `origins` are the origins of its columns, in order.
void EvolvedSource::addEvolved(TableNumber root, std::vector<TableDefinition> tables,
                               const std::vector<BindingOrigin>& origins,
                               const std::exception_ptr& mistake) {
  const Schema& schema = m_stored.schema();
  const std::uint32_t first = m_schema.size();
  tables.front().group = schema.table(root).group;
  auto origin = origins.begin();
  const auto addColumn = [&] {
    m_columns.push_back(mistake ? Column{.mistake = mistake} : columnOf(*origin++));
  };
  for (TableDefinition& table : tables) {
    const bool isRoot = table.parent == Table::none;
    if (isRoot) {
      m_columns.push_back({.stored = schema.presenceColumn(root)});
      m_columns.push_back({.stored = schema.countsColumn(root)});
    } else {
      table.parent += first;
      if (table.kind != TableKind::oneRelation)
        addColumn();
    }
    for (MemberDefinition& member : table.members) {
      addColumn();
      Column& column = m_columns.back();
      if (!column.stored)
        continue;
      const kaon::Column& there = schema.columns()[*column.stored];
      member.precision = schema.table(there.table).members[there.member].precision;
      const TableKind kind = schema.table(there.table).kind;
      column.holdsTables = there.member == detail::relationCollection &&
                           (kind == TableKind::oneRelation || kind == TableKind::manyRelation);
    }
    m_schema.add(table);
    m_storedRoots.push_back(root);
  }
  addDecorations(root, first, tables, origins);
}

/// Adds the decorations of a collection that are not members of its datatype, under its table
/// `first`. `tables` are the datatype's tables.
void EvolvedSource::addDecorations(TableNumber root, std::uint32_t first,
                                   std::span<const TableDefinition> tables,
                                   std::span<const BindingOrigin> origins) {
  const Schema& schema = m_stored.schema();
  for (const TableNumber number : schema.tablesUnder(root)) {
    const Table table = schema.table(number);
    const auto isItself = [&](const BindingOrigin& one) { return one.table == number; };
    if (table.kind != TableKind::decoration || std::ranges::any_of(origins, isItself) ||
        std::ranges::find(tables, table.name, &TableDefinition::name) != tables.end())
      continue;
    TableDefinition decoration = table.definition();
    decoration.parent = first;
    addTable(number, std::move(decoration));
  }
}

EvolvedSource::Column EvolvedSource::columnOf(const BindingOrigin& origin) const {
  const Schema& schema = m_stored.schema();
  if (origin.mistake)
    return {.mistake = origin.mistake};
  if (origin.table == Table::none || origin.converted)
    return {.origin = origin};
  if (origin.member == BindingOrigin::slices)
    return {.stored = schema.countsColumn(origin.table)};
  const detail::MemberPosition place = schema.place(origin.table, origin.member);
  if (schema.columns()[place.column].role == ColumnRole::member)
    return {.stored = place.column};
  Column inRows{.origin = origin};
  inRows.origin.converted = schema.table(origin.table).members[origin.member].type;
  return inRows;
}

/// Returns the columns of the file from which a column is made.
std::vector<std::uint32_t> EvolvedSource::storedColumns(const Column& column) const {
  const Schema& schema = m_stored.schema();
  const BindingOrigin& origin = column.origin;
  if (column.stored)
    return {*column.stored};
  if (column.mistake || origin.table == Table::none)
    return {};
  std::vector<std::uint32_t> columns;
  if (origin.computation)
    for (const std::string& name : origin.computation->from)
      columns.push_back(
          schema.place(origin.table, schema.table(origin.table).members.find(name)).column);
  else
    columns.push_back(schema.place(origin.table, origin.member).column);
  for (const TableMember presence : origin.presences)
    columns.push_back(schema.place(presence.table, presence.member).column);
  return columns;
}

/// Keeps the numbers of collections in references if they are the same as in the file.
void EvolvedSource::renumber() {
  for (std::uint32_t number = 0; number < m_numbers.size(); ++number)
    if (m_numbers[number] != Table::none && m_numbers[number] != number)
      return;
  for (Column& column : m_columns)
    column.holdsTables = false;
}

/// Returns the table and member in the file whose values a member has unchanged.
std::optional<TableMember> EvolvedSource::storedMember(TableNumber table,
                                                       MemberNumber member) const {
  const Column& from = m_columns[m_schema.place(table, member).column];
  if (!from.stored || from.holdsTables)
    return std::nullopt;
  const kaon::Column& stored = m_stored.schema().columns()[*from.stored];
  return TableMember{stored.table, stored.role == ColumnRole::member ? stored.member : member};
}

/// Returns the file's sorted keys if the name of each key means the same member here. Otherwise
/// they would find wrong entries.
const Source* EvolvedSource::findSortedKeys() const {
  const Source* const sorted = m_stored.sortedKeys();
  if (!sorted)
    return nullptr;
  for (const Table& key : sorted->schema().tables()) {
    if (key.name == detail::entryOfKeys)
      continue;
    const auto here = findKey(m_schema, key.name);
    const auto there = findKey(m_stored.schema(), key.name);
    if (!here || !there ||
        storedMember(here->table, here->member) != TableMember{there->table, there->member})
      return nullptr;
  }
  return sorted;
}

std::optional<Extremes> EvolvedSource::extremes(TableNumber table, MemberNumber member,
                                                std::size_t cluster) const {
  return extremesFrom(table, member, [&](TableMember place) {
    return m_stored.extremes(place.table, place.member, cluster);
  });
}

/// Returns the file's extremes of a member, converted to the type that it is read as.
template <class Stored>
std::optional<Extremes> EvolvedSource::extremesFrom(TableNumber table, MemberNumber member,
                                                    Stored stored) const {
  if (const auto same = storedMember(table, member))
    return stored(*same);
  const BindingOrigin& origin = m_columns[m_schema.place(table, member).column].origin;
  if (!origin.converted || origin.computation || origin.table == Table::none)
    return std::nullopt;
  const auto known = stored(TableMember{origin.table, origin.member});
  if (!known)
    return std::nullopt;
  const Member there = m_stored.schema().table(origin.table).members[origin.member];
  const std::size_t bytes = std::size_t{sizeOf(*origin.converted)} * there.extent;
  return convertExtremes(*known, there.type, *origin.converted,
                         {origin.missing, origin.presences.empty() ? 0 : bytes});
}

std::optional<ColumnUsage> EvolvedSource::usage(ColumnNumber column) const {
  const std::vector<std::uint32_t> stored = storedColumns(m_columns[column]);
  std::optional<ColumnUsage> usage;
  if (!stored.empty())
    usage = m_stored.usage(stored.front());
  if (usage)
    usage->decodedBytes = usage->values * m_schema.columns()[column].elementSize;
  return usage;
}

} // namespace kaon
