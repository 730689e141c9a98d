#include <kaon/formats/kaonfile/FileReader.h>
#include <kaon/formats/kaonfile/FileWriter.h>

#include <kaon/io/ByteSink.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Errors.h"
#include "support/Everything.h"
#include "support/Files.h"
#include "support/RandomEvents.h"
#include "support/RoundTrip.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <vector>

namespace kaon::kaonfile {
namespace {

using test::collection;
using test::Contents;
using test::contentsOf;
using test::everythingIn;
using test::expectError;
using test::MemorySink;
using test::openBytes;
using test::values;
using test::Writing;

/// Returns entries with one integer each.
detail::BatchBuilder integers(const std::vector<std::int32_t>& ints) {
  return test::entriesOf(values("run", TableKind::value, Scalar::Int32), ints);
}

std::vector<std::int32_t> runsOf(const Source& source) {
  return test::valuesOf<std::int32_t>(source, "run");
}

using Options = std::tuple<Compression, Layout, int>;

std::string testName(const testing::TestParamInfo<Options>& info) {
  const auto& [compression, layout, pageBytes] = info.param;
  return std::string(codecName(compression.codec)) + "_" + std::string(layoutName(layout)) + "_" +
         std::to_string(pageBytes);
}

class RoundTrip : public testing::TestWithParam<Options> {};
INSTANTIATE_TEST_SUITE_P(
    File, RoundTrip,
    testing::Combine(testing::Values(uncompressed(), lz4(), zstd(), zlib(), lzma()),
                     testing::Values(Layout::split, Layout::row, Layout::member),
                     testing::Values(0, 64, 1000, 64 * 1024)),
    testName);

TEST_P(RoundTrip, givesBackAnyEvents) {
  const auto& [compression, layout, pageBytes] = GetParam();
  test::expectRandomEventsBack<Writing>({compression, static_cast<std::size_t>(pageBytes)}, layout);
}

TEST_P(RoundTrip, readsAFileAsItsMemory) {
  const auto& [compression, layout, pageBytes] = GetParam();
  const test::TemporaryDirectory directory;
  detail::BatchBuilder builder;
  for (const TableDefinition& table : test::assortedTables(layout))
    builder.add(table);
  test::RandomEvents events(3, 20);
  for (int i = 0; i < 20; ++i)
    events.addEntry(builder);
  FileWriter writer(io::fileSink(directory / "file.kaon"),
                    {compression, static_cast<std::size_t>(pageBytes)});
  Contents written;
  written.append(builder.batch(0));
  writer.write("events", builder.batch(0));
  writer.finish();
  const auto file = openFile(io::fileSource(directory / "file.kaon"));
  EXPECT_EQ(contentsOf(file->category("events")), written);
}

TEST(File, mayHaveNoCategory) {
  Writing writing;
  const auto file = writing.finished();
  EXPECT_TRUE(file->categories().empty());
  EXPECT_TRUE(file->documents().empty());
  EXPECT_EQ(file->name(), "memory.kaon");
}

TEST(File, mayHaveACategoryWithoutEntries) {
  Writing writing;
  writing.writer.write("events", integers({}).batch(0));
  const auto file = writing.finished();
  EXPECT_EQ(file->category("events").entries(), 0U);
  EXPECT_EQ(file->category("events").schema().size(), 1U);
}

TEST(File, mayHaveEntriesWithoutTables) {
  Writing writing;
  detail::BatchBuilder builder;
  builder.endEntry();
  builder.endEntry();
  writing.writer.write("events", builder.batch(0));
  EXPECT_EQ(writing.finished()->category("events").entries(), 2U);
}

TEST(File, keepsCategoriesApartInTheOrderOfTheirFirstWriting) {
  Writing writing;
  writing.writer.write("runs", integers({1}).batch(0));
  writing.writer.write("events", integers({10, 11}).batch(0));
  writing.writer.write("runs", integers({2}).batch(1));
  writing.writer.write("events", integers({12}).batch(2));
  const auto file = writing.finished();
  EXPECT_EQ(file->categories(), (std::vector<std::string>{"runs", "events"}));
  EXPECT_EQ(file->category("runs").name(), "memory.kaon:runs");
  EXPECT_EQ(runsOf(file->category("runs")), (std::vector{1, 2}));
  EXPECT_EQ(runsOf(file->category("events")), (std::vector{10, 11, 12}));
}

TEST(File, suggestsACategory) {
  Writing writing;
  writing.writer.write("events", integers({1}).batch(0));
  const auto file = writing.finished();
  expectError(ErrorKind::name, "memory.kaon: has no category 'event' (did you mean 'events'?)",
              [&] { (void)file->category("event"); });
}

TEST(File, keepsTheSchemaWithAllItsTexts) {
  Writing writing;
  detail::BatchBuilder builder;
  TableDefinition table = collection("Hits", {{"energy", Scalar::Float32}}, Layout::row);
  table.description = "hits of \"all\" détecteurs\n";
  table.members[0].unit = "GeV";
  table.members[0].description = "deposited";
  builder.add(table);
  writing.writer.write("events", builder.batch(0));
  EXPECT_EQ(writing.finished()->category("events").schema().table(0).definition(), table);
}

TEST(File, carriesDocumentsOfWhichTheLastOfANameCounts) {
  Writing writing;
  writing.writer.addDocument("model:a", "first");
  writing.writer.addDocument("notes", "");
  writing.writer.addDocument("model:a", "second");
  const auto file = writing.finished();
  EXPECT_EQ(file->documents(), (std::vector<std::string>{"model:a", "notes"}));
  EXPECT_EQ(file->document("model:a"), "second");
  EXPECT_EQ(file->document("notes"), "");
  expectError(ErrorKind::name, "has no document 'note' (did you mean 'notes'?)",
              [&] { (void)file->document("note"); });
}

TEST(File, storesEqualValuesOnce) {
  Writing writing({uncompressed(), 1 << 20});
  writing.writer.write("events", integers(std::vector<std::int32_t>(100'000, 42)).batch(0));
  const auto file = writing.finished();
  const ColumnUsage usage = file->category("events").usage(0).value();
  EXPECT_EQ(usage.values, 100'000U);
  EXPECT_EQ(usage.decodedBytes, 400'000U);
  EXPECT_EQ(usage.storedBytes, 4U);
  ASSERT_EQ(usage.forms.size(), 1U);
  EXPECT_EQ(usage.forms[0].encoding, Encoding::constant);
  EXPECT_EQ(usage.forms[0].bytes, 4U);
  EXPECT_EQ(runsOf(file->category("events")), std::vector<std::int32_t>(100'000, 42));
}

// Readers accept a page only up to a ratio of decoded to stored bytes.
TEST(File, storesAHugePageOfEqualValuesInSoManyBytesAsAreBelieved) {
  Writing writing({zstd(), std::size_t{1} << 30});
  detail::BatchBuilder builder;
  builder.add(collection("Zeros", {{"x", Scalar::UInt64}}));
  constexpr std::size_t rows = 9'000'000; // exceeds 64 MiB
  builder.setPresent(0);
  std::memset(builder.append(0, rows), 0, rows * 8);
  builder.endEntry();
  writing.writer.write("events", builder.batch(0));
  const auto file = writing.finished();
  const Source& source = file->category("events");
  const ColumnUsage usage = source.usage(source.schema().place(0, 0).column).value();
  EXPECT_EQ(usage.decodedBytes, rows * 8);
  EXPECT_LT(usage.storedBytes, rows * 8 / 200);
  ASSERT_EQ(usage.forms.size(), 1U);
  EXPECT_EQ(usage.forms[0].encoding, Encoding::compressed);
  Batches batches(source, {"Zeros.x"});
  ASSERT_TRUE(batches.next());
  const auto values = batches.batch().values<std::uint64_t>("Zeros.x");
  EXPECT_EQ(values.size(), rows);
  EXPECT_EQ(std::ranges::count(values, 0U), std::ptrdiff_t{rows});
}

TEST(File, saysHowAColumnIsStored) {
  Writing writing({zstd(), 1000});
  detail::BatchBuilder builder;
  builder.add(collection("Hits", {{"x", Scalar::Int32}}));
  for (int entry = 0; entry < 4; ++entry) {
    builder.setPresent(0);
    std::byte* const row = builder.append(0, 1000);
    for (std::int32_t i = 0; i < 1000; ++i) {
      const std::int32_t value = entry == 0 ? 5 : i / 100;
      std::memcpy(row + i * builder.schema().table(0).rowSize, &value, sizeof value);
    }
    builder.endEntry();
  }
  writing.writer.write("events", builder.batch(0));
  const auto file = writing.finished();
  const Source& source = file->category("events");
  const ColumnUsage usage = source.usage(source.schema().place(0, 0).column).value();
  EXPECT_EQ(usage.values, 4000U);
  EXPECT_EQ(usage.decodedBytes, 16'000U);
  EXPECT_LT(usage.storedBytes, 1000U);
  ASSERT_EQ(usage.forms.size(), 2U);
  EXPECT_EQ(usage.forms[1].encoding, Encoding::constant); // the form with fewer bytes comes last
  EXPECT_EQ(usage.forms[0].bytes + usage.forms[1].bytes, usage.storedBytes);
}

TEST(File, givesRawPagesFromWhereTheyLie) {
  Writing writing({uncompressed(), 64 * 1024});
  writing.writer.write("events", integers({1, 9, 3, 4, 5}).batch(0)); // too many for a short page
  const auto file = writing.finished();
  Batches batches(file->category("events"), {"run"});
  ASSERT_TRUE(batches.next());
  const auto* const data =
      reinterpret_cast<const std::byte*>(batches.batch().values<std::int32_t>("run").data());
  const auto bytes = writing.bytes->bytes();
  EXPECT_TRUE(data >= bytes.data() && data < bytes.data() + bytes.size());
  EXPECT_EQ((data - bytes.data()) % 16, 0);
}

TEST(File, isReadFromAnyAddress) {
  Writing writing;
  detail::BatchBuilder builder;
  for (const TableDefinition& table : test::assortedTables(Layout::split))
    builder.add(table);
  test::RandomEvents events(3, 20);
  for (int i = 0; i < 5; ++i)
    events.addEntry(builder);
  writing.writer.write("events", builder.batch(0));
  writing.writer.finish();
  const auto bytes = writing.bytes->bytes();
  for (std::size_t shift = 1; shift < 9; ++shift) {
    std::vector<std::byte> shifted(shift);
    shifted.insert(shifted.end(), bytes.begin(), bytes.end());
    EXPECT_EQ(everythingIn(std::span(shifted).subspan(shift)), everythingIn(bytes)) << shift;
  }
}

TEST(File, mayBeWrittenToAPipe) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  std::vector<std::byte> received;
  std::thread reader([&] {
    std::array<std::byte, 1000> piece;
    for (::ssize_t count; (count = ::read(pipe[0], piece.data(), piece.size())) > 0;)
      received.insert(received.end(), piece.begin(), piece.begin() + count);
  });
  Contents written;
  {
    detail::BatchBuilder builder;
    for (const TableDefinition& table : test::assortedTables(Layout::split))
      builder.add(table);
    test::RandomEvents events(3, 200);
    for (int i = 0; i < 50; ++i)
      events.addEntry(builder);
    written.append(builder.batch(0));
    FileWriter writer(io::streamSink(pipe[1], "a pipe"), {uncompressed()});
    writer.write("events", builder.batch(0));
    writer.finish();
  }
  ::close(pipe[1]);
  reader.join();
  ::close(pipe[0]);
  EXPECT_GT(received.size(), 64U * 1024); // exceeds one write
  const auto file = openBytes(received);
  EXPECT_TRUE(file->isComplete());
  EXPECT_EQ(contentsOf(file->category("events")), written);
}

TEST(FileWriter, refusesABatchWithOtherTablesThanBefore) {
  const auto expectRefused = [](const TableDefinition& table) {
    Writing writing;
    writing.writer.write("events", integers({1}).batch(0));
    detail::BatchBuilder builder;
    builder.add(table);
    builder.endEntry();
    expectError(ErrorKind::usage, "does not have the tables that 'events' has had so far",
                [&] { writing.writer.write("events", builder.batch(1)); });
  };
  expectRefused(values("run", TableKind::value, Scalar::UInt32));
  expectRefused(values("runs", TableKind::value, Scalar::Int32));
}

// Threads that write a category learn of each other's tables only when they need them.
TEST(FileWriter, takesABatchThatLacksTheLastTables) {
  Writing writing;
  detail::BatchBuilder all = integers({1, 2});
  all.add(collection("Hits", {{"x", Scalar::Int32}}));
  writing.writer.write("events", all.batch(0));
  writing.writer.write("events", integers({3}).batch(2));
  all.clear();
  const std::int32_t four = 4;
  std::memcpy(all.append(0, 1), &four, sizeof four);
  all.endEntry();
  writing.writer.write("events", all.batch(3));
  const auto file = writing.finished();
  EXPECT_EQ(runsOf(file->category("events")), (std::vector{1, 2, 3, 4}));
  const Contents contents = contentsOf(file->category("events"));
  EXPECT_EQ(contents.tables.at({"Hits", "Thing"}).present, std::vector<std::byte>(4));
}

TEST(FileWriter, takesNothingAfterFinish) {
  Writing writing;
  writing.writer.finish();
  expectError(ErrorKind::usage, "memory.kaon: is finished",
              [&] { writing.writer.write("events", integers({1}).batch(0)); });
  expectError(ErrorKind::usage, "memory.kaon: is finished",
              [&] { writing.writer.addDocument("a", "b"); });
  expectError(ErrorKind::usage, "memory.kaon: is finished", [&] { writing.writer.finish(); });
}

TEST(FileWriter, goesOnAfterABatchThatItRefuses) {
  Writing writing;
  writing.writer.write("events", integers({1}).batch(0));
  detail::BatchBuilder other;
  other.add(values("other", TableKind::value, Scalar::Int32));
  other.endEntry();
  EXPECT_THROW(writing.writer.write("events", other.batch(1)), Error);
  writing.writer.write("events", integers({2}).batch(1));
  EXPECT_EQ(runsOf(writing.finished()->category("events")), (std::vector{1, 2}));
}

TEST(FileWriter, takesInNothingOfABatchWhoseKeyItRefuses) {
  Writing writing;
  TableDefinition key = values("#entry", TableKind::value, Scalar::Int32);
  key.use = TableUse::key;
  const std::vector<std::int32_t> ints{7};
  expectError(ErrorKind::usage, "memory.kaon: '#entry' cannot be a key",
              [&] { writing.writer.write("events", test::entriesOf(key, ints).batch(0)); });
  expectError(ErrorKind::usage, "memory.kaon: '#entry' cannot be a key",
              [&] { writing.writer.write("others", test::entriesOf(key, ints).batch(0)); });
  writing.writer.write("events", integers({1, 2}).batch(0));
  const auto file = writing.finished();
  EXPECT_EQ(file->categories(), std::vector<std::string>{"events"});
  EXPECT_EQ(runsOf(file->category("events")), (std::vector{1, 2}));
}

TEST(FileWriter, neverFinishesAFileForWhichThereWasNoRoom) {
  const auto write = [](std::shared_ptr<Buffer> bytes, std::size_t room) {
    FileWriter writer(std::make_unique<MemorySink>(std::move(bytes), room));
    writer.addDocument("model:m", "{}");
    writer.write("events", integers({1, 2, 3}).batch(0));
    writer.finish();
  };
  auto whole = std::make_shared<Buffer>();
  write(whole, 1 << 20);
  for (std::size_t room = 0; room < whole->size(); ++room)
    expectError(ErrorKind::io, "no space left", [&] { write(std::make_shared<Buffer>(), room); });
}

TEST(FileWriter, refusesToFinishAfterAFailure) {
  auto bytes = std::make_shared<Buffer>();
  FileWriter writer(std::make_unique<MemorySink>(bytes, 200));
  expectError(ErrorKind::io, "no space left", [&] {
    writer.write("events", integers({1, 2, 3}).batch(0));
  });
  expectError(ErrorKind::usage, "failed", [&] { writer.finish(); });
}

TEST(FileReader, refusesOtherFiles) {
  const auto open = [](std::string_view text) {
    return [text] { (void)openBytes(std::as_bytes(std::span(text))); };
  };
  expectError(ErrorKind::version, "memory.kaon: is empty", open(""));
  expectError(ErrorKind::version, "memory.kaon: is not a kaon file",
              open("just some text, long enough to hold a header and a trailer of a kaon file"));
  expectError(ErrorKind::version, "is not a kaon file", open("root"));
  expectError(ErrorKind::version, "is not a kaon file", open("\x89PNG\r\n\x1a\n"));
}

} // namespace
} // namespace kaon::kaonfile
