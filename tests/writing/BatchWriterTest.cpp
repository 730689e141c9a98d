#include <kaon/writing/BatchWriter.h>

#include <kaon/base/Error.h>
#include <kaon/base/Tasks.h>
#include <kaon/batch/Columns.h>
#include <kaon/formats/memory/MemoryFile.h>
#include <kaon/reading/Batches.h>

#include "support/Errors.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon {
namespace {

using test::expectError;

/// Entries, each with a number and a list of (number % 4) numbers.
struct Numbers {
  explicit Numbers(std::size_t entries, std::int32_t first = 0) {
    for (std::size_t i = 0; i < entries; ++i) {
      number.push_back(first + static_cast<std::int32_t>(i));
      for (std::int32_t k = 0; k < number.back() % 4; ++k)
        values.push_back(static_cast<float>(number.back() * 10 + k));
      offsets.push_back(static_cast<std::uint32_t>(values.size()));
    }
  }
  [[nodiscard]] Columns columns() const {
    Columns columns(number.size());
    columns.add("number", number);
    columns.add("list", offsets, {{"", values}});
    return columns;
  }
  std::vector<std::int32_t> number;
  std::vector<std::uint32_t> offsets{0};
  std::vector<float> values;
};

std::vector<std::int32_t> numbersIn(const File& file) {
  std::vector<std::int32_t> all;
  for (const Batch& batch : Batches(file.category("events"), {"number"}))
    std::ranges::copy(batch.values<std::int32_t>("number"), std::back_inserter(all));
  return all;
}

std::vector<float> valuesIn(const File& file) {
  std::vector<float> all;
  for (const Batch& batch : Batches(file.category("events"), {"list"}))
    std::ranges::copy(batch.values<float>("list"), std::back_inserter(all));
  return all;
}

std::vector<std::size_t> clustersOf(const File& file) {
  std::vector<std::size_t> entries;
  for (const EntryRange& cluster : file.category("events").clusters())
    entries.push_back(cluster.size());
  return entries;
}

/// An entry takes 8 bytes for its number and its count, and 4 bytes per value.
TEST(BatchWriters, cutBatchesWhereClustersAreFull) {
  const auto file = memory::MemoryFile::make("memory");
  const Numbers numbers(100);
  BatchWriter writer(file->sink(), {.clusterEntries = 30});
  writer.write("events", numbers.columns().batch());
  writer.finish();
  EXPECT_EQ(clustersOf(*file), (std::vector<std::size_t>{30, 30, 30, 10}));
  EXPECT_EQ(numbersIn(*file), numbers.number);
  EXPECT_EQ(valuesIn(*file), numbers.values);
}

TEST(BatchWriters, countBytes) {
  const auto file = memory::MemoryFile::make("memory");
  const Numbers numbers(16); // 8 bytes an entry, and 0, 4, 8 or 12 for its list
  BatchWriter writer(file->sink(), {.clusterBytes = 56});
  writer.write("events", numbers.columns().batch());
  writer.finish();
  EXPECT_EQ(clustersOf(*file), (std::vector<std::size_t>{4, 4, 4, 4}));
}

TEST(BatchWriters, joinBatchesToClusters) {
  const auto file = memory::MemoryFile::make("memory");
  const Numbers all(100);
  BatchWriter writer(file->sink(), {.clusterEntries = 40});
  for (int first = 0; first < 100; first += 7) {
    const Numbers some(std::min<std::size_t>(7, 100 - static_cast<std::size_t>(first)), first);
    writer.write("events", some.columns().batch());
  }
  writer.finish();
  EXPECT_EQ(clustersOf(*file), (std::vector<std::size_t>{40, 40, 20}));
  EXPECT_EQ(numbersIn(*file), all.number);
  EXPECT_EQ(valuesIn(*file), all.values);
}

TEST(BatchWriters, beginAClusterAfterAFlush) {
  const auto file = memory::MemoryFile::make("memory");
  BatchWriter writer(file->sink(), {});
  for (int i = 0; i < 3; ++i) {
    writer.write("events", Numbers(5, 5 * i).columns().batch());
    writer.flush();
  }
  writer.finish();
  EXPECT_EQ(clustersOf(*file), (std::vector<std::size_t>{5, 5, 5}));
}

TEST(BatchWriters, beginAClusterAfterAFillersFlush) {
  const auto file = memory::MemoryFile::make("memory");
  BatchWriter writer(file->sink(), {});
  {
    BatchWriter::Filler filler = writer.filler("events");
    for (int i = 0; i < 3; ++i) {
      filler.write(Numbers(5, 5 * i).columns().batch());
      filler.flush();
    }
  }
  writer.finish();
  EXPECT_EQ(clustersOf(*file), (std::vector<std::size_t>{5, 5, 5}));
}

TEST(BatchWriters, keepTheTablesOfCategoriesWithoutEntries) {
  const auto file = memory::MemoryFile::make("memory");
  BatchWriter writer(file->sink(), {});
  writer.write("events", Numbers(0).columns().batch());
  writer.finish();
  EXPECT_EQ(file->category("events").entries(), 0U);
  EXPECT_EQ(file->category("events").schema().size(), 2U);
}

TEST(BatchWriters, takeFurtherTablesLater) {
  const auto file = memory::MemoryFile::make("memory");
  BatchWriter writer(file->sink(), {});
  const Numbers numbers(3);
  writer.write("events", numbers.columns().batch());
  Columns more = numbers.columns();
  const std::array<double, 3> weights{1, 2, 3};
  more.add("weight", weights);
  writer.write("events", more.batch());
  writer.write("events", numbers.columns().batch()); // without the new column
  writer.finish();
  std::vector<double> all;
  for (const Batch& batch : Batches(file->category("events"), {"weight"}))
    std::ranges::copy(batch.values<double>("weight"), std::back_inserter(all));
  EXPECT_EQ(all, (std::vector<double>{0, 0, 0, 1, 2, 3, 0, 0, 0}));
}

TEST(BatchWriters, refuseBatchesThatDoNotFitAndGoOn) {
  const auto file = memory::MemoryFile::make("memory");
  BatchWriter writer(file->sink(), {});
  const Numbers numbers(3);
  const Columns columns = numbers.columns();
  writer.write("events", columns.batch());
  Columns other(1);
  const std::array<double, 1> halves{1.5};
  other.add("number", halves);
  expectError(ErrorKind::usage, "'number' differs", [&] { writer.write("events", other.batch()); });
  Batch lacking = columns.batch();
  lacking.table(1).members.clear();
  expectError(ErrorKind::usage, "lacks 'list'", [&] { writer.write("events", lacking); });
  Batch falling = columns.batch();
  const std::array<std::uint32_t, 4> offsets{0, 3, 1, 3};
  falling.table(1).offsets = offsets;
  expectError(ErrorKind::usage, "the offsets of 'list' must not decrease",
              [&] { writer.write("events", falling); });
  Batch outside = columns.batch();
  outside.table(1).rows = 2; // of three rows
  expectError(ErrorKind::usage, "the offsets of 'list' do not fit its 2 rows",
              [&] { writer.write("events", outside); });
  Batch unclear = columns.batch();
  const std::array<std::byte, 2> present{};
  unclear.table(1).present = present;
  expectError(ErrorKind::usage, "for 2 of 3 entries", [&] { writer.write("events", unclear); });
  writer.write("events", Numbers(2, 3).columns().batch());
  writer.finish();
  EXPECT_EQ(numbersIn(*file), (std::vector<std::int32_t>{0, 1, 2, 3, 4}));
}

TEST(BatchWriters, sayWhenTheyAreFinished) {
  const auto file = memory::MemoryFile::make("memory");
  BatchWriter writer(file->sink(), {});
  writer.finish();
  expectError(ErrorKind::usage, "memory: is finished",
              [&] { writer.write("events", Numbers(1).columns().batch()); });
  expectError(ErrorKind::usage, "memory: is finished", [&] { writer.finish(); });
}

TEST(BatchWriters, sayThatTheyWereMovedAway) {
  const auto file = memory::MemoryFile::make("memory");
  const Numbers numbers(2);
  BatchWriter writer(file->sink(), {});
  BatchWriter::Filler filler = writer.filler("events");
  BatchWriter moved = std::move(writer);
  expectError(ErrorKind::usage, "this writer was moved away",
              [&] { writer.write("events", numbers.columns().batch()); });
  expectError(ErrorKind::usage, "this writer was moved away", [&] { (void)writer.name(); });
  expectError(ErrorKind::usage, "this writer was moved away", [&] { writer.finish(); });
  writer.abandon();                        // does nothing after the move
  filler.write(numbers.columns().batch()); // writes to the moved writer
  BatchWriter::Filler movedFiller = std::move(filler);
  expectError(ErrorKind::usage, "this filler was moved away",
              [&] { filler.write(numbers.columns().batch()); });
  expectError(ErrorKind::usage, "this filler was moved away", [&] { filler.flush(); });
  movedFiller.finish();
  moved.finish();
  EXPECT_EQ(numbersIn(*file), numbers.number);
}

TEST(BatchWriters, areNotFinishedBeforeTheirFillers) {
  const auto file = memory::MemoryFile::make("memory");
  BatchWriter writer(file->sink(), {});
  writer.write("events", Numbers(2).columns().batch());
  BatchWriter::Filler filler = writer.filler("events");
  filler.write(Numbers(2, 4).columns().batch());
  expectError(ErrorKind::usage, "memory: is being filled by 1 filler; finish it first",
              [&] { writer.finish(); });
  EXPECT_TRUE(file->categories().empty());
  writer.write("events", Numbers(2, 2).columns().batch());
  writer.flush();
  filler.finish();
  writer.finish();
  EXPECT_EQ(numbersIn(*file), Numbers(6).number);
}

TEST(BatchWriters, leaveTheFileUnfinishedWhenTheyGiveUp) {
  const auto file = memory::MemoryFile::make("memory");
  {
    BatchWriter writer(file->sink(), {});
    writer.write("events", Numbers(1).columns().batch());
    writer.abandon();
  }
  EXPECT_TRUE(file->categories().empty());
  try {
    BatchWriter writer(file->sink(), {});
    writer.write("events", Numbers(1).columns().batch());
    throw std::runtime_error("of the user's");
  } catch (const std::runtime_error&) {
  }
  EXPECT_TRUE(file->categories().empty());
  {
    BatchWriter writer(file->sink(), {}); // the destructor finishes the file if there was no error
    writer.write("events", Numbers(1).columns().batch());
  }
  EXPECT_EQ(file->categories(), std::vector<std::string>{"events"});
}

TEST(BatchWriters, warnOfOptionsThatNothingIsCalledBy) {
  test::Warnings warnings;
  const auto file = memory::MemoryFile::make("memory");
  BatchWriter writer(file->sink(), {.encodings = {{"nunber", codec::Encoding::packed}}});
  writer.write("events", Numbers(1).columns().batch());
  writer.finish();
  const auto all = warnings.take();
  ASSERT_EQ(all.size(), 1U);
  test::expectContains(all[0], "did you mean 'number'");
}

TEST(BatchWriters, layTablesOutByTheirOptions) {
  const auto file = memory::MemoryFile::make("memory");
  BatchWriter writer(file->sink(), {.tags = {"number"}});
  writer.write("events", Numbers(1).columns().batch());
  writer.finish();
  const Schema& schema = file->category("events").schema();
  EXPECT_TRUE(has(schema.table(schema.find("number")).use, TableUse::tag));
}

/// A sink that refuses to append, like a full disk.
class FullSink final : public Sink {
  struct Nothing final : detail::EncodedBatch {
    [[nodiscard]] std::size_t bytes() const noexcept override { return 0; }
  };

public:
  [[nodiscard]] const std::string& name() const noexcept override { return m_name; }
  [[nodiscard]] Schema schema(std::string_view /*category*/) const override { return {}; }
  [[nodiscard]] std::unique_ptr<detail::EncodedBatch> encode(std::string_view /*category*/,
                                                             const Batch& /*batch*/) override {
    return std::make_unique<Nothing>();
  }
  void append(std::unique_ptr<detail::EncodedBatch> batch) override {
    EXPECT_TRUE(batch);
    if (++m_batches > 2)
      fail(ErrorKind::io, m_name, ": no space left");
  }
  void addDocument(std::string_view /*name*/, std::string_view /*text*/) override {}
  void finish() override { ADD_FAILURE() << "what failed is not finished"; }

private:
  std::string m_name = "full";
  int m_batches = 0;
};

/// A file in memory that cannot store lists, like some formats.
class ListlessSink final : public Sink {
public:
  explicit ListlessSink(memory::MemoryFile& file) : m_sink(file.sink()) {}
  [[nodiscard]] const std::string& name() const noexcept override { return m_sink->name(); }
  [[nodiscard]] Schema schema(std::string_view category) const override {
    return m_sink->schema(category);
  }
  [[nodiscard]] std::unique_ptr<detail::EncodedBatch> encode(std::string_view category,
                                                             const Batch& batch) override {
    if (batch.schema().find("list") != Table::none)
      fail(ErrorKind::usage, name(), ": cannot hold 'list'");
    return m_sink->encode(category, batch);
  }
  void append(std::unique_ptr<detail::EncodedBatch> batch) override {
    m_sink->append(std::move(batch));
  }
  void addDocument(std::string_view document, std::string_view text) override {
    m_sink->addDocument(document, text);
  }
  void finish() override { m_sink->finish(); }

private:
  std::unique_ptr<Sink> m_sink;
};

TEST(BatchWriters, goOnAfterTheSinkRefusedTables) {
  const auto file = memory::MemoryFile::make("memory");
  BatchWriter writer(std::make_unique<ListlessSink>(*file), {});
  const Numbers numbers(3);
  expectError(ErrorKind::usage, "memory: cannot hold 'list'",
              [&] { writer.write("events", numbers.columns().batch()); });
  Columns fewer(3);
  fewer.add("number", numbers.number);
  writer.write("events", fewer.batch());
  expectError(ErrorKind::usage, "memory: cannot hold 'list'",
              [&] { writer.write("events", numbers.columns().batch()); });
  const std::array<double, 3> weights{1, 2, 3}; // takes the table number of the refused list
  fewer.add("weight", weights);
  writer.write("events", fewer.batch());
  writer.finish();
  EXPECT_EQ(numbersIn(*file), (std::vector<std::int32_t>{0, 1, 2, 0, 1, 2}));
}

TEST(BatchWriters, cannotGoOnAfterTheSinkFailed) {
  BatchWriter writer(std::make_unique<FullSink>(), {.clusterEntries = 1});
  expectError(ErrorKind::io, "full: no space left",
              [&] { writer.write("events", Numbers(9).columns().batch()); });
  expectError(ErrorKind::usage, "an earlier write failed", [&] { writer.finish(); });
}

TEST(BatchWriters, letFillersGoAfterTheSinkFailed) {
  BatchWriter writer(std::make_unique<FullSink>(), {.clusterEntries = 1});
  auto filler = writer.filler("events");
  expectError(ErrorKind::io, "full: no space left",
              [&] { filler.write(Numbers(9).columns().batch()); });
  expectError(ErrorKind::usage, "an earlier write failed", [&] { filler.finish(); });
}

TEST(BatchWriters, letFillersThatWaitGoAfterTheSinkFailed) {
  BatchWriter writer(std::make_unique<FullSink>(), {.clusterEntries = 1});
  auto first = writer.filler("events", 0);
  {
    auto second = writer.filler("events", 1);
    second.write(Numbers(9).columns().batch());
    second.finish();
  }
  auto third = writer.filler("events", 2);
  expectError(ErrorKind::io, "full: no space left", [&] { first.finish(); });
  expectError(ErrorKind::usage, "an earlier write failed", [&] { third.finish(); });
}

TEST(ConcurrentBatchWriters, keepTheOrderOfPlaces) {
  const auto file = memory::MemoryFile::make("memory");
  BatchWriter writer(file->sink(), {.clusterEntries = 10});
  constexpr std::size_t places = 20, entries = 25;
  forEach(places, [&](std::size_t place) {
    auto filler = writer.filler("events", places - 1 - place);
    const auto first = static_cast<std::int32_t>((places - 1 - place) * entries);
    filler.write(Numbers(entries, first).columns().batch());
    filler.finish();
  });
  writer.finish();
  EXPECT_EQ(numbersIn(*file), Numbers(places * entries).number);
}

TEST(ConcurrentBatchWriters, encodeManyClustersInOrder) {
  const auto file = memory::MemoryFile::make("memory");
  const Numbers numbers(10'000);
  BatchWriter writer(file->sink(), {.clusterEntries = 7});
  writer.write("events", numbers.columns().batch());
  for (int i = 0; i < 500; ++i) // batches are joined in the background
    writer.write("events", Numbers(3, 10'000 + 3 * i).columns().batch());
  writer.finish();
  EXPECT_EQ(numbersIn(*file), Numbers(11'500).number);
}

} // namespace
} // namespace kaon
