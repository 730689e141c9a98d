#include <kaon/model/Texts.h>

#include <kaon/model/Datatype.h>

#include <string_view>

namespace kaon {

bool isText(const Table& table) noexcept {
  const bool isString = table.kind == TableKind::vectorMember && table.type == VectorMember::string;
  return (isString || table.kind == TableKind::text) && table.members.size() == 1 &&
         table.members[0].name.empty() && table.members[0].type == Scalar::UInt8 &&
         table.members[0].extent == 1;
}

TableNumber charactersOf(const Schema& schema, TableNumber root) noexcept {
  if (!schema.table(root).members.empty())
    return Table::none;
  TableNumber characters = Table::none;
  for (const TableNumber table : schema.tablesUnder(root)) {
    if (table == root)
      continue;
    if (characters != Table::none || !isText(schema.table(table)))
      return Table::none;
    characters = table;
  }
  return characters;
}

std::string nameOfColumn(const Schema& schema, TableNumber table, MemberNumber member) {
  const Table owner = schema.table(table);
  if (owner.kind != TableKind::text)
    return schema.nameOfMember(table, member);
  const std::string_view texts = schema.table(owner.parent).name;
  return std::string(texts.substr(0, texts.find_last_not_of('.') + 1));
}

} // namespace kaon
