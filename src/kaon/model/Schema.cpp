#include <kaon/model/Schema.h>

#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/base/Joined.h>
#include <kaon/base/Suggestion.h>
#include <kaon/codec/RoundTo.h>
#include <kaon/model/OptionalRows.h>
#include <kaon/model/Structure.h>
#include <kaon/model/TableCheck.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>

namespace kaon {
namespace {

/// Returns whether a table's rows are stored as whole structs. Only structs that users define can
/// be.
bool hasRowLayout(TableKind kind, Layout layout, std::size_t members) noexcept {
  return layout == Layout::row && members > 0 &&
         (kind == TableKind::collection || kind == TableKind::vectorMember);
}

[[noreturn]] void failUnknown(std::string_view name, const std::vector<std::string>& known) {
  fail(ErrorKind::name, "no column is called '", name, "'", suggestion(name, known));
}

std::size_t hashOf(std::string_view name) noexcept {
  return static_cast<std::size_t>(checksum(std::as_bytes(std::span(name))));
}

} // namespace

TableNumber Schema::add(const TableDefinition& table) {
  const auto before = std::array{m_tables.size(), m_members.size(), m_texts.size()};
  const auto put = [this](std::string_view text) {
    const detail::TextRange place{static_cast<std::uint32_t>(m_texts.size()),
                                  static_cast<std::uint32_t>(text.size())};
    m_texts.append(text);
    return place;
  };
  detail::TableRecord record{.name = put(table.name),
                             .type = put(table.type),
                             .description = put(table.description),
                             .group = put(table.group),
                             .parent = table.parent,
                             .rowSize = table.rowSize,
                             .firstMember = static_cast<std::uint32_t>(m_members.size()),
                             .members = static_cast<std::uint32_t>(table.members.size()),
                             .kind = table.kind,
                             .layout = table.layout,
                             .use = table.use};
  for (const MemberDefinition& member : table.members)
    m_members.push_back({.name = put(member.name),
                         .unit = put(member.unit),
                         .description = put(member.description),
                         .structure = put(member.structure),
                         .extent = member.extent,
                         .offset = member.offset,
                         .missing = member.missing,
                         .precisionLow = member.precision.low,
                         .precisionStep = member.precision.step,
                         .type = member.type,
                         .precisionKind = member.precision.kind,
                         .precisionBits = member.precision.bits,
                         .listsBefore = member.listsBefore,
                         .precisionLast = member.precision.last});
  m_tables.push_back(record);
  std::string wrong = precisionMistakeIn(this->table(size() - 1));
  if (wrong.empty())
    wrong = m_texts.size() > std::numeric_limits<std::uint32_t>::max()
                ? "the names and descriptions of all tables exceed 4 GiB"
                : link();
  if (!wrong.empty()) {
    truncate(before[0], before[1], before[2]);
    fail(ErrorKind::usage, wrong);
  }
  return size() - 1;
}

std::string Schema::add(const detail::SchemaBlock& block) {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  const std::size_t members = m_members.size(), texts = m_texts.size();
  if (block.tables.size() >= most - m_tables.size() || block.members.size() > most - members ||
      block.texts.size() > most - texts)
    return "it has too many tables";
  const auto isText = [&](detail::TextRange place) {
    return place.begin <= block.texts.size() && place.size <= block.texts.size() - place.begin;
  };
  const auto move = [&](detail::TextRange& place) {
    place.begin += static_cast<std::uint32_t>(texts);
  };
  m_texts.append(block.texts);
  for (detail::MemberRecord member : block.members) {
    detail::TextRange* const places[] = {&member.name, &member.unit, &member.description,
                                         &member.structure};
    if (!std::ranges::all_of(places,
                             [&](const detail::TextRange* place) { return isText(*place); }))
      return "a name of a member lies outside";
    for (detail::TextRange* const place : places)
      move(*place);
    m_members.push_back(member);
  }
  m_tables.reserve(m_tables.size() + block.tables.size());
  std::size_t nextMember = 0; // tables do not share members, so memory stays in proportion
  for (detail::TableRecord table : block.tables) {
    if (!isText(table.name) || !isText(table.type) || !isText(table.description) ||
        !isText(table.group))
      return "a name of a table lies outside";
    if (table.firstMember != nextMember || table.members > block.members.size() - nextMember)
      return "members of a table lie outside";
    nextMember += table.members;
    for (detail::TextRange* place : {&table.name, &table.type, &table.description, &table.group})
      move(*place);
    table.firstMember += static_cast<std::uint32_t>(members);
    if (!table.statesStructure)
      addStructures(table);
    m_tables.push_back(table);
  }
  std::string wrong = link();
  if (wrong.empty())
    ignoreWrongPrecisions(members);
  return wrong;
}

/// Makes precisions exact that this version does not know, or that make no sense. Readers ignore
/// them, and copies of the schema are to be written.
void Schema::ignoreWrongPrecisions(std::size_t firstMember) {
  for (detail::MemberRecord& record : std::span(m_members).subspan(firstMember)) {
    if (record.precisionKind == Precision::Kind::exact)
      continue;
    const Member member = Members(&record, 1, m_texts.data())[0];
    if (codec::check(member.precision, detail::elementOf(member)).empty())
      continue;
    record.precisionKind = Precision::Kind::exact;
    record.precisionBits = 0;
    record.precisionLow = record.precisionStep = 0;
    record.precisionLast = 0;
  }
}

/// Derives the structures of a table's members from their names.
void Schema::addStructures(detail::TableRecord& table) {
  table.statesStructure = true;
  std::vector<NamedMember> named;
  const std::span members(m_members.data() + table.firstMember, table.members);
  for (const detail::MemberRecord& member : members)
    named.push_back({text(member.name), member.type, member.extent});
  const auto structures = structuresFromNames(named);
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i].structure = {static_cast<std::uint32_t>(m_texts.size()),
                            static_cast<std::uint32_t>(structures[i].size())};
    m_texts.append(structures[i]);
  }
}

