#pragma once

#include <kaon/model/Schema.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// Short ways to describe tables.

namespace kaon::test {

struct Field {
  std::string name;
  Scalar type = Scalar::Bool;
  std::uint32_t extent = 1;
  std::string structure = {};
};

/// Returns a table of this name whose members are aligned as in a struct.
[[nodiscard]] inline TableDefinition table(std::string name, TableKind kind, std::string type,
                                           const std::vector<Field>& fields,
                                           std::uint32_t parent = Table::none,
                                           Layout layout = Layout::split) {
  std::vector<MemberDefinition> members;
  std::uint32_t end = 0;
  for (const Field& field : fields) {
    const std::uint32_t size = sizeOf(field.type);
    const std::uint32_t offset = (end + size - 1) / size * size;
    members.push_back(
        {field.name, field.type, field.extent, offset, "", "", {}, 0, field.structure});
    end = offset + size * field.extent;
  }
  return {.name = std::move(name),
          .kind = kind,
          .layout = layout,
          .type = std::move(type),
          .parent = parent,
          .rowSize = (end + 7) / 8 * 8,
          .members = std::move(members)};
}

[[nodiscard]] inline TableDefinition collection(std::string name, const std::vector<Field>& fields,
                                                Layout layout = Layout::split) {
  return table(std::move(name), TableKind::collection, "Thing", fields, Table::none, layout);
}

/// Returns a table of bare values.
[[nodiscard]] inline TableDefinition values(std::string name, TableKind kind, Scalar type,
                                            std::uint32_t parent = Table::none) {
  TableDefinition made =
      table(std::move(name), kind, std::string(nameOf(type)), {{"", type}}, parent);
  made.rowSize = sizeOf(type);
  return made;
}

[[nodiscard]] inline TableDefinition parameter(std::string name, Scalar type) {
  return values(std::move(name), TableKind::parameter, type);
}

[[nodiscard]] inline TableDefinition relation(std::string name, TableKind kind,
                                              std::uint32_t parent, std::string type = "Thing") {
  return table(std::move(name), kind, std::move(type),
               {{"index", Scalar::Int32}, {"collection", Scalar::UInt32}}, parent);
}

} // namespace kaon::test
