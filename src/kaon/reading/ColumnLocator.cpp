#include <kaon/detail/reading/ColumnLocator.h>

#include <kaon/base/Error.h>
#include <kaon/model/MemberTree.h>
#include <kaon/model/Texts.h>

#include <utility>

namespace kaon::detail {
namespace {

constexpr char countMark = '#';

ColumnLocator countPlace(const Schema& schema, std::string_view name) {
  ColumnLocator place = listsPlace(schema, name);
  if (!schema.table(place.table).isCounted())
    fail(ErrorKind::type, "'", name,
         "' has one row for each row above it, and therefore no counts");
  place.lists.pop_back();
  place.isCount = true;
  place.type = {Scalar::UInt32, place.type.depth - 1};
  return place;
}

} // namespace

std::vector<std::uint32_t> listsAbove(const Schema& schema, TableNumber table) {
  std::vector<std::uint32_t> lists;
  for (; table != Table::none; table = schema.table(table).parent)
    if (schema.table(table).isCounted())
      lists.insert(lists.begin(), table);
  return lists;
}

ColumnLocator columnPlace(const Schema& schema, std::string_view name) {
  if (name.starts_with(countMark))
    return countPlace(schema, name.substr(1));
  const auto [table, member] = schema.memberNamed(name);
  return columnPlace(schema, {table, member}, name);
}

ColumnLocator columnPlace(const Schema& schema, TableMember where, std::string_view name) {
  const auto [table, number] = where;
  const Member member = schema.table(table).members[number];
  ColumnLocator place = {.table = table, .member = number, .extent = member.extent};
  place.isArray = isArray(schema, table, number);
  place.lists = listsAbove(schema, table);
  place.type = {member.type, static_cast<unsigned>(place.lists.size()) + (place.isArray ? 1 : 0),
                isText(schema.table(table))};
  if (place.type.depth > mostListLevels)
    fail(ErrorKind::type, "'", name, "' has lists nested more than ", mostListLevels, " deep");
  return place;
}

void renumber(ColumnLocator& place, const Schema& schema, const Schema& other) {
  const TableKind kind = schema.table(place.table).kind;
  if (place.member != relationCollection ||
      (kind != TableKind::oneRelation && kind != TableKind::manyRelation))
    return;
  std::vector<std::uint32_t> numbers(schema.size(), Table::none);
  bool isSame = true;
  for (TableNumber table = 0; table < schema.size(); ++table)
    if (const Table info = schema.table(table); info.kind == TableKind::collection) {
      numbers[table] = other.findCollection(info.name);
      isSame = isSame && numbers[table] == table;
    }
  if (!isSame)
    place.numbers = std::move(numbers);
}

ColumnLocator listsPlace(const Schema& schema, std::string_view name) {
  const TableNumber table = schema.tableNamed(name);
  std::vector<std::uint32_t> lists = listsAbove(schema, table);
  if (lists.size() > mostListLevels)
    fail(ErrorKind::type, "'", name, "' has lists nested more than ", mostListLevels, " deep");
  const ColumnType type = {Scalar::Bool, static_cast<unsigned>(lists.size())};
  return {.table = table, .lists = std::move(lists), .type = type};
}

} // namespace kaon::detail
