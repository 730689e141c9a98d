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

ColumnPlace countPlace(const Schema& schema, std::string_view name) {
  ColumnPlace place = listsPlace(schema, name);
  if (!schema.table(place.table).isCounted())
    fail(ErrorKind::type, "'", name, "' has one row for each above it: there is nothing to count");
  place.lists.pop_back();
  place.isCount = true;
  place.type = {Scalar::UInt32, place.type.depth - 1};
  return place;
}

} // namespace

std::vector<std::uint32_t> listsAbove(const Schema& schema, std::uint32_t table) {
  std::vector<std::uint32_t> lists;
  for (; table != Table::none; table = schema.table(table).parent)
    if (schema.table(table).isCounted())
      lists.insert(lists.begin(), table);
  return lists;
}

ColumnPlace columnPlace(const Schema& schema, std::string_view name) {
  if (name.starts_with(countMark))
    return countPlace(schema, name.substr(1));
  ColumnPlace place = memberPlace(schema, name);
  const Member member = schema.table(place.table).members[place.member];
  place.lists = listsAbove(schema, place.table);
  place.extent = member.extent;
  place.type = {member.type,
                static_cast<unsigned>(place.lists.size()) + (member.extent > 1 ? 1 : 0)};
  if (place.type.depth > mostListLevels)
    fail(ErrorKind::type, "'", name, "' has lists in lists deeper than ", mostListLevels);
  return place;
}

ColumnPlace listsPlace(const Schema& schema, std::string_view name) {
  const std::uint32_t table = schema.tableNamed(name);
  std::vector<std::uint32_t> lists = listsAbove(schema, table);
  if (lists.size() > mostListLevels)
    fail(ErrorKind::type, "'", name, "' has lists in lists deeper than ", mostListLevels);
  const ColumnType type = {Scalar::Bool, static_cast<unsigned>(lists.size())};
  return {.table = table, .lists = std::move(lists), .type = type};
}

} // namespace kaon
