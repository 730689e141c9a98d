#include <kaon/train/Train.h>

#include <kaon/batch/Columns.h>
#include <kaon/files/Files.h>

#include "support/Files.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

// If an output takes a cluster whole, the stored cluster is copied.

namespace kaon {
namespace {

constexpr std::size_t entries = 10'000, clusterEntries = 1'000;

/// Whether outputs have provenance, and whether they keep the order.
class TrainClusters : public testing::TestWithParam<std::pair<bool, bool>> {
protected:
  TrainClusters() {
    std::iota(numbers.begin(), numbers.end(), 0);
    for (std::size_t i = 0; i < entries; ++i) {
      for (std::size_t hit = 0; hit < i % 4; ++hit)
        hits.push_back(static_cast<float>(i) / 8.F);
      offsets.push_back(static_cast<std::uint32_t>(hits.size()));
    }
    write("1.kaon", {.codec = lz4(), .clusterEntries = clusterEntries});
    write("2.kaon", {.codec = zstd(), .clusterEntries = clusterEntries});
  }
  void write(const std::string& name, const WriterOptions& written) const {
    BatchWriter out = batchWriter(directory / name, written);
    Columns columns(entries);
    columns.add("number", std::span<const std::int32_t>(numbers));
    columns.add("Hits", offsets, {{"energy", hits}});
    out.write("events", columns.batch());
    out.finish();
  }
  [[nodiscard]] Dataframe events() const {
    return dataset({std::string(directory / "1.kaon"), directory / "2.kaon"}, "events");
  }
  [[nodiscard]] TrainOptions options(Compression codec = lz4()) const {
    return {.writer = {.codec = codec, .clusterEntries = clusterEntries},
            .keepsOrder = GetParam().second,
            .provenance = GetParam().first};
  }
  [[nodiscard]] static std::vector<float> energies(const Dataframe& of) {
    return *of.define("energy", "sum(Hits.energy)").take<float>("energy");
  }
  /// Expects that a file has the selected entries in order, and the right provenance if it has any.
  void expectSelected(const std::string& name, const std::string& selection) const {
    EXPECT_TRUE(verify(directory / name).isSound()) << name;
    const Dataframe written = dataset(directory / name, "events");
    const Dataframe wanted = selection.empty() ? events() : events().filter(selection);
    const auto number = written.take<std::int32_t>("number");
    const auto energy = energies(written);
    EXPECT_EQ(*number, *wanted.take<std::int32_t>("number")) << name;
    EXPECT_EQ(energy, energies(wanted)) << name;
    if (!GetParam().first)
      return;
    const auto entry = written.take<std::uint64_t>("provenance.entry");
    for (std::size_t i = 0; i < number->size(); ++i)
      ASSERT_EQ((*entry)[i], static_cast<std::uint64_t>((*number)[i])) << name;
    const auto file = written.take<std::uint64_t>("provenance.file");
    EXPECT_EQ(file->front(), open(directory / "1.kaon")->id()) << name;
    EXPECT_EQ(file->back(), open(directory / "2.kaon")->id()) << name;
  }

  test::TemporaryDirectory directory;
  std::vector<std::int32_t> numbers = std::vector<std::int32_t>(entries);
  std::vector<std::uint32_t> offsets{0};
  std::vector<float> hits;
};
INSTANTIATE_TEST_SUITE_P(Train, TrainClusters,
                         testing::Values(std::pair(false, false), std::pair(false, true),
                                         std::pair(true, false), std::pair(true, true)),
                         [](const auto& test) {
                           return std::string(test.param.first ? "provenance" : "plain") +
                                  (test.param.second ? "InOrder" : "");
                         });

/// The first file has the train's codec, the second has another. The outputs share only whole
/// clusters, so they keep the order.
TEST_P(TrainClusters, areCopied) {
  for (const int threads : {1, 2}) {
    Train train(events(), options());
    train.add({.path = directory / "all.kaon"});
    train.add({.path = directory / "most.kaon", .selection = "number != 4500"});
    const TrainReport report =
        oneapi::tbb::task_arena(threads).execute([&] { return train.run(); });
    EXPECT_EQ(report.copiedEntries, entries + entries - clusterEntries);
    EXPECT_EQ(report.outputs[0].entries, 2 * entries);
    EXPECT_EQ(report.outputs[1].entries, 2 * entries - 2);
    if (!GetParam().second)
      continue; // outputs have shared entries of a cluster in another order
    expectSelected("all.kaon", "");
    expectSelected("most.kaon", "number != 4500");
  }
}

TEST_P(TrainClusters, areCopiedBetweenOthers) {
  Train train(events(), options());
  const std::string selection = "number // 500 % 4 != 1 and number != 9999";
  train.add({.path = directory / "a.kaon", .selection = selection});
  const TrainReport report = train.run();
  EXPECT_EQ(report.copiedEntries, 4 * clusterEntries); // clusters 1, 3, 5 and 7
  expectSelected("a.kaon", selection);
}

/// Each output stores the tags and the keys of its clusters together once more.
TEST_P(TrainClusters, bringTheirTagsAndKeysToEachFile) {
  write("tagged.kaon",
        {.codec = lz4(), .clusterEntries = clusterEntries, .tags = {"number"}, .keys = {"number"}});
  Train train(dataset(directory / "tagged.kaon", "events"), options());
  train.add({.path = directory / "a.kaon"});
  train.add({.path = directory / "b.kaon"});
  EXPECT_EQ(train.run().copiedEntries, 2 * entries);
  for (const std::string name : {"a.kaon", "b.kaon"}) {
    EXPECT_TRUE(verify(directory / name).isSound()) << name;
    EXPECT_EQ(*dataset(directory / name, "events").take<std::int32_t>("number"), numbers) << name;
  }
}

TEST_P(TrainClusters, areNotCopiedWhereSomethingIsLess) {
  Train train(events(), options());
  train.add({.path = directory / "a.kaon", .drop = {"Hits"}});
  train.add({.path = directory / "b.kaon", .thin = {{"Hits", "Hits.energy > 5"}}});
  train.add({.path = directory / "c.hipo"});
  EXPECT_EQ(train.run().copiedEntries, 0);
  Train filtered(events().filter("number % 100 != 7"), options());
  filtered.add({.path = directory / "d.kaon"});
  EXPECT_EQ(filtered.run().copiedEntries, 0);
  expectSelected("d.kaon", "number % 100 != 7");
}

/// Clusters with the default options would be larger than these.
TEST_P(TrainClusters, areJoinedWhereTheyAreSmall) {
  TrainOptions usual = options();
  usual.writer.clusterEntries = 0;
  Train train(events(), usual);
  train.add({.path = directory / "a.kaon", .selection = "number != 4500"});
  EXPECT_EQ(train.run().copiedEntries, 0);
  expectSelected("a.kaon", "number != 4500");
  EXPECT_EQ(open(directory / "a.kaon")->category("events").clusters().size(), 1);
}

TEST_P(TrainClusters, areEncodedWhereThatIsWanted) {
  TrainOptions without = options();
  without.copiesClusters = false;
  Train train(events(), without);
  train.add({.path = directory / "a.kaon"});
  EXPECT_EQ(train.run().copiedEntries, 0);
  expectSelected("a.kaon", "");
  Train other(events(), options(lzma()));
  other.add({.path = directory / "b.kaon"});
  EXPECT_EQ(other.run().copiedEntries, 0);
  expectSelected("b.kaon", "");
}

} // namespace
} // namespace kaon
