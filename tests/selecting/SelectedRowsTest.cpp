#include <kaon/selecting/SelectedRows.h>

#include <kaon/batch/Columns.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Contents.h"
#include "support/Errors.h"
#include "support/RandomEvents.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace kaon {
namespace {

using test::Contents;
using test::expectError;

// The tables of twoEntries().
enum Tables : std::uint32_t { particles, points, mother, hits, hitParticles };

template <class T>
void addRows(detail::BatchBuilder& builder, std::uint32_t table, const std::vector<T>& rows) {
  for (const T& row : rows)
    std::memcpy(builder.append(table, 1), &row, sizeof row);
}

struct Reference {
  std::int32_t index;
  std::uint32_t collection = particles;
};

/// Returns two entries. Particle i of an entry has i points, and the particle before it as its
/// mother. One hit per entry refers to all particles, to itself, and to nothing.
detail::BatchBuilder twoEntries() {
  detail::BatchBuilder builder;
  builder.add(test::collection("Particles", {{"PDG", Scalar::Int64}}));
  builder.add(test::values("Particles.points", TableKind::vectorMember, Scalar::Int32, particles));
  builder.add(test::relation("Particles.mother", TableKind::oneRelation, particles));
  builder.add(test::collection("Hits", {{"cell", Scalar::Int64}}));
  builder.add(test::relation("Hits.particles", TableKind::manyRelation, hits));
  std::int64_t pdg = 10;
  for (const std::int32_t count : {3, 4}) {
    std::vector<Reference> all;
    builder.setPresent(particles);
    for (std::int32_t i = 0; i < count; ++i) {
      addRows<std::int64_t>(builder, particles, {pdg++});
      addRows(builder, points, std::vector<std::int32_t>(static_cast<std::size_t>(i), i));
      builder.endRow(points);
      addRows<Reference>(builder, mother, {{i - 1}});
      all.push_back({i});
    }
    builder.setPresent(hits);
    addRows<std::int64_t>(builder, hits, {5});
    all.push_back({0, hits});
    all.push_back({-1});
    addRows(builder, hitParticles, all);
    builder.endRow(hitParticles);
    builder.endEntry();
  }
  return builder;
}

template <class T>
std::vector<T> valuesOf(const Batch& batch, std::uint32_t table, std::uint32_t member = 0) {
  std::vector<T> values(batch.table(table).rows);
  for (std::size_t row = 0; row < values.size(); ++row)
    std::memcpy(&values[row], batch.table(table).members[member].at(row), sizeof(T));
  return values;
}

std::vector<std::uint32_t> offsetsOf(const Batch& batch, std::uint32_t table) {
  const auto offsets = batch.table(table).offsets;
  return {offsets.begin(), offsets.end()};
}

using Ints = std::vector<std::int32_t>;
using Offsets = std::vector<std::uint32_t>;
constexpr std::array someParticles{false, true, true, /**/ true, false, false, true};

TEST(TakeEntries, givesThoseOfTheListInItsOrder) {
  detail::BatchBuilder builder;
  for (const TableDefinition& table : test::assortedTables(Layout::split))
    builder.add(table);
  test::RandomEvents events(23, 5);
  for (int i = 0; i < 12; ++i)
    events.addEntry(builder);
  const Batch batch = builder.batch(0);
  JoinedBatch taken(batch.schema());
  takeEntries(batch, std::array<std::size_t, 7>{3, 4, 5, 11, 0, 0, 7}, taken);
  Contents expected, found;
  for (const std::size_t entry : {3, 4, 5, 11, 0, 0, 7})
    expected.append(detail::BatchSlice(batch, entry, entry + 1, batch.schema()).batch());
  found.append(taken.batch(0));
  EXPECT_EQ(found, expected);
}

TEST(TakeEntries, refusesOneThatIsNotThere) {
  const detail::BatchBuilder builder = twoEntries();
  JoinedBatch taken(builder.schema());
  expectError(ErrorKind::usage, "the batch has no entry 2, only 2", [&] {
    takeEntries(builder.batch(0), std::array<std::size_t, 2>{1, 2}, taken);
  });
}

TEST(SelectedRows, areRowsWithAllThatLiesUnderThem) {
  const detail::BatchBuilder builder = twoEntries();
  const Batch all = builder.batch(0);
  const SelectedRows taken(all, "Particles", someParticles, LostReference::becomesNone);
  const Batch& batch = taken.batch();
  EXPECT_EQ(valuesOf<std::int64_t>(batch, particles), (std::vector<std::int64_t>{11, 12, 13, 16}));
  EXPECT_EQ(offsetsOf(batch, particles), (Offsets{0, 2, 4}));
  EXPECT_EQ(valuesOf<std::int32_t>(batch, points), (Ints{1, 2, 2, 3, 3, 3}));
  EXPECT_EQ(offsetsOf(batch, points), (Offsets{0, 1, 3, 3, 6}));
  EXPECT_EQ(valuesOf<std::int64_t>(batch, hits), (std::vector<std::int64_t>{5, 5}));
}

TEST(SelectedRows, keepReferencesToTheSameObjects) {
  const detail::BatchBuilder builder = twoEntries();
  const Batch all = builder.batch(0);
  const SelectedRows taken(all, "Particles", someParticles, LostReference::becomesNone);
  EXPECT_EQ(valuesOf<std::int32_t>(taken.batch(), mother), (Ints{-1, 0, -1, -1}));
  EXPECT_EQ(valuesOf<std::int32_t>(taken.batch(), hitParticles),
            (Ints{-1, 0, 1, 0, -1, /**/ 0, -1, -1, 1, 0, -1}));
  EXPECT_EQ(valuesOf<std::uint32_t>(taken.batch(), hitParticles, detail::relationCollection),
            valuesOf<std::uint32_t>(all, hitParticles, detail::relationCollection));
  EXPECT_EQ(valuesOf<std::int32_t>(all, mother), (Ints{-1, 0, 1, -1, 0, 1, 2})); // unchanged
}

TEST(SelectedRows, mayBeAllOrNone) {
  const detail::BatchBuilder builder = twoEntries();
  const Batch all = builder.batch(0);
  Contents expected, found;
  expected.append(all);
  found.append(SelectedRows(all, "Particles", std::array{true, true, true, true, true, true, true},
                            LostReference::isError)
                   .batch());
  EXPECT_EQ(found, expected);
  const SelectedRows none(all, "Particles", std::array<bool, 7>{}, LostReference::becomesNone);
  EXPECT_EQ(offsetsOf(none.batch(), particles), (Offsets{0, 0, 0}));
  EXPECT_EQ(offsetsOf(none.batch(), points), (Offsets{0}));
  EXPECT_EQ(valuesOf<std::int32_t>(none.batch(), hitParticles),
            (Ints{-1, -1, -1, 0, -1, /**/ -1, -1, -1, -1, 0, -1}));
  JoinedBatch whole(all.schema()); // the result can be joined like any batch
  whole.append(none.batch());
  EXPECT_EQ(whole.batch(0).table(hits).rows, 2U);
}

TEST(SelectedRows, refuseToLoseObjectsThatAreReferredTo) {
  const detail::BatchBuilder builder = twoEntries();
  const Batch all = builder.batch(7);
  expectError(ErrorKind::usage,
              "'Particles.mother' refers to an object of entry 7 that is not taken",
              [&] { SelectedRows(all, "Particles", someParticles, LostReference::isError); });
}

TEST(SelectedRows, findReferencesThatLeadNowhere) {
  detail::BatchBuilder builder = twoEntries();
  builder.setPresent(particles);
  addRows<std::int64_t>(builder, particles, {1});
  builder.endRow(points);
  addRows<Reference>(builder, mother, {{1}});
  builder.endEntry();
  const Batch all = builder.batch(0);
  expectError(ErrorKind::corrupt,
              "'Particles.mother' refers to object 1 of entry 2, which does not exist", [&] {
                SelectedRows(all, "Particles",
                             std::array<bool, 8>{true, true, true, true, true, true, true, true},
                             LostReference::becomesNone);
              });
}

TEST(SelectedRows, refuseSelectionsThatDoNotFit) {
  const detail::BatchBuilder builder = twoEntries();
  const auto take = [&](const Batch& batch, std::string_view name) {
    SelectedRows(batch, name, someParticles, LostReference::becomesNone);
  };
  const Batch all = builder.batch(0);
  expectError(ErrorKind::name, "(did you mean 'Particles'?)", [&] { take(all, "Particle"); });
  expectError(ErrorKind::name, "'Particles.points' is not a collection",
              [&] { take(all, "Particles.points"); });
  expectError(ErrorKind::usage, "'Hits' has 2 rows, not 7", [&] { take(all, "Hits"); });
  Batch without = builder.batch(0);
  without.table(particles) = {};
  expectError(ErrorKind::usage, "no column of 'Particles' was asked for",
              [&] { take(without, "Particles"); });
  Batch wrong = builder.batch(0);
  const std::array<std::uint32_t, 3> falling{0, 8, 7};
  wrong.table(particles).offsets = falling;
  expectError(ErrorKind::usage, "the offsets of 'Particles' do not fit",
              [&] { take(wrong, "Particles"); });
  Batch bare = builder.batch(0);
  bare.table(mother).members[detail::relationCollection].base = nullptr;
  expectError(ErrorKind::usage, "the batch lacks members of 'Particles.mother'",
              [&] { take(bare, "Particles"); });
}

} // namespace
} // namespace kaon
