#include <kaon/store/Format.h>

namespace kaon::store {
namespace {

bool isSigned(Scalar type) noexcept {
  return type == Scalar::Int8 || type == Scalar::Int16 || type == Scalar::Int32 ||
         type == Scalar::Int64;
}

} // namespace

codec::Element elementOf(const Schema& schema, const Column& column) noexcept {
  if (column.role != ColumnRole::member)
    return {.size = column.elementSize};
  const Scalar type = schema.table(column.table).members[column.member].type;
  return {.size = sizeOf(type),
          .isFloat = type == Scalar::Float32 || type == Scalar::Float64,
          .isSigned = isSigned(type)};
}

void writeTable(ByteWriter& out, const Table& table) {
  out.put(table.name);
  out.put(static_cast<std::uint8_t>(table.kind));
  out.put(static_cast<std::uint8_t>(table.layout));
  out.put(table.type);
  out.put(table.parent);
  out.put(table.rowSize);
  out.put(table.description);
  out.put(static_cast<std::uint32_t>(table.members.size()));
  for (const Member& member : table.members) {
    out.put(member.name);
    out.put(static_cast<std::uint8_t>(member.type));
    out.put(member.extent);
    out.put(member.offset);
    out.put(member.unit);
    out.put(member.description);
  }
}

Table readTable(ByteReader& in) {
  Table table;
  table.name = in.getString();
  table.kind = static_cast<TableKind>(in.get<std::uint8_t>());
  table.layout = static_cast<Layout>(in.get<std::uint8_t>());
  table.type = in.getString();
  table.parent = in.get<std::uint32_t>();
  table.rowSize = in.get<std::uint32_t>();
  table.description = in.getString();
  constexpr std::size_t leastMember = 3 * sizeof(std::uint32_t) + 2 * sizeof(std::uint32_t) + 1;
  table.members.resize(in.getCount(leastMember));
  for (Member& member : table.members) {
    member.name = in.getString();
    member.type = static_cast<Scalar>(in.get<std::uint8_t>());
    member.extent = in.get<std::uint32_t>();
    member.offset = in.get<std::uint32_t>();
    member.unit = in.getString();
    member.description = in.getString();
  }
  return table;
}

} // namespace kaon::store
