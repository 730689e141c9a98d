#include <kaon/selecting/CommonSource.h>

#include <kaon/base/SortUnique.h>
#include <kaon/batch/Keys.h>
#include <kaon/batch/MissingPage.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/detail/reading/Window.h>

#include <algorithm>
#include <utility>

namespace kaon::detail {

/// Reads the source's pages, and makes those that it lacks.
class CommonSource::Reading final : public Cursor {
public:
  explicit Reading(const CommonSource& source) : m_source(source), m_window(source.m_source) {}

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override {
    std::vector<std::uint32_t> stored;
    for (const ColumnNumber column : columns)
      if (m_source.m_columns[column].origin == Origin::stored)
        stored.push_back(m_source.m_columns[column].column);
    sortUnique(stored);
    m_window.fetch(stored, entries);
  }
  [[nodiscard]] std::shared_ptr<const void> hold() override { return m_window.cursor().hold(); }

  [[nodiscard]] PageRange pages(TableNumber group, std::uint64_t entry) override {
    const Schema& stored = m_source.m_source.schema();
    if (group < stored.size())
      return m_window.cursor().pages(stored.groupOf(group), entry);
    constexpr std::uint64_t width = 4096; // of pages that only have missing values
    const std::uint64_t first = entry - entry % width;
    return {first, std::min(first + width, m_source.entries()), 0, 0};
  }

  [[nodiscard]] std::optional<Extremes> extremes(TableNumber table, MemberNumber member,
                                                 const PageRange& range) override {
    const auto stored = m_source.storedMember(table, member);
    return stored ? m_window.cursor().extremes(table, *stored, range) : std::nullopt;
  }

  void read(ColumnNumber column, const PageRange& range, std::size_t values, Page& page) override {
    const ColumnOrigin& origin = m_source.m_columns[column];
    if (origin.origin == Origin::stored && !origin.inRows)
      return m_window.cursor().read(origin.column, range, values, page);
    page.shared.reset();
    page.isRepeated = false;
    if (origin.origin == Origin::stored)
      return readFromRows(column, *origin.inRows, range, values, page);
    fillMissing(m_source.m_schema, column, false, values, m_source.name(), page);
    if (origin.origin == Origin::present)
      *page.storage.data() = std::byte{1};
  }

private:
  void readFromRows(ColumnNumber column, MemberNumber member, const PageRange& range,
                    std::size_t values, Page& page) {
    const Column info = m_source.m_schema.columns()[column];
    const ColumnView view = m_window.member(info.table, member, range.firstEntry);
    const auto out = page.roomFor(values * info.elementSize);
    copyStrided(out.data(), info.elementSize, view.base, view.stride, values, info.elementSize);
    page.values = values;
  }

