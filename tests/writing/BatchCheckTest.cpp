#include <kaon/writing/BatchCheck.h>

#include <kaon/batch/Columns.h>
#include <kaon/formats/memory/MemoryFile.h>
#include <kaon/writing/BatchBuilder.h>
#include <kaon/writing/BatchWriter.h>

#include "support/Errors.h"
#include "support/Tables.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The writer refuses invalid batches from programs in any language.

namespace kaon {
namespace {

using test::expectError;

struct Row {
  std::int32_t index = -1;
  std::uint32_t collection = 0;
};

enum Tables : std::uint32_t { particles, mother, daughters, hits, weight };

/// Entries of particles, which refer to particles and hits.
class Entries {
public:
  explicit Entries(bool areArrays) {
    if (areArrays)
      m_builder = detail::BatchBuilder::ofColumns();
    m_builder.add(test::collection("P", {{"good", Scalar::Bool}}));
    m_builder.add(test::relation("P.mother", TableKind::oneRelation, particles));
    m_builder.add(test::relation("P.daughters", TableKind::manyRelation, particles));
    m_builder.add(test::collection("H", {{"x", Scalar::Float32}}));
    m_builder.add(test::values("weight", TableKind::value, Scalar::Float32));
  }
  /// Adds an entry with this many particles and hits. Without hits, the entry lacks the collection.
  /// The first particle has the references.
  void add(std::size_t count, std::size_t hitCount, Row toOne, const std::vector<Row>& toMany) {
    m_builder.setPresent(particles);
    clear(particles, count);
    for (std::size_t i = 0; i < count; ++i) {
      put(mother, i == 0 ? toOne : Row{});
      for (std::size_t k = 0; i == 0 && k < toMany.size(); ++k)
        put(daughters, toMany[k]);
      m_builder.endRow(daughters);
    }
    if (hitCount > 0) {
      m_builder.setPresent(hits);
      clear(hits, hitCount);
    }
    clear(weight, 1);
    m_builder.endEntry();
  }
  [[nodiscard]] Batch batch() const { return m_builder.batch(0); }

private:
  void clear(std::uint32_t table, std::size_t rows) {
    std::byte* const begin = m_builder.append(table, rows);
    std::memset(begin, 0, rows * m_builder.schema().table(table).rowSize);
  }
  void put(std::uint32_t table, Row row) {
    std::memcpy(m_builder.append(table, 1), &row, sizeof row);
  }
  detail::BatchBuilder m_builder;
};

class WrittenReferences : public testing::TestWithParam<bool> {
protected:
  /// Expects that an invalid entry is refused after a valid one, and that neither is written.
  static void expectRefused(std::string_view part, std::size_t count, std::size_t hitCount,
                            Row toOne, const std::vector<Row>& toMany,
                            std::source_location where = std::source_location::current()) {
    Entries sound(GetParam()), unsound(GetParam());
    for (Entries* const entries : {&sound, &unsound})
      entries->add(2, 3, {1, particles}, {{0, particles}, {-1, 77}, {1, particles}});
    unsound.add(count, hitCount, toOne, toMany);
    const auto file = memory::MemoryFile::make("memory");
    BatchWriter writer(file->sink(), {});
    expectError(
        ErrorKind::usage, part, [&] { writer.write("events", unsound.batch()); }, where);
    writer.write("events", sound.batch()); // the writer still works
    expectError(
        ErrorKind::usage, part, [&] { writer.write("events", unsound.batch()); }, where);
    writer.finish();
    EXPECT_EQ(file->category("events").entries(), 1U) << where.line();
  }
};
INSTANTIATE_TEST_SUITE_P(In, WrittenReferences, testing::Bool(), [](const auto& each) {
  return std::string(each.param ? "arrays" : "rows");
});

TEST_P(WrittenReferences, leadToObjectsOfTheirEntry) {
  const std::string start = "memory:events: 'P.daughters' ";
  expectRefused(start + "refers, in entry 1 of those given, to object 7 of 'P', which has 2 there",
                2, 0, {}, {{0, particles}, {7, particles}});
  expectRefused(start + "refers, in entry 1 of those given, to object 2 of 'P'", 2, 0, {},
                {{2, particles}});
  expectRefused(start + "refers, in entry 1 of those given, to object 1 of 'H', which has 1", 2, 1,
                {}, {{0, particles}, {0, hits}, {1, hits}});
  expectRefused(start + "has, in entry 1 of those given, an index less than -1, -2", 2, 0, {},
                {{-1, particles}, {-2, particles}});
  expectRefused("'P.mother' refers, in entry 1 of those given, to object 2 of 'P', which has 2", 2,
                0, {2, particles}, {});
}

TEST_P(WrittenReferences, leadToCollections) {
  for (const std::uint32_t other : {std::uint32_t{mother}, std::uint32_t{weight}, 5U, ~0U})
    expectRefused("refers, in entry 1 of those given, to table number " + std::to_string(other) +
                      ", which is not a collection",
                  2, 3, {}, {{0, particles}, {0, other}});
}

TEST_P(WrittenReferences, mayLeadToNothingAndToCollectionsThatTheEntryLacks) {
  Entries entries(GetParam());
  entries.add(2, 3, {1, particles}, {{2, hits}, {0, particles}, {-1, 99}});
  entries.add(1, 0, {0, particles}, {{100, hits}, {-1, 0}}); // refers to a missing collection
  entries.add(0, 2, {}, {});
  entries.add(1, 2, {1, hits}, {{1, hits}, {0, hits}});
  const auto file = memory::MemoryFile::make("memory");
  BatchWriter writer(file->sink(), {});
  writer.write("events", entries.batch());
  writer.finish();
  EXPECT_EQ(file->category("events").entries(), 4U);
}

TEST_P(WrittenReferences, areNotCheckedAgainInCopies) {
  Entries entries(GetParam());
  entries.add(2, 0, {}, {{7, particles}});
  const auto file = memory::MemoryFile::make("memory");
  BatchWriter writer(file->sink(), {});
  writer.writeCopy("events", entries.batch());
  expectError(ErrorKind::usage, "to object 7", [&] { writer.write("events", entries.batch()); });
  writer.finish();
  EXPECT_EQ(file->category("events").entries(), 1U);
}

/// Expects that the writer refuses a batch.
void expectRefused(std::string_view part, const Batch& batch,
                   std::source_location where = std::source_location::current()) {
  const auto file = memory::MemoryFile::make("memory");
  BatchWriter writer(file->sink(), {});
  expectError(
      ErrorKind::usage, part, [&] { writer.write("events", batch); }, where);
  writer.finish();
  EXPECT_TRUE(file->categories().empty() || file->category("events").entries() == 0)
      << where.line();
}

TEST(WrittenValues, areBoolsWhereTheyMustBe) {
  Entries entries(true);
  for (int i = 0; i < 3; ++i)
    entries.add(2, 0, {}, {});
  Batch batch = entries.batch();
  std::array<std::byte, 6> bools{};
  bools[3] = std::byte{2};
  batch.table(particles).members[0] = {bools.data(), 1};
  expectRefused("memory:events: 'P.good' has, in entry 1 of those given, a bool that is neither 0 "
                "nor 1",
                batch);
  std::array<std::byte, 3> present{std::byte{1}, std::byte{5}, std::byte{1}};
  bools.fill(std::byte{1});
  batch.table(particles).present = present;
  expectRefused("'P' has a presence that is neither 0 nor 1", batch);
  present[1] = std::byte{0};
  expectRefused("'P' is absent from entry 1 of those given, but has 2 rows there", batch);
}

TEST(WrittenValues, areAsManyAsTheirRows) {
  Entries entries(true);
  entries.add(2, 0, {}, {});
  for (const std::uint32_t table : {std::uint32_t{mother}, std::uint32_t{weight}}) {
    Batch batch = entries.batch();
    batch.table(table).rows -= 1;
    expectRefused(", but needs one for each of the ", batch);
  }
}

TEST(WrittenTables, haveColumnsOfDifferentNames) {
  const std::vector<std::uint32_t> offsets{0, 1};
  const std::vector<float> x{1};
  Columns same(1), other(1), nameless(1);
  same.add("P", offsets, {{"x", x}, {"y", x}, {"x", x}});
  expectRefused("gives two columns the name 'P.x'", same.batch());
  other.add("P", offsets, {{"x", x}});
  other.add("P.x", offsets, {{"", x}});
  expectRefused("gives two columns the name 'P.x'", other.batch());
  nameless.add("P", offsets, {{"x", x}, {"", x}});
  expectRefused("'P' has several members, and one of them has no name", nameless.batch());
}

TEST(WrittenTables, haveTheTablesThatTheyNeed) {
  detail::BatchBuilder strings, subset;
  strings.add(test::table("title", TableKind::parameter, "string", {}));
  expectRefused("'title' is of strings, but lacks the table of their text", strings.batch(0));
  TableDefinition table = test::collection("Good", {});
  table.type = "kaon::Subset<P>";
  subset.add(table);
  expectRefused("'Good' is a subset, but lacks the relation 'object'", subset.batch(0));
}

} // namespace
} // namespace kaon
