#include <kaon/reading/ColumnFiller.h>

#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/base/Wording.h>
#include <kaon/model/MemberTree.h>
#include <kaon/reading/NamedMembers.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace kaon {
namespace {
constexpr std::uint64_t nowhere = std::numeric_limits<std::uint64_t>::max();
}

ColumnFiller::ColumnFiller(const Source& source, std::shared_ptr<const File> file)
    : m_file(std::move(file)), m_source(&source), m_window(source) {}

/// Returns the target of a table. Adds targets for the table and those above it if they are
/// missing.
ColumnFiller::Target& ColumnFiller::target(TableNumber table) {
  if (const Table info = schema().table(table); !info.isRoot())
    (void)target(info.parent);
  const auto place = std::ranges::lower_bound(m_targets, table, {}, &Target::table);
  if (place != m_targets.end() && place->table == table)
    return *place;
  return *m_targets.insert(place, Target{.table = table, .parent = 0});
}

void ColumnFiller::setValues(std::string_view name, Scalar type, std::span<std::byte> values) {
  const auto [table, number] = detail::valueNamed(*m_source, name);
  const Member member = schema().table(table).members[number];
  if (member.type != type)
    fail(ErrorKind::type, m_source->name(), ": '", name, "' holds ", nameOf(member.type),
         " values, not ", nameOf(type));
  std::vector<Values>& members = target(table).members;
  std::erase_if(members, [&](const Values& known) { return known.member == number; });
  members.push_back({number, member.size(), values.data(), values.size() / member.size()});
  m_isPlanned = false;
}

void ColumnFiller::setOffsets(std::string_view name, std::span<std::uint32_t> offsets) {
  const TableNumber table = schema().tableNamed(name);
  if (!schema().table(table).isCounted())
    fail(ErrorKind::usage, m_source->name(), ": '", name,
         "' has one row for each entry or parent row, and therefore no offsets");
  if (offsets.empty())
    fail(ErrorKind::usage, m_source->name(), ": the offsets of '", name,
         "' need memory for one number more than the entries or the rows above, but it has size 0");
  target(table).offsets = offsets;
  m_isPlanned = false;
}

void ColumnFiller::setPresence(std::string_view name, std::span<bool> present) {
  const TableNumber table = schema().tableNamed(name);
  if (!schema().table(table).canBeAbsent())
    fail(ErrorKind::usage, m_source->name(), ": '", name, "' cannot be absent");
  target(table).present = present;
  m_isPlanned = false;
}

/// Throws unless there is memory for the presence of values that may be missing.
void ColumnFiller::requireMemory(TableMember presence, TableMember value) const {
  for (const Target& target : m_targets)
    if (target.table == presence.table &&
        std::ranges::find(target.members, presence.member, &Values::member) != target.members.end())
      return;
  fail(ErrorKind::usage, m_source->name(), ": '", schema().nameOfMember(value.table, value.member),
       "' may be missing; give memory for '",
       schema().nameOfMember(presence.table, presence.member),
       "', too, which tells where it is present");
}

/// Finds the columns to read, and the room that each table has.
void ColumnFiller::plan() {
  if (m_targets.empty())
    fail(ErrorKind::usage, m_source->name(), ": no memory was given to fill");
  for (const Target& target : m_targets)
    for (const Values& values : target.members)
      for (const TableMember presence : presencesOf(schema(), target.table, values.member))
        requireMemory(presence, {target.table, values.member});
  m_groups.clear();
  m_columns.clear();
  for (std::size_t i = 0; i < m_targets.size(); ++i) {
    Target& target = m_targets[i];
    const Table table = schema().table(target.table);
    const TableNumber group = schema().groupOf(target.table);
    const auto known = std::ranges::find(m_groups, group, &Group::number);
    (known == m_groups.end() ? m_groups.emplace_back(Group{group}) : *known).targets.push_back(i);
    if (table.canBeAbsent())
      m_columns.push_back(schema().presenceColumn(target.table));
    if (table.isCounted())
      m_columns.push_back(schema().countsColumn(target.table));
    target.room = std::numeric_limits<std::uint32_t>::max();
    for (const Values& values : target.members) {
      target.room = std::min(target.room, values.room);
      m_columns.push_back(schema().place(target.table, values.member).column);
    }
    if (table.isRoot())
      continue;
    target.parent = static_cast<std::size_t>(
        std::ranges::lower_bound(m_targets, table.parent, {}, &Target::table) - m_targets.begin());
    if (!target.offsets.empty()) {
      std::size_t& above = m_targets[target.parent].room;
      above = std::min(above, target.offsets.size() - 1);
    }
  }
  sortUnique(m_columns); // members of a row share its column
  m_isPlanned = true;
  m_expected = nowhere;
}

