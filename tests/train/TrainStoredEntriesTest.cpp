#include <kaon/train/Train.h>

#include <kaon/batch/Columns.h>
#include <kaon/files/Files.h>

#include "support/Errors.h"
#include "support/Files.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

// Events of HIPO files are copied to HIPO files without decoding if outputs keep all their columns.
// The first word of an event, which readers ignore, has a mark in these files. Copied events keep
// the mark.

namespace kaon {
namespace {

constexpr std::size_t entries = 20'000;
constexpr std::string_view plain = "EVNT", mark = "EvNT";

std::size_t occurrences(const std::string& path, std::string_view word) {
  const std::string bytes = test::readFile(path);
  std::size_t count = 0;
  for (std::size_t at = bytes.find(word); at != std::string::npos; at = bytes.find(word, at + 1))
    ++count;
  return count;
}

struct HipoFiles {
  enum class Order { numberFirst, hitsFirst };

  HipoFiles() {
    for (std::size_t i = 0; i < entries; ++i) {
      numbers.push_back(static_cast<std::int32_t>(i));
      tags.push_back(i % 7 == 0 ? 3 : 0);
      for (std::size_t hit = 0; hit < i % 5; ++hit) {
        energies.push_back(static_cast<float>(i) / 8.F);
        cells.push_back(static_cast<std::int16_t>(i % 1000 + hit));
      }
      offsets.push_back(static_cast<std::uint32_t>(energies.size()));
    }
  }

  /// Writes a file. The order of the banks determines their numbers in the file.
  void write(const std::string& name, Order order) const {
    BatchWriter out = batchWriter(directory / name, {.codec = uncompressed()});
    Columns columns(entries);
    columns.add("tag", std::span<const std::uint32_t>(tags));
    if (order == Order::numberFirst)
      columns.add("number", std::span<const std::int32_t>(numbers));
    columns.add("Hits", offsets, {{"energy", energies}, {"cell", cells}});
    if (order == Order::hitsFirst)
      columns.add("number", std::span<const std::int32_t>(numbers));
    out.write("events", columns.batch());
    out.finish();
    std::string bytes = test::readFile(directory / name);
    std::size_t at = bytes.rfind(plain); // the word of the index
    for (std::size_t i = 0; i < entries; ++i) {
      at = bytes.rfind(plain, at - 1);
      bytes.replace(at, mark.size(), mark);
    }
    test::writeFile(directory / name, bytes);
  }

  [[nodiscard]] static TrainOptions options() { return {.writer = {.codec = uncompressed()}}; }

  void expectSame(const Dataframe& written, const Dataframe& wanted) const {
    const auto sum = [](const Dataframe& of) {
      return *of.define("e", "sum(Hits.energy * Hits.cell)").take<float>("e");
    };
    EXPECT_EQ(*written.take<std::int32_t>("n"), *wanted.take<std::int32_t>("n"));
    EXPECT_EQ(*written.take<std::uint32_t>("tag"), *wanted.take<std::uint32_t>("tag"));
    EXPECT_EQ(sum(written), sum(wanted));
  }

