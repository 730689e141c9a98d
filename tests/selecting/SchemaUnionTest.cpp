#include <kaon/selecting/SchemaUnion.h>

#include <kaon/formats/memory/MemoryFile.h>
#include <kaon/writing/BatchBuilder.h>
#include <kaon/writing/BatchWriter.h>

#include "support/Contents.h"
#include "support/Errors.h"
#include "support/Tables.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace kaon {
namespace {

using test::contentsOf;
using test::expectError;
using Numbers = std::vector<std::uint32_t>;

template <class T>
void addRow(detail::BatchBuilder& builder, std::uint32_t table, const T& row) {
  std::memcpy(builder.append(table, 1), &row, sizeof row);
}

struct Reference {
  std::int32_t index;
  std::uint32_t collection;
};

TableDefinition hits() { return test::collection("Hits", {{"cell", Scalar::Int64}}); }
TableDefinition particles() { return test::collection("Particles", {{"PDG", Scalar::Int64}}); }

/// Makes an entry with a hit of number 5, and a particle that refers to it.
detail::BatchBuilder hitsFirst() {
  detail::BatchBuilder builder;
  builder.add(hits());
  builder.add(particles());
  builder.add(test::relation("Particles.hit", TableKind::oneRelation, 1));
  builder.setPresent(0);
  addRow(builder, 0, std::int64_t{5});
  builder.setPresent(1);
  addRow(builder, 1, std::int64_t{11});
  addRow(builder, 2, Reference{0, 0});
  builder.endEntry();
  return builder;
}

/// Makes two entries with the same tables in another order, and further tables. Each has a hit of
/// number 6 with its quality, a particle and the run. Only the first particle refers to its hit.
detail::BatchBuilder hitsLast() {
  detail::BatchBuilder builder;
  builder.add(particles());
  builder.add(test::relation("Particles.hit", TableKind::oneRelation, 0));
  builder.add(hits());
  builder.add(test::values("run", TableKind::value, Scalar::Int32));
  TableDefinition quality = test::values("Hits.quality", TableKind::decoration, Scalar::Float32, 2);
  quality.members[0].missing = 0x3f800000; // 1
  builder.add(quality);
  for (const std::int32_t index : {0, -1}) {
    builder.setPresent(0);
    addRow(builder, 0, std::int64_t{22});
    addRow(builder, 1, Reference{index, 2});
    builder.setPresent(2);
    addRow(builder, 2, std::int64_t{6});
    addRow(builder, 3, std::int32_t{7});
    addRow(builder, 4, 0.5f);
    builder.endEntry();
  }
  return builder;
}

template <class T>
std::vector<T> valuesOf(const test::Contents::Rows& rows, std::size_t member = 0) {
  std::vector<T> values(rows.values[member].size() / sizeof(T));
  std::memcpy(values.data(), rows.values[member].data(), rows.values[member].size());
  return values;
}

TEST(SchemaUnion, numbersTablesAsTheyCome) {
  SchemaUnion all;
  EXPECT_EQ(all.add(hitsFirst().schema()), (Numbers{0, 1, 2}));
  EXPECT_EQ(all.add(hitsLast().schema()), (Numbers{1, 2, 0, 3, 4}));
  EXPECT_EQ(all.add(hitsFirst().schema()), (Numbers{0, 1, 2}));
  EXPECT_EQ(all.schema().size(), 5U);
  EXPECT_EQ(all.schema().table(4).parent, 0U);
}

TEST(SchemaUnion, tellsParametersOfTheSameNameApart) {
  Schema one, other;
  one.add(test::parameter("x", Scalar::Int32));
  other.add(test::parameter("x", Scalar::Float64));
  other.add(test::collection("x", {{"y", Scalar::Int8}}));
  SchemaUnion all;
  EXPECT_EQ(all.add(one), (Numbers{0}));
  EXPECT_EQ(all.add(other), (Numbers{1, 2}));
  EXPECT_EQ(all.add(other), (Numbers{1, 2}));
}

/// Tables without a model are parameters if Python wrote them, but collections in ROOT trees.
TEST(SchemaUnion, unitesTablesThatNoModelDescribes) {
  const auto schemaOf = [](std::vector<TableKind> kinds) {
    Schema schema;
    for (const TableKind kind : kinds) {
      schema.add(test::table("Muon", kind, "", {{"pt", Scalar::Float32}}));
      schema.add(test::values("weights", kind, Scalar::Float64));
    }
    return schema;
  };
  const Schema parameters = schemaOf({TableKind::parameter});
  const Schema collections = schemaOf({TableKind::collection});
  for (const auto& [first, second] :
       {std::pair{parameters, collections}, std::pair{collections, parameters}}) {
    SchemaUnion all;
    EXPECT_EQ(all.add(first), (Numbers{0, 1}));
    EXPECT_EQ(all.add(second), (Numbers{0, 1}));
    EXPECT_EQ(all.schema(), first);
  }
  SchemaUnion both; // a file with both tables keeps both
  EXPECT_EQ(both.add(parameters), (Numbers{0, 1}));
  EXPECT_EQ(both.add(schemaOf({TableKind::collection, TableKind::parameter})),
            (Numbers{2, 3, 0, 1}));
}

/// The same events may be in a .kaon file with tags and in a ROOT file without.
TEST(SchemaUnion, takesTheUsesOfTheFirst) {
  TableDefinition run = test::values("run", TableKind::value, Scalar::Int32);
  Schema plain;
  plain.add(run);
  run.use = TableUse::tag | TableUse::key;
  Schema tagged;
  tagged.add(run);
  for (const auto& [first, second] : {std::pair{plain, tagged}, std::pair{tagged, plain}}) {
    SchemaUnion all;
    EXPECT_EQ(all.add(first), (Numbers{0}));
    EXPECT_EQ(all.add(second), (Numbers{0}));
    EXPECT_EQ(all.schema(), first);
  }
}

TEST(SchemaUnion, refusesTablesThatHoldSomethingElse) {
  const auto schemaOf = [](std::vector<TableDefinition> tables) {
    Schema schema;
    for (const TableDefinition& table : tables)
      schema.add(table);
    return schema;
  };
  const auto vector = test::values("Hits.pulse", TableKind::vectorMember, Scalar::Float32, 0);
  for (const auto& [first, second] :
       {std::pair{schemaOf({hits()}),
                  schemaOf({test::collection("Hits", {{"cell", Scalar::Int32}})})},
        std::pair{
            schemaOf({test::table("Hits", TableKind::parameter, "", {{"a", Scalar::Int8}})}),
            schemaOf({test::table("Hits", TableKind::collection, "", {{"b", Scalar::Int8}})})},
        std::pair{schemaOf({hits()}), schemaOf({hits(), vector})},
        std::pair{schemaOf({hits(), vector}), schemaOf({hits()})}}) {
    SchemaUnion all;
    (void)all.add(first);
    expectError(ErrorKind::usage, "differs between the inputs", [&] { (void)all.add(second); });
    EXPECT_EQ(all.schema(), first);
  }
}

TEST(SchemaUnion, reportsDifferences) {
  const auto schemaOf = [](const TableDefinition& table) {
    Schema schema;
    schema.add(table);
    return schema;
  };
  SchemaUnion all;
  (void)all.add(schemaOf(test::collection("Hits", {{"cell", Scalar::Int32}})));
  (void)all.add(schemaOf(test::values("weight", TableKind::value, Scalar::Float64)));
  (void)all.add(schemaOf(test::collection("Muon", {{"pt", Scalar::Int8}, {"q", Scalar::Int8}})));
  expectError(ErrorKind::usage,
              "'Hits' differs between the inputs: 'cell' is a float32, but an int32 in earlier "
              "inputs; first write",
              [&] {
                (void)all.add(schemaOf(test::collection("Hits", {{"cell", Scalar::Float32}})));
              });
  (void)all.add(schemaOf(
      test::table("beam", TableKind::value, "", {{"x", Scalar::Int8}, {"y", Scalar::Int8}})));
  expectError(ErrorKind::usage, "inputs: only some inputs have 'y'; first write", [&] {
    (void)all.add(schemaOf(test::table("beam", TableKind::value, "", {{"x", Scalar::Int8}})));
  });
  expectError(ErrorKind::usage, "inputs: its members have another order than", [&] {
    (void)all.add(schemaOf(
        test::table("beam", TableKind::value, "", {{"y", Scalar::Int8}, {"x", Scalar::Int8}})));
  });
  expectError(ErrorKind::usage, "inputs: it is an int64, but a float64 in earlier inputs", [&] {
    (void)all.add(schemaOf(test::values("weight", TableKind::value, Scalar::Int64)));
  });
}

TEST(UnitedBatch, joinsBatchesOfSeveralSchemas) {
  const detail::BatchBuilder first = hitsFirst(), last = hitsLast();
  SchemaUnion all;
  const Numbers inFirst = all.add(first.schema()), inLast = all.add(last.schema());
  const Batch one = first.batch(0), other = last.batch(0);
  const auto file = memory::MemoryFile::make("joined");
  BatchWriter out(file->sink(), {});
  out.write("events", UnitedBatch(one, inFirst, all.schema()).batch());
  out.write("events", UnitedBatch(other, inLast, all.schema()).batch());
  out.finish();
  const auto joined = contentsOf(file->category("events"));
  const auto& tables = joined.tables;
  EXPECT_EQ(valuesOf<std::int64_t>(tables.at({"Hits", "Thing"})),
            (std::vector<std::int64_t>{5, 6, 6}));
  EXPECT_EQ(valuesOf<std::int64_t>(tables.at({"Particles", "Thing"})),
            (std::vector<std::int64_t>{11, 22, 22}));
  const auto& references = tables.at({"Particles.hit", "Thing"});
  EXPECT_EQ(valuesOf<std::int32_t>(references, detail::relationIndex),
            (std::vector<std::int32_t>{0, 0, -1}));
  EXPECT_EQ(valuesOf<std::uint32_t>(references, detail::relationCollection), (Numbers{0, 0, 0}));
  EXPECT_EQ(valuesOf<std::int32_t>(tables.at({"run", "int32"})),
            (std::vector<std::int32_t>{0, 7, 7}));
  EXPECT_EQ(valuesOf<float>(tables.at({"Hits.quality", "float32"})),
            (std::vector<float>{1.f, 0.5f, 0.5f}));
}

TEST(UnitedBatch, isWithoutCollectionsThatTheBatchDoesNotHave) {
  detail::BatchBuilder builder;
  builder.add(test::parameter("x", Scalar::Float64));
  builder.endEntry();
  SchemaUnion all;
  (void)all.add(hitsLast().schema());
  const Numbers numbers = all.add(builder.schema());
  const Batch batch = builder.batch(3);
  const UnitedBatch united(batch, numbers, all.schema());
  EXPECT_EQ(united.batch().firstEntry(), 3U);
  EXPECT_EQ(united.batch().table(2).present[0], std::byte{0});
  EXPECT_EQ(united.batch().offsets("Hits")[1], 0U);
  EXPECT_EQ(united.batch().table(4).rows, 0U); // the decoration of the hits
  EXPECT_EQ(united.batch().values<std::int32_t>("run")[0], 0);
}

TEST(UnitedBatch, leavesOutTablesAndReferencesToThem) {
  const detail::BatchBuilder builder = hitsLast();
  SchemaUnion kept;
  const Numbers numbers = kept.add(builder.schema(), Numbers{2});
  EXPECT_EQ(numbers, (Numbers{0, 1, Table::none, 2, Table::none}));
  const Batch batch = builder.batch(0);
  const UnitedBatch united(batch, numbers, kept.schema());
  test::Contents contents;
  contents.append(united.batch());
  const auto& references = contents.tables.at({"Particles.hit", "Thing"});
  EXPECT_EQ(valuesOf<std::int32_t>(references, detail::relationIndex), (std::vector{-1, -1}));
  EXPECT_EQ(valuesOf<std::int32_t>(contents.tables.at({"run", "int32"})), (std::vector{7, 7}));
  EXPECT_EQ(kept.schema().find("Hits"), Table::none);
}

TEST(SchemaUnion, refusesATagThatIsAParameterElsewhere) {
  Schema tags, parameters, both;
  tags.add(test::values("run", TableKind::value, Scalar::Int32));
  parameters.add(test::values("run", TableKind::parameter, Scalar::Int32));
  both.add(test::values("run", TableKind::value, Scalar::Int32));
  both.add(test::values("run", TableKind::parameter, Scalar::Int32));
  const auto join = [](const Schema& first, const Schema& second) {
    SchemaUnion all;
    (void)all.add(first);
    (void)all.add(second);
  };
  expectError(ErrorKind::usage, "'run' is a parameter, but a value in another input",
              [&] { join(tags, parameters); });
  expectError(ErrorKind::usage, "'run' is a value, but a parameter in",
              [&] { join(parameters, tags); });
  join(both, parameters);
  join(tags, both);
}

TEST(UnitedBatch, findsReferencesThatLeadNowhere) {
  detail::BatchBuilder builder = hitsFirst();
  builder.setPresent(1);
  addRow(builder, 1, std::int64_t{11});
  addRow(builder, 2, Reference{0, 3});
  builder.endEntry();
  SchemaUnion all;
  const Numbers numbers = all.add(builder.schema());
  const Batch batch = builder.batch(0);
  expectError(ErrorKind::corrupt, "'Particles.hit' refers to table number 3, which does not exist",
              [&] { UnitedBatch(batch, numbers, all.schema()); });
  expectError(ErrorKind::usage, "other tables than were added",
              [&] { UnitedBatch(batch, Numbers{0}, all.schema()); });
}

} // namespace
} // namespace kaon