/// Returns the number of entries for which memory of offsets and presence has room.
std::size_t ColumnFiller::roomForEntries() const {
  std::size_t room = std::numeric_limits<std::size_t>::max();
  for (const Target& target : m_targets) {
    if (target.present.data())
      room = std::min(room, target.present.size());
    if (!target.offsets.empty() && schema().table(target.table).isRoot())
      room = std::min(room, target.offsets.size() - 1);
  }
  return room;
}

std::size_t ColumnFiller::fill(std::uint64_t first, std::size_t most) {
  if (!m_window.isValid())
    fail(ErrorKind::usage, "this filler was moved away");
  if (!m_isPlanned)
    plan();
  for (Target& target : m_targets) {
    target.nextRow = 0;
    if (!target.offsets.empty())
      target.offsets.front() = 0;
  }
  const std::uint64_t entries = m_source->entries();
  if (first >= entries || most == 0)
    return 0;
  if (std::exchange(m_expected, nowhere) != first)
    m_window.fetch(m_columns, {first, entries});
  m_first = first;
  for (Group& group : m_groups)
    group.filled = {first, first};
  // Continues with the group that is furthest behind, one page at a time, so that no group gets far
  // beyond the entries that fit.
  std::uint64_t last = first + std::min<std::uint64_t>({most, roomForEntries(), entries - first});
  for (;;) {
    Group& group =
        *std::ranges::min_element(m_groups, {}, [](const Group& each) { return each.filled.last; });
    if (group.filled.last >= last)
      break;
    last = fillPage(group, last);
  }
  if (last == first)
    failNoRoom(first);
  for (Group& group : m_groups)
    if (group.filled.last > last)
      takeBack(group, last);
  m_expected = last;
  return static_cast<std::size_t>(last - first);
}

/// Fills in a group to the end of the page, to `last`, or as far as there is room. Returns `last`,
/// reduced to the entries that fit.
std::uint64_t ColumnFiller::fillPage(Group& group, std::uint64_t last) {
  const std::uint64_t begin = group.filled.last;
  const std::uint64_t end =
      std::min(m_window.pages(m_targets[group.targets.front()].table, begin).lastEntry, last);
  group.filled = {begin, hasRoom(group, {begin, end}) ? end : endOfRoom(group, {begin, end})};
  if (group.filled.size() > 0) {
    for (const std::size_t i : group.targets)
      m_targets[i].inPage = rowsOf(m_targets[i], group.filled);
    for (const std::size_t i : group.targets)
      fillTarget(m_targets[i], group.filled);
    for (const std::size_t i : group.targets)
      m_targets[i].nextRow += m_targets[i].inPage.size();
  }
  return group.filled.last < end ? group.filled.last : last;
}

/// Returns the first of a page's entries that does not fit.
std::uint64_t ColumnFiller::endOfRoom(const Group& group, EntryRange entries) {
  std::uint64_t fits = entries.first, fails = entries.last;
  while (fits + 1 < fails) {
    const std::uint64_t middle = fits + (fails - fits) / 2;
    (hasRoom(group, {entries.first, middle}) ? fits : fails) = middle;
  }
  return fits;
}

bool ColumnFiller::hasRoom(const Group& group, EntryRange entries) {
  return std::ranges::all_of(group.targets, [&](std::size_t i) {
    return rowsOf(m_targets[i], entries).size() <= m_targets[i].room - m_targets[i].nextRow;
  });
}

