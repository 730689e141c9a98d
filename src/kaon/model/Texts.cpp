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

std::string nameOfColumn(const Schema& schema, std::uint32_t table, std::uint32_t member) {
  const Table owner = schema.table(table);
  if (owner.kind != TableKind::text)
    return schema.nameOfMember(table, member);
  const std::string_view texts = schema.table(owner.parent).name;
  return std::string(texts.substr(0, texts.find_last_not_of('.') + 1));
}

} // namespace kaon
