#include <kaon/formats/kaonfile/FileStructs.h>

#include "support/Errors.h"
#include "support/Tables.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace kaon::kaonfile {
namespace {

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

// Otherwise a few bytes could state any number of columns.
TEST(SchemaBytes, areRefusedWhereTablesHaveOtherMembersOrTextsThanThereAre) {
  Schema written;
  written.add(test::collection("A", {{"x", Scalar::Int32}}));
  const Buffer sound = schemaBytes(written, 0, "events");
  for (const std::size_t field : {offsetof(SchemaTable, members), offsetof(SchemaTable, nameSize)})
    for (const std::uint32_t number : {0U, 2U, 0xffffffffU}) {
      Buffer forged;
      forged.append(sound.bytes());
      std::memcpy(forged.data() + sizeof(SchemaHead) + field, &number, sizeof number);
      Schema read;
      test::expectError(ErrorKind::corrupt, "its tables do not match its members or texts",
                        [&] { (void)addSchema(read, forged.bytes(), "file"); });
    }
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
} // namespace kaon::kaonfile