  test::TemporaryDirectory directory;
  std::vector<std::int32_t> numbers;
  std::vector<std::uint32_t> tags;
  std::vector<std::uint32_t> offsets{0};
  std::vector<float> energies;
  std::vector<std::int16_t> cells;
};

class TrainStoredEntries : public testing::TestWithParam<bool>, protected HipoFiles {
protected:
  TrainStoredEntries() {
    write("1.hipo", Order::numberFirst);
    write("2.hipo", Order::hitsFirst);
    write("3.hipo", Order::numberFirst);
  }
  [[nodiscard]] Dataframe events(std::vector<std::string> names) const {
    for (std::string& name : names)
      name = directory / name;
    return dataset(names, "events").define("n", "number.value[0]");
  }
};
INSTANTIATE_TEST_SUITE_P(Train, TrainStoredEntries, testing::Bool(), [](const auto& test) {
  return std::string(test.param ? "InOrder" : "Shared");
});

/// An output that drops columns does not prevent copying to the others.
TEST_P(TrainStoredEntries, areCopied) {
  for (const int threads : {1, 2}) {
    const Dataframe all = events({"1.hipo", "3.hipo"});
    TrainOptions wanted = options();
    wanted.keepsOrder = GetParam();
    Train train(all, wanted);
    train.add({.path = directory / "some.hipo", .selection = "n % 3 == 1"});
    train.add({.path = directory / "more.hipo", .selection = "n % 3 != 1"});
    train.add({.path = directory / "less.hipo", .selection = "n % 3 == 1", .drop = {"Hits"}});
    train.add({.path = directory / "kept.kaon", .selection = "n % 3 == 1"});
    const TrainReport report =
        oneapi::tbb::task_arena(threads).execute([&] { return train.run(); });
    for (const std::size_t output : {std::size_t{0}, std::size_t{1}})
      EXPECT_EQ(occurrences(report.outputs[output].path, mark), report.outputs[output].entries);
    EXPECT_EQ(occurrences(directory / "less.hipo", mark), 0);
    EXPECT_EQ(report.outputs[3].entries, report.outputs[0].entries);
    // Events of each tag are in separate records.
    for (const auto& [name, selection] :
         {std::pair("some.hipo", "n % 3 == 1"), std::pair("more.hipo", "n % 3 != 1")})
      for (const std::string tag : {"tag == 0", "tag == 3"})
        expectSame(events({name}).filter(tag), all.filter(selection).filter(tag));
    EXPECT_EQ(*events({"kept.kaon"}).take<std::int32_t>("n"),
              *all.filter("n % 3 == 1").take<std::int32_t>("n"));
  }
}

/// In the second file, banks have other numbers than in the output's dictionary.
TEST_P(TrainStoredEntries, areCopiedOfFilesWithTheSameBanksOnly) {
  const Dataframe all = events({"1.hipo", "2.hipo", "3.hipo"});
  TrainOptions wanted = options();
  wanted.keepsOrder = GetParam();
  Train train(all, wanted);
  train.add({.path = directory / "some.hipo", .selection = "n % 2 == 1"});
  EXPECT_EQ(train.run().outputs[0].entries, entries / 2 * 3);
  EXPECT_EQ(occurrences(directory / "some.hipo", mark), entries);
  for (const std::string tag : {"tag == 0", "tag == 3"})
    expectSame(events({"some.hipo"}).filter(tag), all.filter("n % 2 == 1").filter(tag));
}

TEST_P(TrainStoredEntries, areEncodedWhereThatIsWanted) {
  TrainOptions wanted = options();
  wanted.keepsOrder = GetParam();
  wanted.copiesClusters = false;
  Train train(events({"1.hipo"}), wanted);
  train.add({.path = directory / "all.hipo"});
  EXPECT_EQ(train.run().outputs[0].entries, entries);
  EXPECT_EQ(occurrences(directory / "all.hipo", mark), 0);
  for (const std::string tag : {"tag == 0", "tag == 3"})
    expectSame(events({"all.hipo"}).filter(tag), events({"1.hipo"}).filter(tag));
}

TEST_P(TrainStoredEntries, failWhereTheyAreDamaged) {
  const std::string bytes = test::readFile(directory / "1.hipo");
  const std::size_t length = bytes.rfind(mark) + 16 + 4; // of the first bank in the last event
  for (const auto& [place, value, message] :
       {std::tuple(length + 2, '\x7f', "ends behind it"),
        std::tuple(length, '\x03', "has 3 bytes, but its rows have 4")}) {
    std::string damaged = bytes;
    damaged[place] = value;
    test::writeFile(directory / "1.hipo", damaged);
    Train train(events({"1.hipo"}), options());
    train.add({.path = directory / "all.hipo"});
    test::expectError(ErrorKind::corrupt, message, [&] { (void)train.run(); });
  }
}

} // namespace
} // namespace kaon
