#include <kaon/formats/sio/lcio/HeaderTables.h>

#include <utility>
#include <vector>

namespace kaon::sio::lcio {

std::uint32_t addValue(Schema& schema, std::string name, Scalar type, TableUse use) {
  return schema.add({.name = std::move(name),
                     .kind = TableKind::value,
                     .type = std::string(nameOf(type)),
                     .rowSize = sizeOf(type),
                     .members = {{"", type, 1, 0}},
                     .use = use});
}

std::uint32_t addText(Schema& schema, std::string name) {
  std::vector<Unreadable> none; // stays empty: kaon's own names come first
  return addParameterTable(schema, ParameterType::string, std::move(name), none);
}

void putTexts(const Schema& schema, TableNumber table, std::span<const std::string_view> texts,
              UnitColumns& out) {
  out.setPresence(table, true);
  for (const std::string_view text : texts)
    putText(text, table, schema.columnsOf(table + 1).last - 1, out);
  out.endList(table);
}

} // namespace kaon::sio::lcio
