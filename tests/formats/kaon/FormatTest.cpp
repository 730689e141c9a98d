#include <kaon/formats/kaon/Format.h>

#include "support/Errors.h"
#include "support/Tables.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace kaon::store {
namespace {

/// Tables as other programs may write them: their texts stand in another order.
struct ForeignTables {
  ForeignTables() {
    members[0].name = {1, 1};
    members[0].type = Scalar::Int32;
    members[1].name = {0, 1};
    members[1].type = Scalar::Float64;
    members[0].extent = members[1].extent = 1;
    tables[0].name = {3, 1};
    tables[0].firstMember = 0;
    tables[1].name = {2, 1};
    tables[1].firstMember = 1;
    for (TableRecord& table : tables) {
      table.parent = Table::none;
      table.rowSize = 8;
      table.members = 1;
    }
  }
  [[nodiscard]] SchemaBlock block() const { return {tables, members, "yxBA"}; }
  std::array<MemberRecord, 2> members;
  std::array<TableRecord, 2> tables;
};

std::vector<TableDefinition> definitionsOf(const Schema& schema) {
  std::vector<TableDefinition> all;
  for (const Table& table : schema.tables())
    all.push_back(table.definition());
  return all;
}

TEST(SchemaBytes, areReadBackInPieces) {
  Schema written, read;
  std::uint32_t known = 0;
  for (const char* name : {"A", "B", "C"}) {
    written.add(test::collection(name, {{"x", Scalar::Int32}, {"y", Scalar::Bool, 2}}));
    const Buffer bytes = schemaBytes(written, known, "events");
    EXPECT_EQ(addSchema(read, bytes.bytes(), "file"), "events");
    EXPECT_EQ(definitionsOf(read), definitionsOf(written));
    known = written.size();
  }
}

TEST(SchemaBytes, keepTablesInWhateverOrderTheirPartsCame) {
  Schema foreign;
  ASSERT_EQ(foreign.add(ForeignTables().block()), "");
  ASSERT_EQ(foreign.nameOfMember(0, 0), "A.x");
  ASSERT_EQ(foreign.nameOfMember(1, 0), "B.y");
  Schema read;
  EXPECT_EQ(addSchema(read, schemaBytes(foreign, 0, "events").bytes(), "file"), "events");
  EXPECT_EQ(definitionsOf(read), definitionsOf(foreign));
  // A table that kaon adds to them.
  foreign.add(test::collection("C", {{"z", Scalar::Int8}}));
  EXPECT_EQ(addSchema(read, schemaBytes(foreign, 2, "events").bytes(), "file"), "events");
  EXPECT_EQ(definitionsOf(read), definitionsOf(foreign));
}

// Else a few bytes could stand for any number of columns.
TEST(SchemaBytes, areRefusedWhereTablesShareMembers) {
  ForeignTables tables;
  tables.tables[1].firstMember = 0;
  EXPECT_EQ(Schema().add(tables.block()), "members of a table lie outside");
}

TEST(SchemaBytes, areRefusedWhereTablesAreLeftOut) {
  Schema written;
  for (const char* name : {"A", "B"})
    written.add(test::collection(name, {}));
  Schema read;
  test::expectError(ErrorKind::corrupt, "file: its tables are out of order", [&] {
    (void)addSchema(read, schemaBytes(written, 1, "events").bytes(), "file");
  });
}

} // namespace
} // namespace kaon::store
