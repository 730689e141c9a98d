#include <kaon/batch/ColumnPlace.h>

#include <kaon/base/Error.h>
#include <kaon/model/Texts.h>

namespace kaon {
namespace {

constexpr char countMark = '#';

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
  const auto [table, number] = schema.memberNamed(name);
  const Member member = schema.table(table).members[number];
  ColumnPlace place = {.table = table, .member = number, .extent = member.extent};
  place.lists = listsAbove(schema, table);
  place.type = {member.type,
                static_cast<unsigned>(place.lists.size()) + (member.extent > 1 ? 1 : 0),
                isText(schema.table(table))};
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