/// Returns the rows of entries, counted in their page.
detail::RowRange ColumnFiller::rowsOf(const Target& target, EntryRange entries) {
  return {m_window.rows(target.table, entries.first).first,
          m_window.rows(target.table, entries.last - 1).second};
}

void ColumnFiller::fillTarget(Target& target, EntryRange entries) {
  if (target.present.data()) {
    const detail::Page& page = m_window.page(schema().presenceColumn(target.table), entries.first);
    std::memcpy(target.present.data() + (entries.first - m_first),
                page.data + (entries.first - page.range.firstEntry), entries.size());
  }
  if (!target.offsets.empty())
    fillOffsets(target, entries);
  if (target.inPage.size() > 0)
    fillMembers(target, entries);
}

void ColumnFiller::fillOffsets(Target& target, EntryRange entries) {
  const bool isRoot = schema().table(target.table).isRoot();
  const std::uint64_t firstOfPage = m_window.pages(target.table, entries.first).firstEntry;
  const detail::RowRange above =
      isRoot ? detail::RowRange{entries.first - firstOfPage, entries.last - firstOfPage}
             : m_targets[target.parent].inPage;
  const auto inPage =
      m_window.offsets(target.table, entries.first).subspan(above.first, above.size() + 1);
  const std::size_t firstAbove =
      isRoot ? static_cast<std::size_t>(entries.first - m_first) : m_targets[target.parent].nextRow;
  std::uint32_t* const out = target.offsets.data() + firstAbove;
  const auto shift = static_cast<std::uint32_t>(target.nextRow) - inPage[0]; // modulo 2^32
  // The first offset equals the last one of the page before.
  for (std::size_t row = 1; row < inPage.size(); ++row)
    out[row] = shift + inPage[row];
}

void ColumnFiller::fillMembers(Target& target, EntryRange entries) {
  const detail::RowRange rows = target.inPage;
  const detail::PageRange& page = m_window.pages(target.table, entries.first);
  const bool isWhole = entries.first == page.firstEntry && entries.last == page.lastEntry;
  m_copies.clear();
  for (const Values& values : target.members) {
    const std::span out(values.out + target.nextRow * values.size, rows.size() * values.size);
    const ColumnView inPage = m_window.member(target.table, values.member, entries.first,
                                              isWhole ? out : std::span<std::byte>{});
    if (inPage.base == out.data())
      continue;
    if (inPage.stride == values.size)
      std::memcpy(out.data(), inPage.at(rows.first), out.size());
    else
      m_copies.push_back(
          {out.data(), values.size, inPage.at(rows.first), inPage.stride, values.size});
  }
  detail::copyTogether(m_copies, rows.size());
}

/// Takes back a group's entries from `last` on, which are in its last page.
void ColumnFiller::takeBack(Group& group, std::uint64_t last) {
  for (const std::size_t i : group.targets) {
    Target& target = m_targets[i];
    const std::size_t kept =
        last > group.filled.first ? rowsOf(target, {group.filled.first, last}).size() : 0;
    target.nextRow -= target.inPage.size() - kept;
  }
}

void ColumnFiller::failNoRoom(std::uint64_t entry) {
  for (const Target& target : m_targets)
    if (const std::size_t rows = rowsOf(target, {entry, entry + 1}).size(); rows > target.room)
      fail(ErrorKind::usage, m_source->name(), ": entry ", entry, " has ", counted(rows, "row"),
           " of '", schema().table(target.table).name, "', and the memory has room for ",
           target.room);
  fail(ErrorKind::usage, m_source->name(),
       ": the memory for offsets or presences is too small for one entry");
}

std::size_t ColumnFiller::rows(std::string_view name) const {
  const TableNumber table = schema().tableNamed(name);
  const auto target = std::ranges::lower_bound(m_targets, table, {}, &Target::table);
  if (target == m_targets.end() || target->table != table)
    fail(ErrorKind::usage, m_source->name(), ": no memory was given for '", name, "'");
  return target->nextRow;
}

} // namespace kaon