Schema Schema::first(std::uint32_t tables) const {
  Schema part;
  const std::size_t members = tables < size() ? m_tables[tables].firstMember : m_members.size();
  const std::string wrong =
      part.add({std::span(m_tables).first(tables), std::span(m_members).first(members), m_texts});
  assert(wrong.empty());
  return part;
}

bool operator==(const Schema& a, const Schema& b) noexcept {
  const auto haveSameBytes = [](const auto& x, const auto& y) {
    return std::ranges::equal(std::as_bytes(std::span(x)), std::as_bytes(std::span(y)));
  };
  return haveSameBytes(a.m_tables, b.m_tables) && haveSameBytes(a.m_members, b.m_members) &&
         a.m_texts == b.m_texts;
}

void Schema::truncate(std::size_t tables, std::size_t members, std::size_t texts) {
  m_tables.resize(tables);
  m_members.resize(members);
  m_texts.resize(texts);
}

/// Checks and links the tables that are not linked yet. Returns the first mistake, or "".
std::string Schema::link() {
  while (m_links.size() < m_tables.size()) {
    const auto number = static_cast<std::uint32_t>(m_links.size());
    if (std::string wrong = checkTable(number); !wrong.empty())
      return wrong;
    link(number);
  }
  return {};
}

void Schema::link(TableNumber number) {
  const detail::TableRecord& record = m_tables[number]; // smaller than its Table
  const bool isRoot = record.parent == Table::none;
  const TableNumber root = isRoot ? number : m_links[record.parent].root;
  const std::uint32_t level = isRoot ? 0 : m_links[record.parent].level + 1;
  if (isRoot && m_areNamedByRoots) // the names of other tables begin with that of their parent
    m_areNamedByRoots = text(record.name).find('.') == std::string_view::npos;
  m_links.push_back({root, number, number, number, level});
  m_nextUnder.push_back(Table::none);
  m_nextInGroup.push_back(Table::none);
  if (!isRoot)
    m_nextUnder[std::exchange(m_links[root].lastUnder, number)] = number;
  else if (record.group.size > 0 || record.kind == TableKind::value)
    linkGroup(number);
  if (isRoot && detail::isCounted(record.kind))
    m_columns.push_back({number, ColumnRole::presence, 0, 1});
  if (detail::isCounted(record.kind))
    m_columns.push_back({number, ColumnRole::counts, 0, sizeof(std::uint32_t)});
  if (hasRowLayout(record.kind, record.layout, record.members))
    m_columns.push_back({number, ColumnRole::rows, 0, record.rowSize});
  else
    for (MemberNumber i = 0; i < record.members; ++i) {
      const detail::MemberRecord& member = m_members[record.firstMember + i];
      m_columns.push_back({number, ColumnRole::member, i, sizeOf(member.type) * member.extent});
    }
  m_firstColumn.push_back(static_cast<std::uint32_t>(m_columns.size()));
  remember(number);
}

