#include <kaon/model/Schema.h>

#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Utf8.h>
#include <kaon/codec/RoundTo.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <limits>

namespace kaon {
namespace {

std::vector<MemberDefinition> membersOf(std::span<const Leaf> leaves) {
  std::vector<MemberDefinition> members;
  members.reserve(leaves.size());
  for (const Leaf& leaf : leaves)
    members.push_back({std::string(leaf.name), leaf.type, leaf.extent, leaf.offset,
                       std::string(leaf.unit), std::string(leaf.description)});
  return members;
}

/// The characters of strings, which have the strings' unit.
MemberDefinition charactersOf(const VectorMember& strings) {
  return {"", Scalar::UInt8, 1, 0, std::string(strings.unit), ""};
}

/// Whether the table's rows can be kept as whole structs: only what users define as structs.
bool hasRowLayout(const Table& table) noexcept {
  return table.layout == Layout::row && !table.members.empty() &&
         (table.kind == TableKind::collection || table.kind == TableKind::vectorMember);
}

/// Whether the rows of a table are strings, or characters of one.
bool holdsText(const Table& table) noexcept {
  return table.type == VectorMember::string &&
         (table.kind == TableKind::parameter || table.kind == TableKind::vectorMember);
}

bool mayLieUnder(const Table& child, const Table& parent) noexcept {
  switch (child.kind) {
  case TableKind::text:
    return parent.kind == TableKind::parameter ||
           (parent.kind == TableKind::vectorMember && holdsText(parent) && parent.members.empty());
  case TableKind::vectorMember:
    return parent.kind == TableKind::collection ||
           ((parent.kind == TableKind::vectorMember || parent.kind == TableKind::parameter) &&
            !holdsText(parent)) ||
           (parent.kind == TableKind::value && parent.use == TableUse::none);
  default:
    return parent.kind == TableKind::collection;
  }
}

bool bearsNameOf(const Table& parent, const Table& child) noexcept {
  return child.name.starts_with(parent.name) && child.name.size() > parent.name.size() &&
         child.name[parent.name.size()] == '.';
}

bool liesUnderEntries(TableKind kind) noexcept {
  return kind == TableKind::collection || kind == TableKind::parameter || kind == TableKind::value;
}

/// Rows of relations are copied as they lie in memory: index and collection, nothing else.
bool hasRelationMembers(const Table& table) noexcept {
  const auto isAt = [&](std::uint32_t member, Scalar type, std::uint32_t offset) {
    const Member info = table.members[member];
    return info.type == type && info.extent == 1 && info.offset == offset;
  };
  return table.members.size() == 2 && table.rowSize == 8 && isAt(relationIndex, Scalar::Int32, 0) &&
         isAt(relationCollection, Scalar::UInt32, 4);
}

std::size_t hashOf(std::string_view name) noexcept {
  return static_cast<std::size_t>(checksum(std::as_bytes(std::span(name))));
}

template <class... Parts>
std::string joined(Parts&&... parts) {
  std::string text;
  (text.append(parts), ...);
  return text;
}

/// What is wrong with what is to be kept of a table's floats. Only for values that are yet to be
/// written: those of a file are read whatever it says of them.
std::string checkPrecision(const Table& info) {
  for (const Member& member : info.members) {
    if (static_cast<std::size_t>(member.type) >= scalarKinds)
      continue; // is found elsewhere
    if (const std::string wrong = codec::check(member.precision, elementOf(member)); !wrong.empty())
      return joined("'", info.name, member.name.empty() ? "" : ".", member.name, "': ", wrong);
  }
  return "";
}

/// What is wrong with a tag or key.
std::string checkUse(const Table& info) {
  if (info.use == TableUse::none)
    return "";
  if (info.kind != TableKind::value || info.members.size() != 1 || info.members[0].extent != 1)
    return joined("'", info.name, "' is not a single value an entry, as tags and keys are");
  const Scalar type = info.members[0].type;
  if (has(info.use, TableUse::key) && (type == Scalar::Bool || isFloat(type)))
    return joined("'", info.name, "' is a key, by which events are found, but not of integers");
  if (has(info.use, TableUse::tag) && !info.group.empty())
    return joined("'", info.name, "' is a tag, and cannot be in a group of others");
  return "";
}

/// The tables of a vector member: of each list in a list one, then that of what the innermost hold.
void addTablesOf(const VectorMember& vector, std::string name, std::uint32_t root, Layout layout,
                 std::vector<TableDefinition>& tables) {
  const auto last = [&] { return root + static_cast<std::uint32_t>(tables.size()) - 1; };
  for (std::uint32_t level = 0; level <= vector.depth; ++level) {
    const bool isInnermost = level == vector.depth;
    tables.push_back({.name = name,
                      .kind = TableKind::vectorMember,
                      .layout = layout,
                      .type = isInnermost ? std::string(vector.type) : "",
                      .parent = level == 0 ? root : last(),
                      .rowSize = isInnermost ? vector.rowSize : 0,
                      .members = {},
                      .description = level == 0 ? std::string(vector.description) : ""});
    name += isInnermost ? ".text" : ".";
  }
  tables.back().members =
      vector.isString() ? std::vector{charactersOf(vector)} : membersOf(vector.leaves);
  if (vector.holdsStrings())
    tables.push_back({.name = std::move(name),
                      .kind = TableKind::text,
                      .type = std::string(nameOf(Scalar::UInt8)),
                      .parent = last(),
                      .rowSize = 1,
                      .members = {charactersOf(vector)}});
}

} // namespace

std::uint32_t Schema::add(const TableDefinition& table) {
  const auto before = std::array{m_tables.size(), m_members.size(), m_texts.size()};
  const auto put = [this](std::string_view text) {
    const TextPlace place{static_cast<std::uint32_t>(m_texts.size()),
                          static_cast<std::uint32_t>(text.size())};
    m_texts.append(text);
    return place;
  };
  TableRecord record{.name = put(table.name),
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
                         .extent = member.extent,
                         .offset = member.offset,
                         .missing = member.missing,
                         .precisionLow = member.precision.low,
                         .precisionStep = member.precision.step,
                         .type = member.type,
                         .precisionKind = member.precision.kind,
                         .precisionBits = member.precision.bits,
                         .precisionLast = member.precision.last});
  m_tables.push_back(record);
  std::string wrong = checkPrecision(this->table(size() - 1));
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

std::string Schema::add(const SchemaBlock& block) {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  const std::size_t members = m_members.size(), texts = m_texts.size();
  if (block.tables.size() >= most - m_tables.size() || block.members.size() > most - members ||
      block.texts.size() > most - texts)
    return "it has too many tables";
  const auto isText = [&](TextPlace place) {
    return place.begin <= block.texts.size() && place.size <= block.texts.size() - place.begin;
  };
  const auto move = [&](TextPlace& place) { place.begin += static_cast<std::uint32_t>(texts); };
  m_texts.append(block.texts);
  for (MemberRecord member : block.members) {
    if (!isText(member.name) || !isText(member.unit) || !isText(member.description))
      return "a name of a member lies outside";
    move(member.name);
    move(member.unit);
    move(member.description);
    m_members.push_back(member);
  }
  m_tables.reserve(m_tables.size() + block.tables.size());
  std::size_t nextMember = 0; // tables do not share members: so that memory stays in proportion
  for (TableRecord table : block.tables) {
    if (!isText(table.name) || !isText(table.type) || !isText(table.description) ||
        !isText(table.group))
      return "a name of a table lies outside";
    if (table.firstMember != nextMember || table.members > block.members.size() - nextMember)
      return "members of a table lie outside";
    nextMember += table.members;
    for (TextPlace* place : {&table.name, &table.type, &table.description, &table.group})
      move(*place);
    table.firstMember += static_cast<std::uint32_t>(members);
    m_tables.push_back(table);
  }
  return link();
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

/// Checks and links the tables that are not yet.
std::string Schema::link() {
  while (m_links.size() < m_tables.size()) {
    const auto number = static_cast<std::uint32_t>(m_links.size());
    if (std::string wrong = checkTable(number); !wrong.empty())
      return wrong;
    link(number);
  }
  return "";
}

void Schema::link(std::uint32_t number) {
  const Table info = table(number);
  const std::uint32_t root = info.isRoot() ? number : m_links[info.parent].root;
  const std::uint32_t level = info.isRoot() ? 0 : m_links[info.parent].level + 1;
  m_links.push_back({root, number, number, number, level});
  m_nextUnder.push_back(Table::none);
  m_nextInGroup.push_back(Table::none);
  if (root != number)
    m_nextUnder[std::exchange(m_links[root].lastUnder, number)] = number;
  else if (!info.group.empty() || info.kind == TableKind::value)
    linkGroup(number);
  if (info.canBeAbsent())
    m_columns.push_back({number, ColumnRole::presence, 0, 1});
  if (info.isCounted())
    m_columns.push_back({number, ColumnRole::counts, 0, sizeof(std::uint32_t)});
  if (hasRowLayout(info))
    m_columns.push_back({number, ColumnRole::rows, 0, info.rowSize});
  else
    for (std::uint32_t i = 0; i < info.members.size(); ++i)
      m_columns.push_back({number, ColumnRole::member, i, info.members[i].size()});
  m_firstColumn.push_back(static_cast<std::uint32_t>(m_columns.size()));
  remember(number);
}

/// Puts a root table behind the others of its group, if there are any.
void Schema::linkGroup(std::uint32_t number) {
  const Table info = table(number);
  const auto isSame = [&](std::uint32_t group) {
    const Table first = table(group);
    return first.group == info.group &&
           (!info.group.empty() || has(first.use, TableUse::tag) == has(info.use, TableUse::tag));
  };
  const auto same = std::ranges::find_if(m_groups, isSame);
  if (same == m_groups.end()) {
    m_groups.push_back(number);
    return;
  }
  m_links[number].group = *same;
  m_nextInGroup[std::exchange(m_links[*same].lastInGroup, number)] = number;
}

void Schema::remember(std::uint32_t number) {
  const auto insert = [this](std::uint32_t each) {
    std::size_t slot = hashOf(table(each).name);
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

Place Schema::place(std::uint32_t table, std::uint32_t member) const noexcept {
  const Table owner = this->table(table);
  const std::uint32_t first = countsColumn(table) + (owner.isCounted() ? 1 : 0);
  return hasRowLayout(owner) ? Place{first, owner.members[member].offset}
                             : Place{first + member, 0};
}

/// The first table of this name that is wanted.
template <class Wanted>
std::uint32_t Schema::findWhere(std::string_view name, Wanted isWanted) const noexcept {
  if (m_byName.empty())
    return Table::none;
  for (std::size_t slot = hashOf(name);; ++slot) {
    const std::uint32_t number = m_byName[slot & (m_byName.size() - 1)];
    if (number == Table::none || (text(m_tables[number].name) == name && isWanted(number)))
      return number;
  }
}

std::uint32_t Schema::find(std::string_view name) const noexcept {
  const std::uint32_t other =
      findWhere(name, [this](std::uint32_t n) { return m_tables[n].kind != TableKind::parameter; });
  return other != Table::none ? other : findWhere(name, [](std::uint32_t) { return true; });
}

std::uint32_t Schema::findCollection(std::string_view name) const noexcept {
  return findWhere(name,
                   [this](std::uint32_t n) { return m_tables[n].kind == TableKind::collection; });
}

std::uint32_t Schema::findParameter(std::string_view name, std::string_view type) const noexcept {
  return findWhere(name, [&](std::uint32_t n) {
    return m_tables[n].kind == TableKind::parameter && text(m_tables[n].type) == type;
  });
}

std::uint32_t Schema::tableNamed(std::string_view name) const {
  const std::uint32_t number = find(name);
  if (number != Table::none)
    return number;
  std::vector<std::string> known;
  for (const Table& table : tables())
    known.emplace_back(table.name);
  fail(ErrorKind::name, "there is no '", name, "'", suggestion(name, known));
}

std::uint32_t Schema::contentsOf(std::uint32_t number) const {
  const auto inside = [this](std::uint32_t above, std::string_view tail) {
    const std::uint32_t below = find(joined(table(above).name, tail));
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

std::optional<std::pair<std::uint32_t, std::uint32_t>>
Schema::findMember(std::string_view name) const {
  // The table's name is the longest head that is one: both names may contain dots.
  for (std::size_t head = name.size(); head != std::string_view::npos && head > 0;
       head = name.rfind('.', head - 1)) {
    const std::string_view tail = head < name.size() ? name.substr(head + 1) : "";
    const std::uint32_t outer = find(name.substr(0, head));
    const std::uint32_t number = tail.empty() ? contentsOf(outer) : outer;
    if (number == Table::none)
      continue;
    const Members members = table(number).members;
    if (const std::uint32_t member = members.find(tail); member < members.size())
      return {{number, member}};
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

std::optional<std::pair<std::uint32_t, std::uint32_t>>
Schema::findNamed(std::string_view name) const {
  const auto member = findMember(name);
  return member ? member : findMember(dottedName(name));
}

std::pair<std::uint32_t, std::uint32_t> Schema::memberNamed(std::string_view name,
                                                            std::string_view where) const {
  if (const auto member = findNamed(name))
    return *member;
  std::vector<std::string> known;
  for (std::uint32_t table = 0; table < m_tables.size(); ++table)
    for (std::uint32_t member = 0; member < m_tables[table].members; ++member)
      known.push_back(nameOfMember(table, member));
  fail(ErrorKind::name, where, where.empty() ? "" : ": ", "no column is called '", name, "'",
       suggestion(name, known));
}

std::string Schema::nameOfMember(std::uint32_t table, std::uint32_t member) const {
  const Table owner = this->table(table);
  const std::string_view name = owner.members[member].name;
  if (!name.empty())
    return joined(owner.name, ".", name);
  return std::string(owner.name.substr(0, owner.name.find_last_not_of('.') + 1));
}

std::vector<std::pair<std::uint32_t, std::uint32_t>>
Schema::findBelow(std::string_view name) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> placed;
  const auto isBelow = [](std::string_view full, std::string_view head) {
    return full.starts_with(head) && (full.size() == head.size() || full[head.size()] == '.');
  };
  for (std::uint32_t table = 0; table < size(); ++table) {
    // Only the name: there may be very many tables.
    const std::string_view tableName = text(m_tables[table].name);
    const std::size_t shorter = std::min(tableName.size(), name.size());
    if (std::char_traits<char>::compare(tableName.data(), name.data(), shorter) != 0)
      continue;
    const bool isAll = isBelow(tableName, name);
    if (!isAll && !isBelow(name, tableName))
      continue;
    const Table info = this->table(table);
    const std::string_view tail = isAll ? "" : name.substr(tableName.size() + 1);
    for (std::uint32_t member = 0; member < info.members.size(); ++member)
      if (isAll || isBelow(info.members[member].name, tail))
        placed.emplace_back(table, member);
  }
  if (placed.empty() && find(name) == Table::none)
    if (const auto member = findNamed(name))
      placed.push_back(*member);
  return placed;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>>
Schema::membersBelow(std::string_view name, std::string_view where) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> placed = findBelow(name);
  if (placed.empty() && find(name) == Table::none)
    (void)memberNamed(name, where); // there is none: this throws, and says what there is
  return placed;
}

bool Schema::contains(std::string_view name) const {
  return find(name) != Table::none || !findBelow(name).empty();
}

/// What is wrong with a table after those that are linked.
std::string Schema::checkTable(std::uint32_t number) const {
  const Table info = table(number);
  if (info.name.empty())
    return "a table has no name";
  for (const std::string_view text : {info.name, info.type, info.description, info.group})
    if (!isUtf8(text))
      return "a text of a table is not UTF-8";
  if (static_cast<std::size_t>(info.kind) >= tableKinds || info.layout > Layout::member ||
      info.use > (TableUse::tag | TableUse::key))
    return joined("table '", info.name, "' is of an unknown kind or layout");
  if (info.isRoot() != liesUnderEntries(info.kind) ||
      (!info.isRoot() && (info.parent >= number || !mayLieUnder(info, table(info.parent)))))
    return joined("table '", info.name, "' lies under something that cannot have it");
  if (!info.isRoot() && !bearsNameOf(table(info.parent), info))
    return joined("table '", info.name, "' does not bear the name of '", table(info.parent).name,
                  "', under which it lies, and a dot");
  if (!info.isRoot() && m_links[info.parent].level + 1 >= mostLevels)
    return joined("table '", info.name, "' lies under too many others: more than ",
                  std::to_string(mostLevels - 1));
  if (const std::string wrong = checkUse(info); !wrong.empty())
    return wrong;
  const bool isParameter = info.kind == TableKind::parameter;
  const std::uint32_t same = isParameter ? findParameter(info.name, info.type) : find(info.name);
  if (same != Table::none && (isParameter || m_tables[same].kind != TableKind::parameter))
    return joined("two tables are called '", info.name, "'");
  return checkMembers(number);
}

std::string Schema::checkMembers(std::uint32_t number) const {
  const Table info = table(number);
  std::uint64_t bytes = 0;
  for (const Member& member : info.members) {
    if (!isUtf8(member.name) || !isUtf8(member.unit) || !isUtf8(member.description))
      return joined("a text of a member of '", info.name, "' is not UTF-8");
    if (static_cast<std::size_t>(member.type) >= scalarKinds || member.extent == 0)
      return joined("'", info.name, ".", member.name, "' is of an unknown type");
    const std::uint64_t end = member.offset + std::uint64_t{sizeOf(member.type)} * member.extent;
    if (end > info.rowSize)
      return joined("'", info.name, ".", member.name, "' lies outside its row");
    bytes += end - member.offset;
  }
  // Aligned members take up to eight times their bytes; more would be memory for nothing.
  if (info.rowSize > 8 * bytes)
    return joined("the rows of '", info.name, "' are larger than their members need");
  if ((info.kind == TableKind::oneRelation || info.kind == TableKind::manyRelation) &&
      !hasRelationMembers(info))
    return joined("relation '", info.name, "' does not have the members of one");
  return "";
}

std::vector<TableDefinition> tablesOf(const Datatype& type, std::string_view collection,
                                      std::uint32_t root, Layout layout) {
  const auto below = [&](std::string_view name) {
    return std::string(collection) + "." + std::string(name);
  };
  std::vector<TableDefinition> tables;
  tables.push_back({.name = std::string(collection),
                    .kind = TableKind::collection,
                    .layout = layout,
                    .type = std::string(type.name),
                    .rowSize = type.rowSize,
                    .members = membersOf(type.leaves),
                    .description = std::string(type.description)});
  for (const VectorMember& vector : type.vectors)
    addTablesOf(vector, below(vector.name), root, layout, tables);
  for (const Relation& relation : type.relations)
    tables.push_back(
        {.name = below(relation.name),
         .kind = relation.many ? TableKind::manyRelation : TableKind::oneRelation,
         .type = std::string(relation.target),
         .parent = root,
         .rowSize = 8,
         .members = {{"index",
                      Scalar::Int32,
                      1,
                      0,
                      "",
                      "position in the collection; -1: none",
                      {},
                      ~std::uint32_t{0}},
                     {"collection", Scalar::UInt32, 1, 4, "", "number of the collection"}},
         .description = std::string(relation.description)});
  return tables;
}

} // namespace kaon
