#include <kaon/formats/hipo/HipoFileWriter.h>

#include <kaon/base/Bytes.h>
#include <kaon/detail/reading/Window.h>
#include <kaon/formats/hipo/HipoFile.h>
#include <kaon/model/Metadata.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Contents.h"
#include "support/Errors.h"
#include "support/RandomEvents.h"
#include "support/RowsAsJson.h"
#include "support/Tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

// Tables that HIPO can hold are written as banks and read back unchanged.

namespace kaon::hipo {
namespace {

using nlohmann::json;
using test::Contents;
using test::contentsOf;
using test::expectError;

struct HipoWriting {
  explicit HipoWriting(SinkOptions options = {})
      : writer(io::memorySink("memory.hipo", bytes), std::move(options)) {}
  Buffer bytes;
  HipoFileWriter writer;
  [[nodiscard]] std::unique_ptr<File> finished() {
    writer.finish();
    return openHipoFile(io::memorySource("memory.hipo", bytes.bytes()), {});
  }
};

/// Returns one table of each kind that HIPO can hold.
std::vector<TableDefinition> bankTables(Layout layout) {
  using enum Scalar;
  std::vector<TableDefinition> tables;
  tables.push_back(test::collection(
      "Hits",
      {{"cell", Int64}, {"energy", Float32}, {"charge", Int16}, {"side", Int8}, {"time", Float64}},
      layout));
  tables.push_back(test::collection("Cells", {{"id", Int32}}, layout));
  tables.push_back(test::collection(
      "Fits", {{"chi2", Float32}, {"covariance", Float64, 6}, {"layers", Int16, 3}, {"n", Int8}},
      layout));
  tables.push_back(test::parameter("weights", Float64));
  tables.push_back(test::parameter("node_20_3", Int16));
  tables.push_back(test::collection("composite_40_7", {{"c0", Int8}, {"c1", Float64}}));
  tables.push_back(test::collection("composite_40_8", {{"c0", Int8, 2}})); // becomes a bank
  tables.push_back(test::values("run", TableKind::value, Int32));
  tables.push_back(
      test::table("beam", TableKind::value, "", {{"energy", Float64}, {"ids", Int16}}));
  return tables;
}

/// Returns the rows of all tables by name, without tag and mask. HIPO does not distinguish empty
/// tables from absent ones.
std::map<std::string, Contents::Rows> rowsIn(const Contents& contents) {
  std::map<std::string, Contents::Rows> rows;
  for (const auto& [name, table] : contents.tables)
    if (name.first != "tag" && name.first != "mask") {
      rows[name.first] = table;
      rows[name.first].present.clear();
      if (table.counts.empty()) // a value is a bank with one row
        rows[name.first].counts.assign(contents.entries, 1);
    }
  return rows;
}

class HipoRoundTrip : public testing::TestWithParam<std::tuple<Compression, Layout>> {};
INSTANTIATE_TEST_SUITE_P(Options, HipoRoundTrip,
                         testing::Combine(testing::Values(uncompressed(), lz4(), zstd(), zlib()),
                                          testing::Values(Layout::split, Layout::row)));

TEST_P(HipoRoundTrip, givesBackAnyEvents) {
  const auto& [compression, layout] = GetParam();
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    test::RandomEvents events(seed, seed % 2 == 0 ? 5 : 400);
    HipoWriting writing({compression});
    detail::BatchBuilder builder;
    for (const TableDefinition& table : bankTables(layout))
      builder.add(table);
    Contents expected;
    for (std::uint64_t first = 0; first < 60; first += 20) {
      builder.clear();
      for (int entry = 0; entry < 20; ++entry)
        events.addEntry(builder);
      expected.append(builder.batch(first));
      writing.writer.write("events", builder.batch(first));
    }
    const auto file = writing.finished();
    EXPECT_TRUE(file->isComplete());
    EXPECT_EQ(rowsIn(contentsOf(file->category("events"))), rowsIn(expected));
  }
}

/// Writes entries with a tag each, and their numbers.
void writeTagged(Sink& sink, const std::vector<std::uint32_t>& tags) {
  detail::BatchBuilder builder;
  builder.add(test::values("tag", TableKind::value, Scalar::UInt32));
  builder.add(test::collection("Number", {{"n", Scalar::Int32}}));
  for (std::size_t i = 0; i < tags.size(); ++i) {
    std::memcpy(builder.append(0, 1), &tags[i], 4);
    std::memcpy(builder.append(1, 1), &i, 4);
    builder.endEntry();
  }
  sink.write("events", builder.batch(0));
}

json numbersIn(const File& file) {
  const Source& events = file.category("events");
  test::RowsAsJson rows(events);
  json numbers = json::array();
  for (std::uint64_t entry = 0; entry < events.entries(); ++entry)
    numbers.push_back(rows.entry(events.schema().tableNamed("Number"), entry)[0]["n"]);
  return numbers;
}

TEST(HipoFileWriter, putsTheEventsOfEachTagIntoRecordsOfTheirOwn) {
  HipoWriting writing;
  writeTagged(writing.writer, {3, 0, 3, 1, 0});
  const auto file = writing.finished();
  EXPECT_EQ(numbersIn(*file), (json{1, 4, 3, 0, 2}));
  EXPECT_EQ(file->category("events").clusters(), (std::vector<EntryRange>{{0, 2}, {2, 3}, {3, 5}}));
  const auto some =
      openHipoFile(io::memorySource("memory.hipo", writing.bytes.bytes()), {.tags = {3, 1}});
  EXPECT_EQ(numbersIn(*some), (json{3, 0, 2}));
  const auto none =
      openHipoFile(io::memorySource("memory.hipo", writing.bytes.bytes()), {.tags = {7}});
  EXPECT_EQ(none->category("events").entries(), 0);
}

TEST(HipoFileWriter, keepsGroupsItemsAndConfiguration) {
  HipoWriting writing;
  Metadata metadata;
  metadata.set("run", 5038);
  metadata.set("target", "LH2");
  metadata.part("events").part("Number").set("hipo.group", 300);
  metadata.part("events").part("Number").set("hipo.item", 31);
  writing.writer.addDocument("metadata", metadata.toJson());
  writeTagged(writing.writer, {0, 1});
  writing.writer.addDocument("late", std::string(1000, 'x'));
  const auto file = writing.finished();
  const auto read = Metadata::fromJson(file->document("metadata"), "memory.hipo");
  EXPECT_EQ(read.get<std::string>("run"), "5038");
  EXPECT_EQ(read.get<std::string>("target"), "LH2");
  EXPECT_EQ(read.get<std::string>("late"), std::string(1000, 'x'));
  const Metadata* const bank = read.findPart("events")->findPart("Number");
  EXPECT_EQ(bank->get<int>("hipo.group"), 300);
  EXPECT_EQ(bank->get<int>("hipo.item"), 31);
}

TEST(HipoFileWriter, reportsTablesThatItCannotHold) {
  using enum Scalar;
  Schema schema;
  for (const TableDefinition& table : test::assortedTables(Layout::split))
    schema.add(table);
  schema.add(test::collection("A/b", {{"x", Int32}}));
  schema.add(test::table("Slim", TableKind::collection, "kaon::Subset<Hit>", {}));
  std::map<std::string, std::string> lost;
  for (const detail::Loss& loss : lossesInEvents(schema))
    lost.emplace(schema.table(loss.table).name, loss.reason);
  EXPECT_EQ(lost["Slim"], "a bank of HIPO needs at least one column");
  for (const char* const name : {"Hits", "Hits.samples", "Hits.particle", "Hits.neighbours",
                                 "title", "title.text", "year", "Hits.quality", "A/b"})
    EXPECT_TRUE(lost.contains(name)) << name;
  for (const char* const name : {"Particles", "run", "number", "Jets", "Muons"})
    EXPECT_FALSE(lost.contains(name)) << name;
}

TEST(HipoFileWriter, reportsMembersThatItCannotHoldUnchanged) {
  using enum Scalar;
  Schema schema;
  schema.add(test::collection("Hits", {{"energy", Float32},
                                       {"isGood", Bool},
                                       {"layer", UInt8},
                                       {"strip", UInt16, 3},
                                       {"time", UInt32},
                                       {"cell", UInt64},
                                       {"a b", Int32}}));
  schema.add(test::collection("Lost", {{"cell", UInt64}, {"a/b", Int32}}));
  std::map<std::string, std::optional<Scalar>> lost;
  for (const detail::Loss& loss : lossesInEvents(schema))
    lost.emplace(loss.member ? schema.nameOfMember(loss.table, *loss.member)
                             : std::string(schema.table(loss.table).name),
                 loss.type);
  EXPECT_EQ(lost, (std::map<std::string, std::optional<Scalar>>{{"Hits.isGood", Int8},
                                                                {"Hits.layer", Int16},
                                                                {"Hits.strip", Int32},
                                                                {"Hits.time", Int64},
                                                                {"Hits.cell", std::nullopt},
                                                                {"Hits.a b", std::nullopt},
                                                                {"Lost", std::nullopt}}));
}

TEST(HipoFileWriter, refusesTablesThatItCannotHold) {
  HipoWriting writing;
  detail::BatchBuilder builder;
  builder.add(test::collection("Hits", {{"cell", Scalar::UInt64}}));
  builder.endEntry();
  expectError(ErrorKind::usage, "cannot hold 'Hits': HIPO has no uint64, nor a wider type",
              [&] { writing.writer.write("events", builder.batch(0)); });
  expectError(ErrorKind::usage, "has one category, 'events'",
              [&] { writing.writer.write("runs", builder.batch(0)); });
  detail::BatchBuilder large;
  large.add(test::collection("Hits", {{"cell", Scalar::Int64}}));
  const std::size_t rows = (std::size_t{1} << 24) / 8;
  std::memset(large.append(0, rows), 0, rows * 8);
  large.endEntry();
  expectError(ErrorKind::usage, "entry 0 has 16777216 bytes of 'Hits'",
              [&] { writing.writer.write("events", large.batch(0)); });
  EXPECT_EQ(writing.writer.schema("events").size(), 0U) << "tables of what was refused";
  expectError(ErrorKind::usage, "HIPO files have no LZMA", [] { HipoWriting({lzma()}); });
}

TEST(HipoFileWriter, refusesUnreadableBanks) {
  HipoWriting writing;
  const auto write = [&](const std::vector<TableDefinition>& tables) {
    detail::BatchBuilder builder;
    for (const TableDefinition& table : tables)
      builder.add(table);
    builder.endEntry();
    writing.writer.write("events", builder.batch(0));
  };
  expectError(ErrorKind::usage, "a row of 'Hits' has 16777216 bytes; a bank of HIPO has at most",
              [&] {
                write({test::collection("Hits", {{"samples", Scalar::Int8, 1U << 24}})});
              });
  expectError(ErrorKind::usage, "its columns are longer than the 16 MiB", [&] {
    write({test::collection("Hits", {{std::string(1 << 24, 'x'), Scalar::Int8}})});
  });
  std::vector<TableDefinition> many;
  for (int i = 0; i <= 1 << 14; ++i)
    many.push_back(test::collection("Bank" + std::to_string(i), {{"x", Scalar::Int32}}));
  expectError(ErrorKind::usage, "has 16385 banks and keys of metadata; kaon reads 16384",
              [&] { write(many); });
  Metadata keys;
  for (int i = 0; i <= 1 << 14; ++i)
    keys.set(std::to_string(i), Json(std::int64_t{i}));
  expectError(ErrorKind::usage, "has 16385 banks and keys of metadata",
              [&] { writing.writer.addDocument(detail::metadataDocument, keys.toJson()); });
  const std::string longest(0xFFFFFF, 'x');
  for (int i = 0; i < 15; ++i)
    writing.writer.addDocument(std::to_string(i), longest);
  writing.writer.addDocument("14", longest); // replaces the document
  expectError(ErrorKind::usage, "they have at most 268435456",
              [&] { writing.writer.addDocument("15", longest); });
  write({test::collection("Hits", {{"x", Scalar::Int32}})});
  EXPECT_EQ(writing.finished()->category("events").entries(), 1);
}

TEST(HipoFileWriter, refusesStructuresThatNobodyCouldTellApart) {
  using enum Scalar;
  Metadata metadata;
  metadata.part("events").part("Hits").set("hipo.group", 20);
  metadata.part("events").part("Hits").set("hipo.item", 3);
  for (const TableDefinition& other :
       {test::parameter("node_020_3", Int16), test::collection("composite_20_3", {{"c0", Int8}}),
        test::collection("Hits", {{"cell", Int64}})}) {
    HipoWriting writing;
    writing.writer.addDocument("metadata", metadata.toJson());
    detail::BatchBuilder builder;
    builder.add(test::parameter("node_20_3", Int16));
    builder.add(other);
    builder.endEntry();
    expectError(ErrorKind::usage, "and 'node_20_3' would be structures of the same group and item",
                [&] { writing.writer.write("events", builder.batch(0)); });
  }
}

TEST(HipoFileWriter, takesTablesThatComeLaterWhileThereIsRoom) {
  HipoWriting writing;
  const auto write = [&](int tables) {
    detail::BatchBuilder builder;
    for (int i = 0; i < tables; ++i)
      builder.add(test::collection("Bank" + std::to_string(i), {{"x", Scalar::Int32}}));
    builder.endEntry();
    writing.writer.write("events", builder.batch(0));
  };
  write(1);
  write(3);
  expectError(ErrorKind::usage, "do not fit into the", [&] { write(5000); });
  std::string noise;
  for (test::Random random(1); noise.size() < 20'000;)
    noise += static_cast<char>('a' + random.below(26));
  expectError(ErrorKind::usage, "do not fit into the",
              [&] { writing.writer.addDocument("notes", noise); });
  const auto file = writing.finished();
  EXPECT_EQ(file->category("events").entries(), 2U);
  EXPECT_EQ(file->category("events").schema().size(), 5U); // includes tag and mask
}

/// A record of these events has several pages. Reads that were not planned decompress a record only
/// as far as needed.
TEST(HipoFileWriter, givesBackSingleEvents) {
  constexpr std::size_t entries = 150'000;
  test::Random random(1);
  std::vector<std::uint64_t> numbers(entries);
  detail::BatchBuilder builder;
  builder.add(test::collection("Number", {{"n", Scalar::Int64}}));
  for (std::uint64_t& number : numbers) {
    number = random.bits();
    std::memcpy(builder.append(0, 1), &number, 8);
    builder.endEntry();
  }
  HipoWriting writing({lz4()});
  writing.writer.write("events", builder.batch(0));
  const auto file = writing.finished();
  const Source& events = file->category("events");
  ASSERT_GT(events.clusters()[0].size(), 2 * 32'768);
  detail::Window window(events);
  const std::uint32_t table = events.schema().tableNamed("Number");
  const auto expectNumber = [&](std::uint64_t entry) {
    const auto [first, last] = window.rows(table, entry);
    ASSERT_EQ(last, first + 1);
    ASSERT_EQ(detail::loadAs<std::uint64_t>(window.member(table, 0, entry).at(first)),
              numbers[entry]);
  };
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t entry = random.below(entries);
    expectNumber(entry);
    expectNumber(window.pages(table, entry).lastEntry - 1);
  }
}

// HIPO's Java library finds a structure without data only if another structure follows. The index
// of an empty file has no data.
TEST(HipoFileWriter, hasSomethingBehindAnEmptyIndex) {
  HipoWriting writing;
  const auto file = writing.finished();
  EXPECT_TRUE(file->isComplete());
  EXPECT_EQ(file->category("events").entries(), 0U);
  const auto wordFromEnd = [&](std::size_t words) {
    return detail::loadAs<std::uint32_t>(writing.bytes.data() + writing.bytes.size() - 4 * words);
  };
  EXPECT_EQ(wordFromEnd(4) & 0xFFFFFF, structureKey(32111, 1));
  EXPECT_EQ(wordFromEnd(3), 0U);
  EXPECT_EQ(wordFromEnd(2) & 0xFFFFFF, structureKey(32111, 2));
  EXPECT_EQ(wordFromEnd(1), 0U);
}

TEST(HipoFileWriter, isNotFinishedUntilItIs) {
  HipoWriting writing;
  writeTagged(writing.writer, {0});
  writing.writer.finish();
  expectError(ErrorKind::usage, "is finished", [&] { writeTagged(writing.writer, {0}); });
}

} // namespace
} // namespace kaon::hipo