/// Adds a root table to the end of its group.
void Schema::linkGroup(TableNumber number) {
  const detail::TableRecord& record = m_tables[number];
  TableNumber& values = has(record.use, TableUse::tag) ? m_tags : m_values;
  TableNumber& group =
      record.group.size == 0
          ? values
          : m_groups.try_emplace(std::string(text(record.group)), number).first->second;
  if (group == Table::none)
    group = number;
  if (group == number)
    return;
  m_links[number].group = group;
  m_nextInGroup[std::exchange(m_links[group].lastInGroup, number)] = number;
}

void Schema::remember(TableNumber number) {
  const auto insert = [this](std::uint32_t each) {
    std::size_t slot = hashOf(text(m_tables[each].name));
    while (m_byName[slot & (m_byName.size() - 1)] != Table::none)
      ++slot;
    m_byName[slot & (m_byName.size() - 1)] = each;
  };
  if (m_links.size() * 2 > m_byName.size()) {
    m_byName.assign(std::bit_ceil(std::max<std::size_t>(m_tables.size(), 8) * 2), Table::none);
    for (std::uint32_t each = 0; each < number; ++each)
      insert(each);
  }
  insert(number);
}

detail::MemberPosition Schema::place(TableNumber table, MemberNumber member) const noexcept {
  const detail::TableRecord& record = m_tables[table];
  const bool isRoot = record.parent == Table::none, isCounted = detail::isCounted(record.kind);
  const std::uint32_t first =
      m_firstColumn[table] + (isRoot && isCounted ? 1 : 0) + (isCounted ? 1 : 0);
  return hasRowLayout(record.kind, record.layout, record.members)
             ? detail::MemberPosition{first, m_members[record.firstMember + member].offset}
             : detail::MemberPosition{first + member, 0};
}

/// Returns the first table with this name that `isWanted` accepts.
template <class Wanted>
TableNumber Schema::findWhere(std::string_view name, Wanted isWanted) const noexcept {
  if (m_byName.empty())
    return Table::none;
  for (std::size_t slot = hashOf(name);; ++slot) {
    const TableNumber number = m_byName[slot & (m_byName.size() - 1)];
    if (number == Table::none || (text(m_tables[number].name) == name && isWanted(number)))
      return number;
  }
}

/// Returns the table with this name that is no parameter.
TableNumber Schema::findOther(std::string_view name) const noexcept {
  return findWhere(name,
                   [this](TableNumber n) { return m_tables[n].kind != TableKind::parameter; });
}

TableNumber Schema::find(std::string_view name) const noexcept {
  const TableNumber other = findOther(name);
  return other != Table::none ? other : findWhere(name, [](TableNumber) { return true; });
}

TableNumber Schema::findCollection(std::string_view name) const noexcept {
  return findWhere(name,
                   [this](TableNumber n) { return m_tables[n].kind == TableKind::collection; });
}

TableNumber Schema::findParameter(std::string_view name, std::string_view type) const noexcept {
  return findWhere(name, [&](TableNumber n) {
    return m_tables[n].kind == TableKind::parameter && text(m_tables[n].type) == type;
  });
}

TableNumber Schema::tableNamed(std::string_view name) const {
  const TableNumber number = find(name);
  if (number != Table::none)
    return number;
  std::vector<std::string> known;
  for (const Table& table : tables())
    known.emplace_back(table.name);
  fail(ErrorKind::name, "there is no '", name, "'", suggestion(name, known));
}

TableNumber Schema::contentsOf(TableNumber number) const {
  const auto inside = [this](TableNumber above, std::string_view tail) {
    const TableNumber below = find(joined(table(above).name, tail));
    return below != Table::none && table(below).parent == above ? below : Table::none;
  };
  while (number != Table::none && table(number).members.empty()) {
    const std::uint32_t text = inside(number, ".text");
    if (text != Table::none && table(text).kind == TableKind::text)
      return text;
    const std::uint32_t lists = inside(number, ".");
    if (lists == Table::none)
      break;
    number = lists;
  }
  return number;
}

