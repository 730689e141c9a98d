#include <kaon/tools/Convert.h>

#include <kaon/base/Warning.h>
#include <kaon/batch/Columns.h>
#include <kaon/detail/event/Find.h>
#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/files/Files.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Errors.h"
#include "support/Everything.h"
#include "support/Files.h"
#include "support/RandomEvents.h"
#include "support/Tables.h"
#include "support/TestEvents.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::everythingIn;
using test::expectError;

class Convert : public testing::Test {
protected:
  static constexpr int events = 40;

  /// Writes events and a run. Later events have one collection more than the first.
  void SetUp() override {
    Writer writer(m_in, {.clusterEntries = 7, .pageBytes = 512});
    for (int event = 0; event < events; ++event)
      writer.write(test::makeEvent(event), "events");
    Frame run;
    run.putParameter("number", 7);
    writer.write(run, "runs");
    writer.putDocument("notes", "a text");
    writer.finish();
  }

  test::Everything before() const { return everythingIn(Reader(m_in).file()); }
  test::Everything after() const { return everythingIn(Reader(m_out).file()); }
  Table tableOf(const Reader& reader, std::string_view name) const {
    const Schema& schema = reader.file().category("events").schema();
    return schema.table(schema.tableNamed(name));
  }

  test::TemporaryDirectory m_directory;
  std::string m_in = m_directory / "in.kaon";
  std::string m_out = m_directory / "out.kaon";
};

TEST_F(Convert, keepsAllDataInAllLayoutsAndCodecs) {
  const test::Everything expected = before();
  for (const Layout layout : {Layout::split, Layout::row, Layout::member})
    for (const Compression codec : {uncompressed(), lz4(), zstd(), zlib(), lzma()}) {
      SCOPED_TRACE(std::string(layoutName(layout)) + ", " + std::string(codecName(codec.codec)));
      convert(
          {m_in}, m_out,
          {.writer = {.codec = codec, .layout = layout, .clusterBytes = 3000, .pageBytes = 300}});
      EXPECT_TRUE(after() == expected);
      EXPECT_TRUE(verify(m_out).isSound());
      test::expectEvents(Reader(m_out)["events"], events);
    }
}

TEST_F(Convert, refusesAFileOfNothing) {
  Writer(m_in).finish();
  expectError(ErrorKind::usage, "in.kaon: has nothing to copy", [&] { convert({m_in}, m_out); });
  EXPECT_FALSE(std::filesystem::exists(m_out));
  Writer documents(m_in);
  documents.putDocument("notes", "a text");
  documents.finish();
  convert({m_in}, m_out);
  EXPECT_EQ(Reader(m_out).file().documents(), std::vector<std::string>{"notes"});
}

TEST_F(Convert, keepsTablesOfAllKindsAndThoseThatCameLater) {
  BatchWriter writer = batchWriter(m_in, {.pageBytes = 1024});
  detail::BatchBuilder builder;
  test::RandomEvents random(7, 9);
  for (const TableDefinition& table : test::assortedTables(Layout::row))
    builder.add(table);
  const auto write = [&](std::uint64_t first) {
    for (int entry = 0; entry < 20; ++entry)
      random.addEntry(builder);
    writer.writeCopy("events", builder.batch(first)); // references may be invalid
    builder.clear();
  };
  write(0);
  TableDefinition later = test::values("Hits.later", TableKind::decoration, Scalar::Int16, 0);
  later.members[0].missing = 3;
  builder.add(later);
  builder.add(test::collection("Late", {{"x", Scalar::Float64}}));
  write(20);
  writer.finish();
  const test::Everything expected = before();
  for (const Layout layout : {Layout::split, Layout::row, Layout::member}) {
    convert({m_in}, m_out, {.writer = {.layout = layout, .clusterEntries = 15, .pageBytes = 512}});
    EXPECT_TRUE(after() == expected) << layoutName(layout);
  }
}

TEST_F(Convert, keepsLayoutsThatAreNotNamed) {
  convert({m_in}, m_out, {.writer = {.storage = {{"Tracks", {.layout = Layout::row}}}}});
  convert({m_out}, m_in,
          {.writer = {.storage = {{"Hits", {.layout = Layout::member, .group = "h"}}}}});
  const Reader reader(m_in);
  EXPECT_EQ(tableOf(reader, "Tracks").layout, Layout::row);
  EXPECT_EQ(tableOf(reader, "Tracks.states").layout, Layout::row);
  EXPECT_EQ(tableOf(reader, "Hits").layout, Layout::member);
  EXPECT_EQ(tableOf(reader, "Hits").group, "h");
  EXPECT_EQ(tableOf(reader, "Particles").layout, Layout::split);
}

