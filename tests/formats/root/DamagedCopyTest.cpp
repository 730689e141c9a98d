#include <kaon/formats/root/RootFileWriter.h>

#include <kaon/writing/BatchBuilder.h>

#include "support/DamagedRootFile.h"
#include "support/Random.h"
#include "support/RandomEvents.h"
#include "support/RootNTuple.h"
#include "support/Tables.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Small files that kaon wrote, changed at random many times, are read or refused with one clear
// error.

namespace kaon::root {
namespace {

using test::survives;

constexpr std::size_t manyTimes = 25'000; // 100,000 in all tests together

class DamagedCopy : public testing::TestWithParam<CategoryForm> {};
INSTANTIATE_TEST_SUITE_P(Forms, DamagedCopy,
                         testing::Values(CategoryForm::ntuple, CategoryForm::tree,
                                         CategoryForm::frames));

/// A model for the frames.
constexpr std::string_view model = R"({"name": "m", "schema_version": 1, "datatypes": [
  {"name": "Hit", "members": [{"type": "float", "name": "x"}, {"type": "bool", "name": "good"}],
   "vectorMembers": [{"type": "double", "name": "times"}],
   "oneToManyRelations": [{"type": "Hit", "name": "next"}]}]})";

std::vector<TableDefinition> frameTables() {
  using enum Scalar;
  std::vector<TableDefinition> tables;
  tables.push_back(
      test::table("Hits", TableKind::collection, "Hit", {{"x", Float32}, {"good", Bool}}));
  tables.push_back(test::values("Hits.times", TableKind::vectorMember, Float64, 0));
  tables.push_back(test::relation("Hits.next", TableKind::manyRelation, 0));
  tables.push_back(test::parameter("weight", Float64));
  tables.push_back(test::table("title", TableKind::parameter, "string", {}));
  tables.push_back(test::values("title.text", TableKind::text, UInt8, 4));
  return tables;
}

/// Returns one table of each kind that the form can hold.
std::vector<TableDefinition> tablesFor(CategoryForm form) {
  if (form == CategoryForm::frames)
    return frameTables();
  std::vector<TableDefinition> tables;
  for (const TableDefinition& table : test::assortedTables(Layout::split)) {
    const bool isPlain = table.parent == Table::none && !table.members.empty();
    if (form == CategoryForm::ntuple ||
        (isPlain && std::ranges::find(tables, table.name, &TableDefinition::name) == tables.end()))
      tables.push_back(table);
  }
  return tables;
}

/// Returns a file with a few entries in two clusters.
std::string smallFile(CategoryForm form) {
  Buffer bytes;
  RootFileWriter writer(io::memorySink("f.root", bytes), {uncompressed(), 64}, form);
  writer.addDocument("model:m", model);
  detail::BatchBuilder builder;
  for (const TableDefinition& table : tablesFor(form))
    builder.add(table);
  test::RandomEvents events(1, 2);
  for (int entry = 0; entry < 3; ++entry)
    events.addEntry(builder);
  for (const std::uint64_t first : {0U, 3U})
    writer.write("ntpl", builder.batch(first));
  writer.finish();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST_P(DamagedCopy, isReadOrRefusedWhereBytesAreOthers) {
  test::Warnings warnings;
  const std::string whole = smallFile(GetParam());
  ASSERT_TRUE(survives(whole));
  test::Random random(3);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < manyTimes; ++i)
    refused += survives(test::withOtherBytes(whole, random), {.verify = i % 2 == 0}) ? 0 : 1;
  EXPECT_GT(refused, manyTimes / 10);
}

/// Forms with checksums, which are corrected after each change.
class ForgedCopy : public testing::TestWithParam<CategoryForm> {};
INSTANTIATE_TEST_SUITE_P(Forms, ForgedCopy,
                         testing::Values(CategoryForm::ntuple, CategoryForm::frames));

TEST_P(ForgedCopy, isReadOrRefusedWhereItsDescriptionLies) {
  test::Warnings warnings;
  const test::ForgedNTuple whole(smallFile(GetParam()), "ntpl");
  ASSERT_TRUE(survives(whole.bytes()));
  test::Random random(4);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < manyTimes / 2; ++i) {
    test::ForgedNTuple forged = whole;
    std::string& envelope = forged.envelopes[random.below(forged.envelopes.size())];
    for (std::size_t n = 1 + random.below(2); n > 0; --n)
      envelope[8 + random.below(envelope.size() - 16)] = static_cast<char>(random.bits());
    refused += survives(forged.bytes(), {.verify = false}) ? 0 : 1;
  }
  EXPECT_GT(refused, manyTimes / 8);
}

} // namespace
} // namespace kaon::root