std::optional<TableMember> Schema::findMember(std::string_view name) const {
  // The table's name is the longest possible head of the name, because both may contain dots.
  for (std::size_t head = name.size(); head != std::string_view::npos && head > 0;
       head = name.rfind('.', head - 1)) {
    const std::string_view tail = head < name.size() ? name.substr(head + 1) : "";
    const TableNumber outer = find(name.substr(0, head));
    const TableNumber number = tail.empty() ? contentsOf(outer) : outer;
    if (number == Table::none)
      continue;
    const Members members = table(number).members;
    if (const MemberNumber member = members.find(tail); member < members.size())
      return {{number, member}};
    const std::uint32_t rows = contentsOf(number);
    if (rows == Table::none || !isOptionalRow(table(rows).members))
      continue;
    const Members parts = table(rows).members;
    if (const std::uint32_t part = parts.find(joined(".", tail)); part < parts.size())
      return {{rows, part}};
  }
  return std::nullopt;
}

std::string Schema::dottedName(std::string_view name) const {
  for (std::size_t at = name.find('_'); at != std::string_view::npos; at = name.find('_', at + 1))
    if (findCollection(name.substr(0, at)) != Table::none)
      if (std::string dotted = joined(name.substr(0, at), ".", name.substr(at + 1));
          findMember(dotted))
        return dotted;
  return {};
}

std::optional<TableMember> Schema::findNamed(std::string_view name) const {
  const auto member = findMember(name);
  return member ? member : findMember(dottedName(name));
}

TableMember Schema::memberNamed(std::string_view name) const {
  if (const auto member = findNamed(name))
    return *member;
  failUnknown(name, memberNames());
}

std::optional<TableMember> Schema::findOptional(std::string_view name) const {
  for (TableNumber number = 0; number < size(); ++number) {
    const Table table = this->table(number);
    for (MemberNumber member = 0; member < table.members.size(); ++member)
      if (const Member info = table.members[member];
          info.structure.find(optionalStep) != std::string_view::npos &&
          nameInModel(number, member) == name)
        return {{number, member}};
  }
  return std::nullopt;
}

TableMember Schema::valueNamed(std::string_view name) const {
  if (const auto member = findNamed(name))
    return *member;
  if (const auto value = findOptional(name))
    return *value;
  failUnknown(name, memberNames());
}

std::vector<std::string> Schema::memberNames() const {
  std::vector<std::string> names;
  for (TableNumber table = 0; table < m_tables.size(); ++table)
    for (MemberNumber member = 0; member < m_tables[table].members; ++member)
      names.push_back(nameOfMember(table, member));
  return names;
}

std::string Schema::nameOfMember(TableNumber table, MemberNumber member) const {
  const Table owner = this->table(table);
  const std::string_view name = owner.members[member].name;
  if (!name.empty() && name.front() != '.')
    return joined(owner.name, ".", name);
  return joined(owner.name.substr(0, owner.name.find_last_not_of('.') + 1), name);
}

std::string Schema::pathOfMember(TableNumber table, MemberNumber member) const {
  const Table owner = this->table(table);
  const std::string_view name = owner.members[member].name;
  if (owner.kind != TableKind::decoration)
    return std::string(name);
  return dotted(owner.name.substr(this->table(owner.parent).name.size() + 1), name);
}

namespace {

/// Returns the name of a table without the parts of optionals around its lists.
std::string rowsInModel(const Schema& schema, TableNumber number) {
  const Table table = schema.table(number);
  std::string name(table.name);
  if (table.isRoot() || name.find(optionalValue) == std::string::npos)
    return name;
  const Table above = schema.table(table.parent);
  if (table.kind == TableKind::text)
    return rowsInModel(schema, table.parent);
  const std::string_view path = table.name.substr(above.name.size() + 1);
  const std::string structure = structureOfList(path, [&](std::string_view part) {
    const MemberNumber member = above.members.find(part);
    return member < above.members.size() ? above.members[member].structure : std::string_view();
  });
  return dotted(rowsInModel(schema, table.parent), pathInModel(path, structure));
}

} // namespace

