#include <kaon/formats/root/RootFileWriter.h>
#include <kaon/formats/root/tree/BranchPlan.h>

#include <kaon/formats/root/RootFile.h>
#include <kaon/formats/root/tree/TreeSource.h>
#include <kaon/io/ByteSource.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Contents.h"
#include "support/Errors.h"
#include "support/RandomEvents.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

// Tables that trees can hold are written as branches and read back unchanged.

namespace kaon::root {
namespace {

using test::Contents;
using test::contentsOf;
using test::expectError;

struct TreeWriting {
  explicit TreeWriting(SinkOptions options = {})
      : writer(io::memorySink("memory.root", bytes), std::move(options), CategoryForm::tree) {}
  Buffer bytes;
  RootFileWriter writer;
  [[nodiscard]] std::unique_ptr<File> finished() {
    writer.finish();
    return openRootFile(io::memorySource("memory.root", bytes.bytes()), {});
  }

private:
};

/// Returns one table of each kind that a tree can hold.
std::vector<TableDefinition> plainTables(Layout layout) {
  using enum Scalar;
  std::vector<TableDefinition> tables;
  tables.push_back(test::collection("Hits",
                                    {{"cell", UInt64},
                                     {"energy", Float32},
                                     {"good", Bool},
                                     {"position", Float32, 3},
                                     {"charge", Int16}},
                                    layout));
  tables.push_back(test::parameter("weights", Float64));
  tables.push_back(test::parameter("flags", Bool));
  tables.push_back(test::parameter("bytes", Int8));
  tables.push_back(test::table("words", TableKind::parameter, "string", {}));
  tables.push_back(test::values("words.text", TableKind::text, UInt8, 4));
  tables.push_back(test::table("title", TableKind::value, "", {}));
  tables.push_back(test::values("title.", TableKind::vectorMember, UInt8, 6));
  tables.back().type = "string";
  tables.push_back(test::table("beam", TableKind::value, "",
                               {{"energy", Float64}, {"on", Bool}, {"ids", Int16, 2}}));
  for (std::size_t type = 0; type < detail::scalarKinds; ++type)
    tables.push_back(
        test::values("number" + std::to_string(type), TableKind::value, static_cast<Scalar>(type)));
  return tables;
}

/// Returns the rows of all tables by name, without the counter branches.
std::map<std::string, Contents::Rows> rowsIn(const Contents& contents) {
  std::map<std::string, Contents::Rows> rows;
  for (const auto& [name, table] : contents.tables)
    if (name.first != "nHits")
      rows[name.first] = table;
  return rows;
}

class TreeRoundTrip : public testing::TestWithParam<std::tuple<Compression, Layout, int>> {};

INSTANTIATE_TEST_SUITE_P(
    Options, TreeRoundTrip,
    testing::Combine(testing::Values(uncompressed(), lz4(), zstd(3), zlib(), lzma()),
                     testing::Values(Layout::split, Layout::row), testing::Values(64, 64 * 1024)));

TEST_P(TreeRoundTrip, givesBackAnyEvents) {
  const auto& [compression, layout, pageBytes] = GetParam();
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    test::RandomEvents events(seed, seed % 2 == 0 ? 5 : 400);
    TreeWriting writing({compression, static_cast<std::size_t>(pageBytes)});
    detail::BatchBuilder builder;
    for (const TableDefinition& table : plainTables(layout))
      builder.add(table);
    Contents written;
    for (const std::size_t entries : {12, 12, 3}) {
      for (std::size_t i = 0; i < entries; ++i)
        events.addEntry(builder);
      const Batch batch = builder.batch(written.entries);
      written.append(batch);
      writing.writer.write("events", batch);
      builder.clear();
    }
    const auto file = writing.finished();
    const Source& source = file->category("events");
    EXPECT_EQ(source.entries(), 27U);
    EXPECT_TRUE(source.unreadable().empty());
    EXPECT_EQ(rowsIn(contentsOf(source)), rowsIn(written)) << "seed " << seed;
  }
}

TEST(TreeWriter, countsRowsInABranch) {
  TreeWriting writing;
  detail::BatchBuilder builder;
  builder.add(test::collection("Hits", {{"x", Scalar::Int32}}));
  for (const std::size_t rows : {2U, 0U, 1U}) {
    builder.setPresent(0);
    for (std::size_t i = 0; i < rows; ++i)
      test::addRow(builder, 0, std::int32_t{7});
    builder.endEntry();
  }
  writing.writer.write("events", builder.batch(0));
  const auto file = writing.finished();
  EXPECT_EQ(test::valuesOf<std::int32_t>(file->category("events"), "nHits"),
            (std::vector{2, 0, 1}));
}

/// Returns hits and a value that states their number.
detail::BatchBuilder hitsAndNumber(std::uint32_t number) {
  detail::BatchBuilder builder;
  builder.add(test::collection("Hits", {{"x", Scalar::Int32}}));
  builder.add(test::values("nHits", TableKind::value, Scalar::UInt32));
  builder.setPresent(0);
  test::addRow(builder, 0, std::int32_t{7});
  test::addRow(builder, 1, number);
  builder.endEntry();
  return builder;
}

TEST(TreeWriter, takesAValueThatIsTheNumberOfRowsForTheCounter) {
  TreeWriting writing;
  writing.writer.write("events", hitsAndNumber(1).batch(0));
  const auto file = writing.finished();
  EXPECT_EQ(test::valuesOf<std::uint32_t>(file->category("events"), "nHits"),
            std::vector<std::uint32_t>{1});
}

TEST(TreeWriter, refusesAValueWithTheNameOfACounter) {
  TreeWriting writing;
  expectError(ErrorKind::usage, "'nHits' must equal the number of rows",
              [&] { writing.writer.write("events", hitsAndNumber(2).batch(0)); });
}

/// Returns tables of all kinds with descriptions. Numbers have units.
std::vector<TableDefinition> describedTables() {
  std::vector<TableDefinition> tables = plainTables(Layout::split);
  tables.push_back(test::values("nHits", TableKind::value, Scalar::Int32)); // the counter
  for (TableDefinition& table : tables) {
    const bool isBare = table.members.size() == 1 && table.members[0].name.empty();
    table.description = "what " + table.name + " is; in short: good";
    for (MemberDefinition& member : table.members) {
      member.description = isBare ? "" : "of " + member.name + ": a [note]s";
      member.unit = member.type == Scalar::Bool ? "" : "GeV/(m*ns)";
    }
  }
  for (TableDefinition& text : tables) // the characters of strings have no description
    if (text.name.starts_with("words.") || text.name.starts_with("title.")) {
      text.description.clear();
      text.members[0].unit.clear();
    }
  tables.back().description = "what Hits is; in short: good"; // one branch has the counts
  tables.back().members[0].unit.clear();
  return tables;
}

TEST(TreeWriter, keepsUnitsAndDescriptionsInTitles) {
  TreeWriting writing;
  detail::BatchBuilder builder;
  const std::vector<TableDefinition> tables = describedTables();
  for (const TableDefinition& table : tables)
    builder.add(table);
  writing.writer.write("events", builder.batch(0));
  const auto file = writing.finished();
  const Schema& schema = file->category("events").schema();
  for (const TableDefinition& table : tables) {
    const std::uint32_t number = schema.find(table.name);
    ASSERT_NE(number, Table::none) << table.name;
    const TableDefinition read = schema.table(number).definition();
    EXPECT_EQ(read.description, table.description) << table.name;
    ASSERT_EQ(read.members.size(), table.members.size()) << table.name;
    for (std::size_t i = 0; i < read.members.size(); ++i) {
      EXPECT_EQ(read.members[i].description, table.members[i].description) << table.name;
      EXPECT_EQ(read.members[i].unit, table.members[i].unit) << table.name;
    }
  }
}

/// Returns the tables of a file of trees, after writing and reading it.
Schema readBack(const std::vector<TableDefinition>& tables) {
  TreeWriting writing;
  detail::BatchBuilder builder;
  for (const TableDefinition& table : tables)
    builder.add(table);
  writing.writer.write("events", builder.batch(0));
  return writing.finished()->category("events").schema();
}

TEST(TreeWriter, keepsTypesAndUses) {
  std::vector<TableDefinition> tables = plainTables(Layout::split);
  tables.push_back(test::values("run", TableKind::value, Scalar::UInt32));
  tables.back().use = TableUse::key;
  tables.push_back(test::values("Scores", TableKind::collection, Scalar::Float32));
  tables.push_back(
      test::collection("Vertices", {{"at.x", Scalar::Float64}, {"n_dof", Scalar::Int8}}));
  // A collection whose branches all have names longer than its own.
  tables.push_back(
      test::collection("Corners", {{"at.x", Scalar::Float64}, {"at.y", Scalar::Float64}}));
  tables.push_back(test::collection("Grids", {{"cells", Scalar::Float32, 4},
                                              {"time.value", Scalar::Float64},
                                              {"time.has_value", Scalar::Bool}}));
  tables.back().members[0].structure = "[2][2]";
  tables.back().members[1].structure = tables.back().members[2].structure = "?";
  const Schema schema = readBack(tables);
  for (const TableDefinition& table : tables) {
    if (table.parent != Table::none)
      continue;
    const Table read = schema.table(schema.find(table.name));
    EXPECT_EQ(read.kind, table.kind) << table.name;
    EXPECT_EQ(read.type, table.type) << table.name;
    EXPECT_EQ(read.use, table.use) << table.name;
    for (std::uint32_t i = 0; i < table.members.size(); ++i) {
      EXPECT_EQ(read.members[i].name, table.members[i].name);
      EXPECT_EQ(read.members[i].structure, table.members[i].structure);
    }
  }
}

TEST(TreeWriter, callsListsOfArraysAsTheyAre) {
  std::vector<TableDefinition> lists;
  for (const char* const name : {"matrices", "jet_corners"})
    lists.push_back(test::table(name, TableKind::parameter, "float32", {{"", Scalar::Float32, 4}}));
  const Schema schema = readBack(lists);
  for (const TableDefinition& list : lists) {
    const std::uint32_t read = schema.find(list.name);
    ASSERT_NE(read, Table::none) << list.name;
    EXPECT_EQ(schema.table(read).members.size(), 1U);
    EXPECT_EQ(schema.table(read).members[0].name, "");
    EXPECT_EQ(schema.table(read).members[0].extent, 4U);
    EXPECT_NE(schema.find("n" + list.name), Table::none); // the counter branch
  }
}

TEST(TreeWriter, keepsNoTypeOfReferences) {
  TableDefinition subset =
      test::collection("Some", {{"index", Scalar::Int32}, {"collection", Scalar::UInt32}});
  subset.type = "kaon::Subset<Thing>";
  const Schema schema = readBack({subset});
  EXPECT_EQ(schema.table(schema.find("Some")).type, "");
}

TEST(TreeWriter, describesOnlySomeOfTheMembersOfAValue) {
  for (const bool isDescribed : {false, true})
    for (unsigned which = 0; which < 8; ++which) {
      TreeWriting writing;
      detail::BatchBuilder builder;
      TableDefinition beam = plainTables(Layout::split)[8];
      ASSERT_EQ(beam.name, "beam");
      beam.description = isDescribed ? "of the target" : "";
      for (unsigned i = 0; i < 3; ++i)
        if ((which >> i & 1U) != 0)
          beam.members[i].description = "of it";
      builder.add(beam);
      writing.writer.write("events", builder.batch(0));
      const auto file = writing.finished();
      const TableDefinition read = file->category("events").schema().table(0).definition();
      EXPECT_EQ(read.description, beam.description) << which;
      for (unsigned i = 0; i < 3; ++i)
        EXPECT_EQ(read.members[i].description, beam.members[i].description) << which << ' ' << i;
    }
}

TEST(TreeWriter, refusesColumnsThatATreeCannotHold) {
  const auto expectRefused = [](const std::vector<TableDefinition>& tables, const char* what) {
    TreeWriting writing;
    detail::BatchBuilder builder;
    for (const TableDefinition& table : tables)
      builder.add(table);
    expectError(ErrorKind::usage, what, [&] { writing.writer.write("events", builder.batch(0)); });
  };
  const TableDefinition hits = test::collection("Hits", {{"x", Scalar::Int32}});
  expectRefused({hits, test::relation("Hits.next", TableKind::oneRelation, 0)},
                "memory.root: a tree cannot hold 'Hits.next': it is a relation in another table");
  expectRefused({test::collection("Bare", {})}, "a tree cannot hold 'Bare': it has no members");
  expectRefused({test::table("lists", TableKind::parameter, "", {}),
                 test::values("lists.", TableKind::vectorMember, Scalar::Int32, 0)},
                "a tree cannot hold 'lists': it holds a list");
  // A branch of strings would have another name than the member.
  TableDefinition title = test::values("Hits.title", TableKind::vectorMember, Scalar::UInt8, 0);
  title.type = "string";
  expectRefused({test::collection("Hits", {}), title},
                "a tree cannot hold 'Hits': it holds a list");
  expectRefused({test::values("a b", TableKind::value, Scalar::Int32)},
                "ROOT cannot have a branch 'a b'");
  expectRefused({hits, test::values("Hits_x", TableKind::value, Scalar::Int32)},
                "there would be two branches 'Hits_x'");
  expectRefused({test::values(std::string(16'001, 'x'), TableKind::value, Scalar::Int32)},
                "names of branches have at most 16000 bytes");
  expectRefused({test::collection("Hits", {{"samples", Scalar::Int8, (1U << 24) + 1}})},
                "a tree cannot hold 'Hits': arrays in trees have at most 16777216 values");
  expectRefused(
      {test::collection("Hits", {{"samples", Scalar::Float64, 1U << 23}, {"x", Scalar::Int64}})},
      "a tree cannot hold 'Hits': its rows have 67108872 bytes, of 67108864 at most");
}

/// A basket of zeros would be compressed more than readers accept.
TEST(TreeWriter, givesBackALongListOfZeros) {
  constexpr std::size_t rows = std::size_t{65} << 20;
  TreeWriting writing({.codec = zstd()});
  detail::BatchBuilder builder;
  builder.add(test::parameter("zeros", Scalar::Int8));
  builder.setPresent(0);
  std::memset(builder.append(0, rows), 0, rows);
  builder.endEntry();
  writing.writer.write("events", builder.batch(0));
  const auto file = writing.finished();
  EXPECT_EQ(test::valuesOf<std::int8_t>(file->category("events"), "zeros"),
            std::vector<std::int8_t>(rows));
}

TEST(TreeWriter, losesWholeTables) {
  Schema schema;
  schema.add(test::collection("Hits", {{"x", Scalar::Int32}}));
  schema.add(test::relation("Hits.next", TableKind::oneRelation, 0));
  schema.add(test::values("title", TableKind::value, Scalar::Int32));
  schema.add(test::table("title", TableKind::parameter, "string", {}));
  schema.add(test::values("title.text", TableKind::text, Scalar::UInt8, 3));
  schema.add(test::collection("Large", {{"samples", Scalar::Float64, (1U << 23) + 1}}));
  std::vector<std::uint32_t> tables;
  for (const detail::Loss& loss : lossesInTrees(schema))
    tables.push_back(loss.table);
  EXPECT_EQ(tables, (std::vector<std::uint32_t>{1, 3, 5})); // whole strings
}

TEST(TreeWriter, givesEarlierEntriesNothingOfTablesThatComeLate) {
  using enum Scalar;
  TreeWriting writing;
  detail::BatchBuilder first, all;
  for (detail::BatchBuilder* const builder : {&first, &all})
    builder->add(test::values("run", TableKind::value, Int32));
  TableDefinition late = test::values("late", TableKind::value, Int16);
  late.members[0].missing = 0xFFFF; // -1
  all.add(late);
  all.add(test::collection("Hits", {{"x", Float32}, {"cells", Int32, 2}}));
  all.add(test::parameter("weights", Float64));
  all.add(test::table("words", TableKind::parameter, "string", {}));
  all.add(test::values("words.text", TableKind::text, UInt8, 4));
  all.add(test::values("nHits", TableKind::value, Int32)); // the counter
  for (std::int32_t run = 1; run <= 5; ++run) {            // entries 1 and 3 have all tables
    detail::BatchBuilder& builder = run % 2 == 0 ? all : first;
    test::addRow(builder, 0, run);
    if (&builder == &all) {
      test::addRow(all, 1, static_cast<std::int16_t>(10 * run));
      for (const std::uint32_t table : {2U, 3U, 4U})
        all.setPresent(table);
      std::memset(all.append(2, 1), 0, 16);
      test::addRow(all, 3, 0.5);
      test::addRow(all, 6, std::int32_t{1});
    }
    builder.endEntry();
    writing.writer.write("events", builder.batch(0));
    builder.clear();
  }
  const auto file = writing.finished();
  const Source& events = file->category("events");
  EXPECT_EQ(test::valuesOf<std::int32_t>(events, "run"), (std::vector{1, 2, 3, 4, 5}));
  EXPECT_EQ(test::valuesOf<std::int16_t>(events, "late"),
            (std::vector<std::int16_t>{-1, 20, -1, 40, -1}));
  EXPECT_EQ(test::valuesOf<std::int32_t>(events, "nHits"), (std::vector{0, 1, 0, 1, 0}));
  EXPECT_EQ(test::valuesOf<float>(events, "Hits.x"), (std::vector{0.F, 0.F}));
  const Contents contents = contentsOf(events);
  const Contents::Rows& weights = contents.tables.at({"weights", "float64"});
  const Contents::Rows& words = contents.tables.at({"words", "string"});
  EXPECT_EQ(weights.counts, (std::vector<std::uint32_t>{0, 1, 0, 1, 0}));
  EXPECT_EQ(words.counts, (std::vector<std::uint32_t>{0, 0, 0, 0, 0}));
  const std::byte no{0}, yes{1};
  EXPECT_EQ(weights.present, (std::vector{no, yes, no, yes, no}));
  EXPECT_EQ(words.present, weights.present);
}

/// Writes lists that entries have or lack, and returns their presence as read back. `present` has a
/// character for each entry: 1, 0, or - if the batch lacks the table.
std::string presenceReadBack(std::string_view present, std::size_t entriesOfBatch,
                             std::vector<std::string>& branches) {
  TreeWriting writing;
  detail::BatchBuilder unaware, aware;
  for (detail::BatchBuilder* const builder : {&unaware, &aware})
    builder->add(test::values("run", TableKind::value, Scalar::Int32));
  aware.add(test::parameter("weights", Scalar::Float64));
  for (std::size_t entry = 0; entry < present.size();) {
    const char first = present[entry];
    detail::BatchBuilder& builder = first == '-' ? unaware : aware;
    for (std::size_t i = 0;
         i < entriesOfBatch && entry < present.size() && (present[entry] == '-') == (first == '-');
         ++i, ++entry) {
      test::addRow(builder, 0, std::int32_t{1});
      if (present[entry] == '1')
        builder.setPresent(1);
      builder.endEntry();
    }
    writing.writer.write("events", builder.batch(0));
    builder.clear();
  }
  const auto file = writing.finished();
  const Contents contents = contentsOf(file->category("events"));
  for (const auto& [name, rows] : contents.tables)
    branches.push_back(name.first);
  std::string read;
  for (const std::byte isThere : contents.tables.at({"weights", "float64"}).present)
    read += isThere == std::byte{0} ? '0' : '1';
  return read;
}

TEST(TreeWriter, keepsWhereTablesAreAbsent) {
  for (const char* const present :
       {"1111", "0000", "----1111", "1111----", "1111----1111", "----0101----11111111",
        "11110111----1111", "1111111111110101", "--------01", "1-0-1-0-11--00--11"}) {
    std::string expected(present);
    std::ranges::replace(expected, '-', '0');
    for (const std::size_t entries : {1U, 2U, 3U, 100U}) {
      std::vector<std::string> tables;
      EXPECT_EQ(presenceReadBack(present, entries, tables), expected) << entries;
      EXPECT_EQ(tables, (std::vector<std::string>{"run", "weights"}));
    }
  }
}

/// Returns the branches of a written tree, read without kaon's description of its tables.
std::vector<std::string> branchesOf(const TreeWriting& writing) {
  const RootContainer container(io::memorySource("memory.root", writing.bytes.bytes()), {});
  const TreeSource tree(container, container.objects().front(), {});
  std::vector<std::string> names;
  for (const Table& table : tree.schema().tables())
    names.emplace_back(table.name);
  return names;
}

/// Returns the branches of a tree with one entry.
std::vector<std::string> branchesOf(detail::BatchBuilder& builder) {
  TreeWriting writing;
  builder.endEntry();
  writing.writer.write("events", builder.batch(0));
  writing.writer.finish();
  return branchesOf(writing);
}

TEST(TreeWriter, hasABranchOfPresenceOnlyWhereATableIsAbsent) {
  detail::BatchBuilder present, absent;
  for (detail::BatchBuilder* const builder : {&present, &absent}) {
    builder->add(test::values("weights_present", TableKind::value, Scalar::Int32));
    builder->add(test::parameter("weights", Scalar::Float64));
    test::addRow(*builder, 0, std::int32_t{1});
  }
  present.setPresent(1);
  EXPECT_EQ(branchesOf(present), (std::vector<std::string>{"weights_present", "weights"}));
  EXPECT_EQ(branchesOf(absent),
            (std::vector<std::string>{"weights_present", "weights", "weights_present_2"}));
}

TEST(TreeWriter, leavesALaterTableTheNameOfABranchOfPresence) {
  TreeWriting writing;
  detail::BatchBuilder builder;
  builder.add(test::parameter("weights", Scalar::Float64));
  builder.endEntry(); // without weights; the branch of presence has a basket
  writing.writer.write("events", builder.batch(0));
  builder.clear();
  builder.add(test::values("weights_present", TableKind::value, Scalar::Int32));
  builder.setPresent(0);
  test::addRow(builder, 0, 0.5);
  test::addRow(builder, 1, std::int32_t{7});
  builder.endEntry();
  writing.writer.write("events", builder.batch(0));
  const auto file = writing.finished();
  EXPECT_EQ(branchesOf(writing),
            (std::vector<std::string>{"weights", "weights_present_2", "weights_present"}));
  const Contents read = contentsOf(file->category("events"));
  EXPECT_EQ(read.tables.at({"weights", "float64"}).present,
            (std::vector<std::byte>{std::byte{0}, std::byte{1}}));
  EXPECT_EQ(file->category("events").schema().size(), 2U);
}

TEST(TreeWriter, refusesAValueThatWouldBecomeTheCounterOfABranch) {
  TreeWriting writing;
  detail::BatchBuilder builder;
  builder.add(test::collection("Hits", {{"x", Scalar::Int32}}));
  writing.writer.write("events", builder.batch(0));
  builder.add(test::values("nHits", TableKind::value, Scalar::Int32));
  expectError(ErrorKind::usage, "'nHits' comes too late",
              [&] { writing.writer.write("events", builder.batch(0)); });
}

TEST(TreeWriter, reportsTheBytesOfBranches) {
  TreeWriting writing({.codec = zstd(1)});
  detail::BatchBuilder builder;
  builder.add(test::collection("Hits", {{"x", Scalar::Int32}}));
  builder.add(test::values("run", TableKind::value, Scalar::Float64));
  constexpr std::size_t entries = 1'000;
  for (std::size_t i = 0; i < entries; ++i) {
    builder.setPresent(0);
    test::addRow(builder, 0, std::int32_t{7});
    test::addRow(builder, 1, static_cast<double>(i));
    builder.endEntry();
  }
  writing.writer.write("events", builder.batch(0));
  const auto file = writing.finished();
  const Source& events = file->category("events");
  std::uint64_t stored = 0;
  for (std::uint32_t column = 0; column < events.schema().columns().size(); ++column)
    stored += events.usage(column).value_or(ColumnUsage()).storedBytes;
  EXPECT_LT(stored, writing.bytes.size());
  EXPECT_GT(stored, writing.bytes.size() / 3); // the rest describes the tree and its classes
  const auto usageOf = [&](std::string_view member) {
    const auto [table, number] = events.schema().memberNamed(member);
    return events.usage(events.schema().place(table, number).column).value();
  };
  for (const auto& [member, size] : {std::pair{"Hits.x", 4}, {"run", 8}, {"nHits", 4}}) {
    const ColumnUsage usage = usageOf(member);
    EXPECT_GE(usage.decodedBytes, entries * size) << member;
    EXPECT_LT(usage.storedBytes, usage.decodedBytes) << member;
    EXPECT_EQ(usage.forms.at(0).codec, Codec::zstd) << member;
  }
  const std::uint32_t hits = events.schema().findCollection("Hits");
  EXPECT_FALSE(events.usage(events.schema().countsColumn(hits))); // the branch nHits has the counts
}

TEST(TreeWriter, carriesDocuments) {
  TreeWriting writing;
  writing.writer.write("events", hitsAndNumber(1).batch(0));
  writing.writer.addDocument("notes", "text");
  const auto file = writing.finished();
  EXPECT_EQ(file->categories(), std::vector<std::string>{"events"});
  EXPECT_EQ(file->document("notes"), "text");
}

} // namespace
} // namespace kaon::root