  const CommonSource& m_source;
  Window m_window; // of its source
};

CommonSource::CommonSource(const Source& source, const CommonTables& common) : m_source(source) {
  const Schema& stored = source.schema();
  Tables tables;
  for (const Table& table : stored.tables()) {
    tables.definitions.push_back(table.definition());
    auto& members = tables.members.emplace_back();
    for (MemberNumber member = 0; member < table.members.size(); ++member)
      members.push_back({Origin::stored, member});
  }
  for (std::uint32_t number = 0; number < stored.size(); ++number)
    if (stored.table(number).isRoot())
      if (const DeclaredTables* const others = common.tablesFor(stored, number))
        replace(*others, number, tables);
  for (std::vector<TableDefinition>& lacked : common.lackedBy(stored)) {
    const auto first = static_cast<std::uint32_t>(tables.definitions.size());
    for (TableDefinition& definition : lacked) {
      if (definition.parent != Table::none)
        definition.parent += first;
      tables.members.emplace_back(definition.members.size());
      tables.definitions.push_back(placed(std::move(definition), Table::none));
    }
  }
  for (const TableDefinition& definition : tables.definitions)
    m_schema.add(definition);
  for (const Column& column : m_schema.columns())
    m_columns.push_back(originOf(column, tables.members[column.table]));
}

std::unique_ptr<Cursor> CommonSource::cursor() const { return std::make_unique<Reading>(*this); }

/// Replaces a root table of the source, and those under it. New tables follow all others.
void CommonSource::replace(const DeclaredTables& common, TableNumber root, Tables& tables) const {
  const DeclaredTables own(m_source.schema(), root);
  std::vector<TableNumber> inOwn, numbers; // of each common table
  for (CommonTable& table : common.definitions()) {
    const std::size_t i = numbers.size();
    TableNumber& parent = table.definition.parent;
    const bool isRoot = parent == Table::none;
    const TableNumber above = isRoot ? TableNumber(0) : inOwn[parent];
    inOwn.push_back(isRoot                 ? TableNumber(0)
                    : above == Table::none ? Table::none
                                           : own.find(above, common.tables()[i].at.path));
    parent = isRoot ? Table::none : numbers[parent];
    if (inOwn[i] == Table::none) {
      numbers.push_back(static_cast<std::uint32_t>(tables.definitions.size()));
      tables.members.emplace_back(table.members.size());
      tables.definitions.push_back(placed(std::move(table.definition), Table::none));
      continue;
    }
    numbers.push_back(own.tables()[inOwn[i]].number);
    tables.members[numbers[i]] = originsOf(table, own, inOwn[i]);
    tables.definitions[numbers[i]] = placed(std::move(table.definition), numbers[i]);
  }
}

/// Returns a definition with the layout of the source's table `own`, or of a table that it lacks.
TableDefinition CommonSource::placed(TableDefinition common, std::uint32_t own) const {
  common.use = TableUse::none;
  if (common.layout == Layout::row)
    common.layout = Layout::member;
  if (own == Table::none)
    return common;
  const Table stored = m_source.schema().table(own);
  if (stored.isRoot())
    common.kind = stored.kind;
  common.layout = stored.layout == Layout::row ? Layout::member : stored.layout;
  common.group = stored.use == TableUse::none ? stored.group : stored.name;
  return common;
}

std::vector<CommonSource::MemberOrigin>
CommonSource::originsOf(const CommonTable& common, const DeclaredTables& own, TableNumber table) {
  const DeclaredTable& plain = own.tables()[table];
  std::vector<MemberOrigin> origins;
  for (const CommonMember& member : common.members) {
    MemberOrigin& origin = origins.emplace_back();
    if (const auto presence = plain.optionals.find(member.path);
        member.isPresence && presence != plain.optionals.end())
      origin = {Origin::stored, *presence->second};
    else if (member.isPresence && own.hasBelow(table, member.path))
      origin = {Origin::present};
    else if (const DeclaredMember* const same = plain.find(member.path); !member.isPresence && same)
      origin = {Origin::stored, same->number};
  }
  return origins;
}

CommonSource::ColumnOrigin CommonSource::originOf(const Column& column,
                                                  const std::vector<MemberOrigin>& members) const {
  const Schema& stored = m_source.schema();
  if (column.table >= stored.size())
    return {};
  if (column.role == ColumnRole::presence)
    return {Origin::stored, stored.presenceColumn(column.table)};
  if (column.role == ColumnRole::counts)
    return {Origin::stored, stored.countsColumn(column.table)};
  if (column.role == ColumnRole::rows)
    return {Origin::stored, stored.columnsOf(column.table).last - 1};
  const MemberOrigin member = members[column.member];
  if (member.origin != Origin::stored)
    return {member.origin};
  const std::uint32_t place = stored.place(column.table, member.member).column;
  if (stored.columns()[place].role == ColumnRole::rows)
    return {Origin::stored, place, member.member};
  return {Origin::stored, place};
}

/// Returns the member of the source's table that has a member's values; nothing if it has none.
std::optional<std::uint32_t> CommonSource::storedMember(TableNumber table,
                                                        MemberNumber member) const {
  const ColumnOrigin& origin = originOf(table, member);
  if (origin.origin != Origin::stored || origin.inRows)
    return origin.inRows;
  const Column& column = m_source.schema().columns()[origin.column];
  return column.role == ColumnRole::member ? column.member : member;
}

std::optional<Extremes> CommonSource::extremes(TableNumber table, MemberNumber member,
                                               std::size_t cluster) const {
  const auto stored = storedMember(table, member);
  return stored ? m_source.extremes(table, *stored, cluster) : std::nullopt;
}

std::vector<Extremes> CommonSource::extremesOfClusters(TableNumber table,
                                                       MemberNumber member) const {
  const auto stored = storedMember(table, member);
  return stored ? m_source.extremesOfClusters(table, *stored) : std::vector<Extremes>();
}

std::optional<ColumnUsage> CommonSource::usage(ColumnNumber column) const {
  const ColumnOrigin& origin = m_columns[column];
  return origin.origin == Origin::stored ? m_source.usage(origin.column) : std::nullopt;
}

/// Returns the source's sorted keys if all keys are integers here, too.
const Source* CommonSource::sortedKeys() const noexcept {
  const Source* const sorted = m_source.sortedKeys();
  const bool areKeys =
      sorted && std::ranges::all_of(sorted->schema().tables(), [&](const Table& key) {
        return key.name == entryOfKeys || findKey(m_schema, key.name);
      });
  return areKeys ? sorted : nullptr;
}

} // namespace kaon::detail