std::string Schema::nameInModel(TableNumber table, MemberNumber member) const {
  const Table owner = this->table(table);
  const std::string rows =
      rowsInModel(*this, owner.kind == TableKind::decoration ? owner.parent : table);
  return dotted(rows.substr(0, rows.find_last_not_of('.') + 1),
                pathInModel(pathOfMember(table, member), owner.members[member].structure));
}

std::vector<TableMember> Schema::findBelow(std::string_view name) const {
  std::vector<TableMember> placed;
  const auto isBelow = [](std::string_view full, std::string_view head) {
    return full.starts_with(head) && (full.size() == head.size() || full[head.size()] == '.');
  };
  const auto addFrom = [&](TableNumber table) {
    const std::string_view tableName = text(m_tables[table].name);
    const bool isAll = tableName.size() >= name.size();
    const std::string_view longer = isAll ? tableName : name;
    const std::size_t common = std::min(tableName.size(), name.size());
    const bool endsThere = longer.size() == common || longer[common] == '.';
    if (!endsThere || std::memcmp(tableName.data(), name.data(), common) != 0)
      return;
    const Table info = this->table(table);
    const std::string_view tail = isAll ? "" : name.substr(tableName.size() + 1);
    for (MemberNumber member = 0; member < info.members.size(); ++member)
      if (isAll || isBelow(info.members[member].name, tail))
        placed.emplace_back(table, member);
  };
  constexpr std::uint32_t many = 64; // with fewer tables, looking at all of them is faster
  if (m_areNamedByRoots && size() > many) {
    (void)findWhere(name.substr(0, name.find('.')), [&](TableNumber root) {
      if (this->table(root).isRoot())
        std::ranges::for_each(tablesUnder(root), addFrom);
      return false;
    });
    std::ranges::sort(placed); // a collection and parameters may have one name
  } else {
    for (TableNumber table = 0; table < size(); ++table)
      addFrom(table);
  }
  if (placed.empty() && find(name) == Table::none)
    if (const auto member = findNamed(name))
      placed.push_back(*member);
  return placed;
}

/// Throws Error(name) for a name that is not the head of any member's name.
void Schema::failUnknownHead(std::string_view name) const {
  std::vector<std::string> known = memberNames(); // with their heads: "Muon", "Hits.position"
  for (std::size_t i = 0, members = known.size(); i < members; ++i)
    for (std::size_t dot = known[i].find('.'); dot != std::string::npos;
         dot = known[i].find('.', dot + 1))
      known.push_back(known[i].substr(0, dot));
  failUnknown(name, known);
}

std::vector<TableMember> Schema::membersBelow(std::string_view name) const {
  std::vector<TableMember> placed = findBelow(name);
  if (placed.empty() && find(name) == Table::none)
    failUnknownHead(name);
  return placed;
}

std::vector<TableMember> Schema::valuesBelow(std::string_view name) const {
  std::vector<TableMember> placed = findBelow(name);
  if (!placed.empty() || find(name) != Table::none)
    return placed;
  if (const auto value = findOptional(name))
    return {*value};
  failUnknownHead(name);
}

bool Schema::contains(std::string_view name) const {
  return find(name) != Table::none || !findBelow(name).empty();
}

/// Returns the mistake in a table that is to be linked next, or "".
std::string Schema::checkTable(TableNumber number) const {
  const Table info = table(number);
  const bool hasParent = !info.isRoot() && info.parent < number;
  const auto above = hasParent ? std::optional(table(info.parent)) : std::nullopt;
  if (std::string wrong = mistakeIn(info, above ? &*above : nullptr); !wrong.empty())
    return wrong;
  if (hasParent && m_links[info.parent].level + 1 >= detail::mostLevels)
    return joined("table '", info.name, "' lies under too many others: more than ",
                  std::to_string(detail::mostLevels - 1));
  const bool isParameter = info.kind == TableKind::parameter;
  const TableNumber same = isParameter ? findParameter(info.name, info.type) : findOther(info.name);
  if (same != Table::none)
    return joined("two tables are called '", info.name, "'");
  return {};
}

} // namespace kaon
