#include <kaon/model/Schema.h>
#include <kaon/model/SchemaDocument.h>
#include <kaon/model/TableParts.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon {
namespace {

TableDefinition listUnder(std::uint32_t parent, std::string name) {
  return {.name = std::move(name),
          .kind = TableKind::vectorMember,
          .parent = parent,
          .rowSize = 4,
          .members = {{.name = "", .type = Scalar::Int32}}};
}

/// A value with the members a, list, b, other, c, last.
Schema schemaOfRecord() {
  Schema schema;
  schema.add({.name = "record",
              .kind = TableKind::value,
              .rowSize = 12,
              .members = {{.name = "a", .type = Scalar::Int32},
                          {.name = "b", .type = Scalar::Int32, .offset = 4, .listsBefore = 1},
                          {.name = "c", .type = Scalar::Int32, .offset = 8, .listsBefore = 2}}});
  for (const char* const name : {"record.list", "record.other", "record.last"})
    schema.add(listUnder(0, name));
  return schema;
}

std::vector<std::string> orderIn(const Schema& schema, const std::vector<std::uint32_t>& under) {
  std::vector<std::string> names;
  for (const auto& [isTable, number] : partsInOrder(schema.table(0), under))
    names.emplace_back(isTable ? schema.table(number).name : schema.table(0).members[number].name);
  return names;
}

TEST(TableParts, areInTheOrderOfTheirSource) {
  EXPECT_EQ(
      orderIn(schemaOfRecord(), {1, 2, 3}),
      (std::vector<std::string>{"a", "record.list", "b", "record.other", "c", "record.last"}));
}

TEST(TableParts, canBeFewerThanTheirMembersSay) {
  EXPECT_EQ(orderIn(schemaOfRecord(), {3}),
            (std::vector<std::string>{"a", "record.last", "b", "c"}));
}

TEST(TableParts, keepTheirOrderInDocuments) {
  const SchemaDocument document{schemaOfRecord(), {}};
  const Schema read = schemaDocumentFrom(toJson(document), "f").schema;
  EXPECT_EQ(orderIn(read, {1, 2, 3}), orderIn(document.schema, {1, 2, 3}));
}

TEST(TableParts, differOnlyInTheirProperties) {
  MemberDefinition member{.name = "a", .type = Scalar::Int32};
  const MemberDefinition same = member;
  member.listsBefore = 3;
  EXPECT_EQ(member, same);
  member.unit = "GeV";
  EXPECT_NE(member, same);
}

} // namespace
} // namespace kaon
