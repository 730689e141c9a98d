#include <kaon/formats/kaonfile/FileReader.h>
#include <kaon/formats/kaonfile/SalvagedFile.h>
#include <kaon/formats/kaonfile/SoundCopy.h>
#include <kaon/formats/kaonfile/Verify.h>

#include <kaon/io/ByteSink.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Errors.h"
#include "support/Everything.h"
#include "support/Random.h"
#include "support/Records.h"
#include "support/Sanitizers.h"
#include "support/Tables.h"
#include "support/Warnings.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

// Reads the sound data of damaged files.

namespace kaon::kaonfile {
namespace {

constexpr int clusters = 6;
constexpr int entriesOfCluster = 50;

double xOf(std::int64_t run) { return static_cast<double>(run) * 1.25 + 0.1; }

/// Returns a file whose entries have their number, a value and hits of their own.
std::vector<std::byte> fileOf(bool isFinished = true, bool hasRelations = false,
                              int numberOfClusters = clusters) {
  test::Writing writing({.codec = uncompressed()});
  writing.writer.addDocument("notes", "some text");
  detail::BatchBuilder builder;
  builder.add(test::values("run", TableKind::value, Scalar::Int64));
  builder.add(test::values("x", TableKind::value, Scalar::Float64));
  builder.add(test::collection("Hits", {{"cell", Scalar::Int64}}));
  if (hasRelations)
    builder.add(test::relation("Hits.next", TableKind::manyRelation, 2));
  test::Random random(1);
  for (std::int64_t cluster = 0; cluster < numberOfClusters; ++cluster) {
    for (std::int64_t i = 0; i < entriesOfCluster; ++i) {
      const std::int64_t run = cluster * entriesOfCluster + i;
      test::addRow(builder, 0, run);
      test::addRow(builder, 1, xOf(run));
      builder.setPresent(2);
      for (std::int64_t hit = 0; hit < run % 3; ++hit) {
        test::addRow(builder, 2, run * 10 + hit);
        if (hasRelations)
          builder.endRow(3);
      }
      builder.endEntry();
    }
    writing.writer.write("events", builder.batch(static_cast<std::uint64_t>(cluster) * 50));
    builder.clear();
  }
  if (isFinished)
    writing.writer.finish();
  return {writing.bytes->data(), writing.bytes->data() + writing.bytes->size()};
}

SalvagedPart salvaged(std::span<const std::byte> bytes) {
  return openSalvaged(io::memorySource("memory.kaon", bytes));
}

/// Expects that all values of a category are right, and returns the numbers of its entries.
std::vector<std::int64_t> checkedRuns(const File& file) {
  const Source& source = file.category("events");
  const auto runs = test::valuesOf<std::int64_t>(source, "run");
  std::vector<double> x;
  std::vector<std::int64_t> cells;
  for (const std::int64_t run : runs) {
    x.push_back(xOf(run));
    for (std::int64_t hit = 0; hit < run % 3; ++hit)
      cells.push_back(run * 10 + hit);
  }
  EXPECT_TRUE(std::ranges::is_sorted(runs));
  if (source.schema().find("x") != Table::none) {
    EXPECT_EQ(test::valuesOf<double>(source, "x"), x);
  }
  if (source.schema().find("Hits") != Table::none) {
    EXPECT_EQ(test::valuesOf<std::int64_t>(source, "Hits.cell"), cells);
  }
  return runs;
}

/// Returns all numbers of entries but those of some clusters.
std::vector<std::int64_t> allBut(const std::vector<int>& lost) {
  std::vector<std::int64_t> runs;
  for (std::int64_t run = 0; run < clusters * entriesOfCluster; ++run)
    if (std::ranges::find(lost, run / entriesOfCluster) == lost.end())
      runs.push_back(run);
  return runs;
}

void flip(std::vector<std::byte>& bytes, std::size_t position) { bytes[position] ^= std::byte{1}; }

TEST(Salvage, keepsAllOfASoundFile) {
  const auto bytes = fileOf();
  const SalvagedPart part = salvaged(bytes);
  EXPECT_TRUE(part.report.isSound());
  EXPECT_TRUE(part.file->isComplete());
  EXPECT_EQ(test::everythingIn(*part.file), test::everythingIn(bytes));
  EXPECT_EQ(part.report.text(), "memory.kaon: nothing is lost\n  events: 300 entries kept");
}

TEST(Salvage, leavesOutOnlyTheEntriesOfADamagedPage) {
  auto bytes = fileOf();
  const auto records = test::recordsOf(bytes, RecordKind::cluster);
  flip(bytes, records[2].end - 1);
  const SalvagedPart part = salvaged(bytes);
  EXPECT_EQ(checkedRuns(*part.file), allBut({2}));
  ASSERT_EQ(part.report.categories.size(), 1U);
  EXPECT_EQ(part.report.categories[0].lostEntries, 50U);
  ASSERT_EQ(part.report.columns.size(), 1U);
  EXPECT_EQ(part.report.columns[0].name, "Hits.cell");
  EXPECT_EQ(part.report.columns[0].damagedEntries, 50U);
  EXPECT_GT(part.report.columns[0].damagedBytes, 0U);
  EXPECT_EQ(part.report.columns[0].damagedBytes, part.report.lostBytes);
}

// With one cluster, leaving out its entries would lose everything.
TEST(Salvage, leavesOutACollectionIfThatLosesLess) {
  auto bytes = fileOf(true, false, 1);
  flip(bytes, test::recordsOf(bytes, RecordKind::cluster)[0].end - 1);
  const SalvagedPart part = salvaged(bytes);
  EXPECT_EQ(checkedRuns(*part.file).size(), 50U);
  EXPECT_EQ(part.file->category("events").schema().find("Hits"), Table::none);
  EXPECT_EQ(part.report.columns.at(0).leftOut, "Hits");
  EXPECT_EQ(part.report.categories.at(0).lostEntries, 0U);
}

TEST(Salvage, neverLeavesOutACollectionThatReferencesCanLeadTo) {
  auto bytes = fileOf(true, true, 1);
  const auto cluster = test::recordsOf(bytes, RecordKind::cluster)[0];
  flip(bytes, cluster.end - 1);
  const SalvagedPart part = salvaged(bytes);
  EXPECT_EQ(part.file->category("events").schema().size(), 4U);
  EXPECT_EQ(part.file->category("events").entries(), 0U);
}

TEST(Salvage, needsNeitherTheBeginningNorTheEndOfAFile) {
  const auto whole = fileOf();
  const auto index = test::recordsOf(whole, RecordKind::index).at(0);
  for (const bool hasEnd : {true, false}) {
    auto bytes = whole;
    bytes[0] = std::byte{0}; // the magic
    if (!hasEnd)
      flip(bytes, index.begin + sizeof(RecordHeader));
    const SalvagedPart part = salvaged(bytes);
    EXPECT_EQ(checkedRuns(*part.file), allBut({}));
    EXPECT_EQ(part.file->document("notes"), "some text");
    EXPECT_EQ(part.report.rebuilt, hasEnd ? std::vector<std::string>{"header"}
                                          : (std::vector<std::string>{"header", "index"}));
  }
}

TEST(Salvage, findsSchemasAndDocumentsInCopies) {
  for (const bool isFinished : {true, false}) {
    auto bytes = fileOf(isFinished, false, 40);
    ASSERT_FALSE(test::recordsOf(bytes, RecordKind::copy).empty());
    const auto firstCluster = test::recordsOf(bytes, RecordKind::cluster)[0];
    std::fill_n(bytes.begin(), firstCluster.begin + 1000, std::byte{0}); // the first blocks
    if (isFinished)
      flip(bytes, test::recordsOf(fileOf(true, false, 40), RecordKind::index).at(0).end - 1);
    const SalvagedPart part = salvaged(bytes);
    EXPECT_EQ(checkedRuns(*part.file).size(), 39U * 50);
    EXPECT_EQ(part.file->document("notes"), "some text");
  }
}

TEST(Salvage, ignoresCopiesWhileTheFileIsSound) {
  const auto bytes = fileOf(true, false, 40);
  const Verification verification = verify(*io::memorySource("memory.kaon", bytes));
  EXPECT_TRUE(verification.isSound());
  EXPECT_EQ(checkedRuns(*test::openBytes(bytes)).size(), 40U * 50);
  const auto copies = test::recordsOf(bytes, RecordKind::copy);
  std::uint64_t size = 0;
  for (const test::Record& copy : copies)
    size += copy.end - copy.begin;
  EXPECT_LT(size, bytes.size() / 32);
}

TEST(Salvage, readsAnUnfinishedFileAroundDamage) {
  auto bytes = fileOf(false);
  flip(bytes, test::recordsOf(bytes, RecordKind::cluster)[1].begin + 20); // its header
  const SalvagedPart part = salvaged(bytes);
  EXPECT_EQ(checkedRuns(*part.file), allBut({1}));
  EXPECT_EQ(part.report.categories.at(0).lostEntries, 50U);
}

TEST(Salvage, namesLostDocuments) {
  auto bytes = fileOf(false);
  flip(bytes, test::recordsOf(bytes, RecordKind::document)[0].end - 1);
  const SalvagedPart part = salvaged(bytes);
  EXPECT_EQ(checkedRuns(*part.file), allBut({}));
  EXPECT_TRUE(part.file->documents().empty());
  EXPECT_GT(part.report.lostBytes, 0U);
}

TEST(Salvage, refusesFilesWithoutASoundRecord) {
  for (const std::size_t size : {0, 10, 100, 5000})
    test::expectError(ErrorKind::corrupt, "has no sound record of a kaon file",
                      [&] { (void)salvaged(std::vector<std::byte>(size)); });
}

TEST(Salvage, copyIsSoundAndComplete) {
  auto bytes = fileOf();
  const auto records = test::recordsOf(bytes, RecordKind::cluster);
  flip(bytes, records[3].end - 1);
  flip(bytes, records[4].begin); // the index repeats the record's header
  const SalvagedPart part = salvaged(bytes);
  Buffer copy;
  copySound(part, io::memorySink("copy.kaon", copy));
  const auto file = test::openBytes(copy.bytes());
  EXPECT_TRUE(file->isComplete());
  EXPECT_EQ(checkedRuns(*file), allBut({3}));
  EXPECT_EQ(file->document("notes"), "some text");
  EXPECT_TRUE(verify(*io::memorySource("copy.kaon", copy.bytes())).isSound());
}

// Any flipped bit loses at most a cluster, and no value is wrong.
TEST(Salvage, survivesEachFlippedBit) {
  auto bytes = fileOf();
  test::Warnings warnings;
  const std::size_t step = test::isSanitized ? 7 : 1;
  for (std::size_t position = 0; position < bytes.size(); position += step) {
    bytes[position] ^= std::byte{1} << (position % 8);
    const SalvagedPart part = salvaged(bytes);
    const std::size_t kept = checkedRuns(*part.file).size();
    EXPECT_GE(kept, (clusters - 1) * entriesOfCluster) << position;
    EXPECT_EQ(kept + part.report.categories.at(0).lostEntries, clusters * entriesOfCluster);
    bytes[position] ^= std::byte{1} << (position % 8);
  }
  EXPECT_TRUE(warnings.take().empty());
}

} // namespace
} // namespace kaon::kaonfile
