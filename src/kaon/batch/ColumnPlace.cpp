#include <kaon/batch/ColumnPlace.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <string>

namespace kaon {
namespace {

constexpr char countMark = '#';

/// The table of bare values in a table of lists or strings; the table itself if it has members.
std::uint32_t innermostTable(const Schema& schema, std::uint32_t table) {
  if (!schema.table(table).members.empty())
    return table;
  for (const std::uint32_t below : schema.tablesUnder(schema.rootOf(table)))
    if (schema.table(below).parent == table)
      return innermostTable(schema, below);
  return table;
}

ColumnPlace memberPlace(const Schema& schema, std::string_view name) {
  if (const std::uint32_t lists = schema.find(name); lists != Table::none)
    if (const std::uint32_t table = innermostTable(schema, lists);
        table != lists && schema.table(table).members.size() == 1)
      return {.table = table, .member = 0};
  const auto [table, member] = schema.memberNamed(name);
  return {.table = table, .member = member};
}

} // namespace

ColumnPlace columnPlace(const Schema& schema, std::string_view name) {
  ColumnPlace place;
  if (name.starts_with(countMark))
    place.table = schema.tableNamed(name.substr(1));
  else
    place = memberPlace(schema, name);
  for (std::uint32_t table = place.table; table != Table::none; table = schema.table(table).parent)
    if (schema.table(table).isCounted())
      place.lists.insert(place.lists.begin(), table);
  auto depth = static_cast<unsigned>(place.lists.size());
  if (place.member == ColumnPlace::noMember) {
    if (!schema.table(place.table).isCounted())
      fail(ErrorKind::type, "'", name.substr(1),
           "' has one row for each above it: there is nothing to count");
    place.lists.pop_back();
    place.type = {Scalar::UInt32, depth - 1};
  } else {
    const Member member = schema.table(place.table).members[place.member];
    place.extent = member.extent;
    place.type = {member.type, depth + (member.extent > 1 ? 1 : 0)};
  }
  if (place.type.depth > mostListLevels)
    fail(ErrorKind::type, "'", name, "' has lists in lists deeper than ", mostListLevels);
  return place;
}

} // namespace kaon