TEST_F(Convert, endsClustersWhereTheyEndedBefore) {
  const auto clusters = [&](const std::string& path) { return Reader(path)["numbers"].clusters(); };
  BatchWriter writer = batchWriter(m_in);
  std::vector<double> numbers(1'000'000);
  std::iota(numbers.begin(), numbers.end(), 0.);
  for (const std::size_t entries : {1'000'000, 700'000, 999, 1'000, 600'000}) { // 8 MB and less
    Columns columns(entries);
    columns.add("x", std::span(numbers).first(entries));
    writer.write("numbers", columns.batch());
    writer.flush();
  }
  writer.finish();
  for (const char* const name : {"out.kaon", "out.root"}) {
    m_out = m_directory / name;
    convert({m_in}, m_out);
    EXPECT_EQ(clusters(m_out), (std::vector<EntryRange>{
                                   {0, 1'000'000}, {1'000'000, 1'700'000}, {1'700'000, 2'301'999}}))
        << "those of a thousand entries are joined with what follows";
    EXPECT_TRUE(after() == before());
  }
  convert({m_in}, m_directory / "entries.kaon", {.writer = {.clusterEntries = 900'000}});
  EXPECT_EQ(clusters(m_directory / "entries.kaon").front(), (EntryRange{0, 900'000}));
}

TEST_F(Convert, cutsClustersByEntriesAndByBytes) {
  const auto sizes = [&](const WriterOptions& options) {
    convert({m_in}, m_out, {.writer = options});
    std::vector<std::uint64_t> found;
    for (const EntryRange& cluster : Reader(m_out)["events"].clusters())
      found.push_back(cluster.size());
    return found;
  };
  EXPECT_EQ(sizes({.clusterEntries = 16}), (std::vector<std::uint64_t>{16, 16, 8}));
  EXPECT_EQ(sizes({}), (std::vector<std::uint64_t>{40}));
  EXPECT_EQ(sizes({.clusterBytes = 1}), std::vector<std::uint64_t>(40, 1));
  EXPECT_TRUE(after() == before());
  const std::size_t few = sizes({.clusterBytes = 4000}).size();
  EXPECT_GT(few, 2U);
  EXPECT_LT(few, sizes({.clusterBytes = 2000}).size());
}

TEST(WriterOptions, makeLargerClustersOfVeryManyColumns) {
  EXPECT_EQ(WriterOptions{}.bytesOfCluster(100), 16U << 20);
  EXPECT_EQ(WriterOptions{}.bytesOfCluster(6'000), 6'000U * 4096);
  EXPECT_EQ(WriterOptions{}.bytesOfCluster(10'000), 32U << 20); // half of the memory budget
  EXPECT_EQ((WriterOptions{.clusterBytes = 5}).bytesOfCluster(10'000), 5U);
}

TEST_F(Convert, makesTagsAndKeysOfParameters) {
  convert({m_in}, m_out, {.writer = {.clusterEntries = 5, .tags = {"weight"}, .keys = {"number"}}});
  const Reader reader(m_out);
  EXPECT_EQ(tableOf(reader, "weight").kind, TableKind::value);
  EXPECT_EQ(tableOf(reader, "weight").use, TableUse::tag);
  EXPECT_EQ(tableOf(reader, "number").use, TableUse::key);
  const std::array keys{detail::Key{"number", 33}};
  EXPECT_EQ(detail::find(reader.file().category("events"), keys), 33U);
  test::expectEvents(reader["events"], events);
  EXPECT_TRUE(verify(m_out).isSound());
  // Tags and keys keep their uses. Values of runs with these names become keys, too.
  convert({m_out}, m_in, {});
  const Reader again(m_in);
  EXPECT_EQ(tableOf(again, "weight").use, TableUse::tag);
  EXPECT_EQ(again.file().category("runs").schema().table(0).use, TableUse::key);
}

TEST_F(Convert, refusesTagsThatAreNotOneNumber) {
  expectError(ErrorKind::usage, "'flags' is to be a tag or key, which is one number an event, but",
              [&] { convert({m_in}, m_out, {.writer = {.tags = {"flags"}}}); });
  expectError(ErrorKind::usage, "'title' is to be a tag or key",
              [&] { convert({m_in}, m_out, {.writer = {.tags = {"title"}}}); });
  EXPECT_FALSE(std::filesystem::exists(m_out));
}

TEST_F(Convert, roundsAndDoesNotUnroundValues) {
  const auto keeping = [](unsigned bits) {
    return WriterOptions{.storage = {{"Hits", {.precision = {{"energy", mantissaBits(bits)}}}}}};
  };
  convert({m_in}, m_out, {.writer = keeping(3)});
  const Reader rounded(m_out);
  EXPECT_EQ(tableOf(rounded, "Hits").members[1].precision, mantissaBits(3));
  for (const Frame& frame : Reader(m_out)["events"])
    for (const auto hit : frame.get<::test::HitCollection>("Hits"))
      EXPECT_NEAR(hit.getEnergy(), 0.5 * static_cast<double>(hit.id().index), hit.getEnergy() / 16);
  convert({m_out}, m_in, {});
  EXPECT_EQ(tableOf(Reader(m_in), "Hits").members[1].precision, mantissaBits(3));
  convert({m_in}, m_out, {.writer = keeping(2)});
  expectError(ErrorKind::usage, "'Hits.energy' was already rounded",
              [&] { convert({m_out}, m_in, {.writer = keeping(3)}); });
}

TEST_F(Convert, forcesEncodings) {
  convert(
      {m_in}, m_out,
      {.writer = {.codec = lz4(), .encodings = {{"Particles.PDG", codec::Encoding::bytePlanes}}}});
  const Reader reader(m_out);
  const Source& source = reader.file().category("events");
  const auto [table, member] = source.schema().memberNamed("Particles.PDG");
  const ColumnUsage usage = source.usage(source.schema().place(table, member).column).value();
  ASSERT_FALSE(usage.forms.empty());
  EXPECT_EQ(usage.forms[0].encoding, codec::Encoding::bytePlanes);
}

TEST_F(Convert, copiesCompleteClustersOfAnUnfinishedFile) {
  const test::Everything expected = before();
  const std::string bytes = test::readFile(m_in);
  test::writeFile(m_in, std::string_view(bytes).substr(0, bytes.size() - 64));
  setWarningHandler({}); // suppresses the expected warning
  convert({m_in}, m_out);
  EXPECT_TRUE(after() == expected);
}

TEST_F(Convert, copiesCategoriesWithoutEntries) {
  BatchWriter writer = batchWriter(m_in);
  detail::BatchBuilder builder;
  builder.add({.name = "run",
               .kind = TableKind::value,
               .type = "int32",
               .rowSize = 4,
               .members = {{.name = "", .type = Scalar::Int32}}});
  writer.write("empty", builder.batch(0));
  writer.finish();
  convert({m_in}, m_out);
  const Reader reader(m_out);
  EXPECT_EQ(reader.file().category("empty").entries(), 0U);
  EXPECT_EQ(reader.file().category("empty").schema().table(0).name, "run");
}

TEST_F(Convert, namesMissingCategoriesAndColumns) {
  const auto refused = [&](std::string_view part, const WriterOptions& options) {
    expectError(ErrorKind::name, part, [&] { convert({m_in}, m_out, {.writer = options}); });
  };
  refused("no collection 'Track' (did you mean 'Tracks'?)", {.storage = {{"Track", {}}}});
  refused("no column 'Particles.PDF' (did you mean 'Particles.PDG'?)",
          {.encodings = {{"Particles.PDF", codec::Encoding::raw}}});
  refused("no parameter or value 'wait'", {.tags = {"wait"}});
  refused("did you mean 'number'?", {.keys = {"numbr"}});
  refused("'Hits' has no member 'energie'",
          {.storage = {{"Hits", {.precision = {{"energie", mantissaBits(3)}}}}}});
}

TEST_F(Convert, keepsTheOldFileIfItFails) {
  test::writeFile(m_out, "precious");
  expectError(ErrorKind::usage, "flags",
              [&] { convert({m_in}, m_out, {.writer = {.tags = {"flags"}}}); });
  EXPECT_EQ(test::readFile(m_out), "precious");
  const std::string bytes = test::readFile(m_in);
  expectError(ErrorKind::usage, "is the file to be read", [&] { convert({m_in}, m_in); });
  std::filesystem::create_symlink(m_in, m_directory / "link.kaon");
  expectError(ErrorKind::usage, "is the file to be read",
              [&] { convert({m_in}, m_directory / "link.kaon"); });
  EXPECT_EQ(test::readFile(m_in), bytes);
  struct Enough {};
  EXPECT_THROW(convert({m_in}, m_out, {}, [](double) { throw Enough(); }), Enough);
  EXPECT_EQ(test::readFile(m_out), "precious");
}

TEST_F(Convert, listsUnsupportedColumnsBeforeItWrites) {
  ConvertOptions trees;
  trees.writer.format = "ttree";
  const std::string out = m_directory / "out.root";
  for (const char* const part : {"events: Particles.daughters: ", "events: Tracks.states: "})
    expectError(ErrorKind::usage, part, [&] { convert({m_in}, out, trees); });
  EXPECT_FALSE(std::filesystem::exists(out + ".part"));
}

TEST_F(Convert, leavesOutUnsupportedColumnsOnRequest) {
  ConvertOptions trees{.isLossy = true};
  trees.writer.format = "ttree";
  convert({m_in}, m_directory / "out.root", trees);
  const auto file = open(m_directory / "out.root");
  const Source& copy = file->category("events");
  EXPECT_EQ(copy.entries(), std::uint64_t{events});
  EXPECT_NE(copy.schema().findCollection("Particles"), Table::none);
  EXPECT_EQ(copy.schema().find("Particles.daughters"), Table::none);
}

TEST_F(Convert, leavesOutCategoriesThatTheFormatCannotHoldIfAsked) {
  const std::string out = m_directory / "out.hipo", runs = m_directory / "runs.kaon";
  expectError(ErrorKind::usage, "\n  runs: a HIPO file has one category, 'events'",
              [&] { convert({m_in}, out); });
  EXPECT_FALSE(std::filesystem::exists(out));
  convert({m_in}, out, {.isLossy = true});
  EXPECT_EQ(open(out)->categories(), (std::vector<std::string>{"events"}));
  EXPECT_EQ(open(out)->category("events").entries(), std::uint64_t{events});
  Writer writer(runs);
  Frame run;
  run.putParameter("number", 7);
  writer.write(run, "runs");
  writer.finish();
  expectError(ErrorKind::usage, "cannot hold any of its categories:\n  runs: ", [&] {
    convert({runs}, m_directory / "none.hipo", {.isLossy = true});
  });
}

/// HIPO has no unsigned numbers and bools; wider types hold their values.
TEST_F(Convert, widensTypesOnRequest) {
  const std::string in = m_directory / "unsigned.kaon", out = m_directory / "unsigned.hipo";
  using enum Scalar;
  detail::BatchBuilder builder;
  builder.add(test::collection(
      "Hits", {{"isGood", Bool}, {"cell", UInt64}, {"energy", Float32}, {"layer", UInt8, 2}},
      Layout::row));
  builder.add(test::values("status", TableKind::value, UInt32));
  struct Hit {
    bool isGood;
    std::uint64_t cell;
    float energy;
    std::array<std::uint8_t, 2> layer;
  };
  const std::array<Hit, 2> hits = {{{true, 7, .5F, {255, 1}}, {false, 8, 2.5F, {0, 128}}}};
  std::memcpy(builder.append(0, 2), hits.data(), sizeof hits);
  const std::uint32_t status = 4'000'000'000;
  std::memcpy(builder.append(1, 1), &status, sizeof status);
  builder.setPresent(0);
  builder.endEntry();
  BatchWriter writer = batchWriter(in);
  writer.write("events", builder.batch(0));
  writer.finish();

  for (const char* const line :
       {"\n  events: Hits.isGood: HIPO has no bool; int8 holds all of its values, so its "
        "values are converted",
        "\n  events: Hits.cell: HIPO has no uint64, nor a wider type\n", "\n  events: status: "})
    expectError(ErrorKind::usage, line, [&] { convert({in}, out); });
  convert({in}, out, {.isLossy = true});
  const Category copy = Reader(out)["events"];
  const Schema& schema = copy.source().schema();
  EXPECT_EQ(schema.table(schema.tableNamed("Hits")).members.size(), 3U);
  for (auto [isGood, energy, layer, statuses] :
       copy.each<Array<std::int8_t>, Array<float>, Array<Array<std::int16_t>>, Array<std::int64_t>>(
           "Hits.isGood", "Hits.energy", "Hits.layer", "status.value")) {
    EXPECT_EQ((std::vector<int>{isGood[0], isGood[1]}), (std::vector{1, 0}));
    EXPECT_EQ((std::vector<float>{energy[0], energy[1]}), (std::vector{.5F, 2.5F}));
    EXPECT_EQ((std::vector<int>{layer[0][0], layer[0][1], layer[1][0], layer[1][1]}),
              (std::vector{255, 1, 0, 128}));
    EXPECT_EQ(statuses[0], status);
  }
}

/// A structure of HIPO states its size in 24 bits. The sizes of the wider types count.
TEST_F(Convert, saysWhichEntriesTheFormatCannotHoldBeforeItWrites) {
  const std::string in = m_directory / "large.kaon", out = m_directory / "large.hipo";
  detail::BatchBuilder builder;
  builder.add(test::collection("Hits", {{"time", Scalar::UInt32}}));
  for (const std::size_t rows : {5U, 1U << 21}) {
    std::memset(builder.append(0, rows), 0, rows * 4);
    builder.setPresent(0);
    builder.endEntry();
  }
  BatchWriter writer = batchWriter(in);
  writer.write("events", builder.batch(0));
  writer.finish();
  expectError(ErrorKind::usage, "\n  Hits: entry 1 of " + in + ":events has 16777216 bytes",
              [&] { convert({in}, out, {.isLossy = true}); });
  EXPECT_FALSE(std::filesystem::exists(out + ".part"));
}

/// Converts entries without hits.
TEST_F(Convert, widensNothing) {
  const std::string in = m_directory / "empty.kaon", out = m_directory / "empty.hipo";
  detail::BatchBuilder builder;
  builder.add(test::collection("Hits", {{"layer", Scalar::UInt8}}));
  builder.endEntry();
  BatchWriter writer = batchWriter(in);
  writer.write("events", builder.batch(0));
  writer.finish();
  convert({in}, out, {.isLossy = true});
  EXPECT_EQ(open(out)->category("events").entries(), 1U);
}

TEST_F(Convert, namesCategoriesWithoutEntriesThatAreLost) {
  Writer writer(m_in);
  Frame event;
  event.putParameter("number", 7);
  writer.write(event, "events");
  writer.finish();
  BatchWriter more = batchWriter(m_in, {.append = true});
  detail::BatchBuilder builder;
  builder.add(test::values("run", TableKind::value, Scalar::Int32));
  more.write("runs", builder.batch(0));
  more.finish();
  for (const char* const name : {"out.sio", "out.slcio"}) {
    expectError(ErrorKind::usage, "\n  runs: it has no entries",
                [&] { convert({m_in}, m_directory / name); });
    convert({m_in}, m_directory / name, {.isLossy = true});
    EXPECT_EQ(open(m_directory / name)->categories(), (std::vector<std::string>{"events"}));
  }
}

TEST_F(Convert, leavesOutCategoriesThatAreTooManyIfAsked) {
  const std::string in = m_directory / "many.kaon", out = m_directory / "many.sio";
  Writer writer(in);
  Frame frame;
  frame.putParameter("number", 7);
  for (int i = 0; i < 499; ++i)
    writer.write(frame, "c" + std::to_string(100 + i));
  writer.finish();
  expectError(ErrorKind::usage,
              "\n  c597: files of this format have at most 497 categories\n  c598: files of this "
              "format have at most 497",
              [&] { convert({in}, out); });
  EXPECT_FALSE(std::filesystem::exists(out + ".part"));
  convert({in}, out, {.isLossy = true});
  EXPECT_EQ(open(out)->categories().size(), 497U);
}

TEST_F(Convert, leavesOutCategoriesThatRootCannotNameIfAsked) {
  const std::string in = m_directory / "names.kaon", out = m_directory / "names.root";
  Writer writer(in);
  Frame frame;
  frame.putParameter("number", 7);
  writer.write(frame, "events");
  writer.write(frame, "cosmic events");
  writer.finish();
  for (const char* const format : {"rntuple", "podio"}) {
    ConvertOptions options;
    options.writer.format = format;
    expectError(ErrorKind::usage, "\n  cosmic events: ROOT cannot have an RNTuple of this",
                [&] { convert({in}, out, options); });
    options.isLossy = true;
    convert({in}, out, options);
    EXPECT_EQ(open(out)->categories(), std::vector<std::string>{"events"});
  }
  convert({in}, out, {.writer = {.format = "ttree"}}); // names in trees may have blanks
  EXPECT_EQ(open(out)->categories(), (std::vector<std::string>{"cosmic events", "events"}));
}

} // namespace
} // namespace kaon
