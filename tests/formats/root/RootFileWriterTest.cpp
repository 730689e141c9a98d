#include <kaon/formats/root/RootFileWriter.h>

#include <kaon/formats/root/RootFile.h>
#include <kaon/formats/root/container/RootContainer.h>
#include <kaon/formats/root/ntuple/NTupleSource.h>
#include <kaon/io/ByteSource.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Contents.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/RandomEvents.h"
#include "support/RoundTrip.h"
#include "support/Warnings.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

// Tables of kaon are written as RNTuples and read back unchanged.

namespace kaon::root {
namespace {

using test::Contents;
using test::contentsOf;
using test::expectError;

/// A writer to memory.
struct RootWriting {
  explicit RootWriting(SinkOptions options = {}, CategoryForm form = CategoryForm::ntuple)
      : writer(io::memorySink("memory.root", bytes), std::move(options), form) {}
  Buffer bytes;
  RootFileWriter writer;
  [[nodiscard]] std::unique_ptr<File> finished() {
    writer.finish();
    return openRootFile(io::memorySource("memory.root", bytes.bytes()), {});
  }
};

[[nodiscard]] detail::BatchBuilder integers(const std::vector<std::int32_t>& all) {
  return test::entriesOf(test::values("run", TableKind::value, Scalar::Int32), all);
}

class RootRoundTrip : public testing::TestWithParam<std::tuple<Compression, Layout, int>> {};

INSTANTIATE_TEST_SUITE_P(
    Options, RootRoundTrip,
    testing::Combine(testing::Values(uncompressed(), lz4(), zstd(3), zlib(), lzma()),
                     testing::Values(Layout::split, Layout::row), testing::Values(64, 64 * 1024)));

TEST_P(RootRoundTrip, givesBackAnyEvents) {
  const auto& [compression, layout, pageBytes] = GetParam();
  test::expectRandomEventsBack<RootWriting>({compression, static_cast<std::size_t>(pageBytes)},
                                            layout);
}

TEST(RootFileWriter, keepsTablesAsTheyAre) {
  RootWriting writing;
  detail::BatchBuilder builder;
  for (TableDefinition& table : test::assortedTables(Layout::split)) {
    table.description = "of \"all\" détecteurs";
    for (MemberDefinition& member : table.members)
      member.unit = "GeV";
    builder.add(table);
  }
  writing.writer.write("events", builder.batch(0));
  const auto file = writing.finished();
  const Schema& schema = file->category("events").schema();
  ASSERT_EQ(schema.size(), builder.schema().size());
  for (std::uint32_t table = 0; table < schema.size(); ++table)
    EXPECT_EQ(schema.table(table).definition(), builder.schema().table(table).definition());
  EXPECT_EQ(file->category("events").entries(), 0U);
}

TEST(RootFileWriter, keepsCategoriesApart) {
  RootWriting writing;
  writing.writer.write("runs", integers({1}).batch(0));
  writing.writer.write("events", integers({10, 11}).batch(0));
  writing.writer.write("runs", integers({2}).batch(1));
  const auto file = writing.finished();
  EXPECT_EQ(file->categories(), (std::vector<std::string>{"runs", "events"}));
  EXPECT_EQ(test::valuesOf<std::int32_t>(file->category("runs"), "run"), (std::vector{1, 2}));
  EXPECT_EQ(test::valuesOf<std::int32_t>(file->category("events"), "run"), (std::vector{10, 11}));
  EXPECT_TRUE(file->isComplete());
}

TEST(RootFileWriter, hasNoCategoryThatRefusedItsFirstBatch) {
  detail::BatchBuilder builder;
  builder.add(test::collection("Hits", {{"x", Scalar::Int8, (64U << 20) + 1}}));
  builder.endEntry();
  for (const CategoryForm form : {CategoryForm::ntuple, CategoryForm::tree, CategoryForm::frames}) {
    RootWriting writing({}, form);
    expectError(ErrorKind::usage, "'Hits'",
                [&] { writing.writer.write("events", builder.batch(0)); });
    EXPECT_TRUE(writing.finished()->categories().empty());
  }
}

TEST(RootFileWriter, mayHaveNoCategory) {
  RootWriting writing;
  const auto file = writing.finished();
  EXPECT_TRUE(file->categories().empty());
  EXPECT_TRUE(file->documents().empty());
}

TEST(RootFileWriter, carriesDocumentsOfWhichTheLastOfANameCounts) {
  RootWriting writing;
  writing.writer.write("events", integers({1}).batch(0));
  writing.writer.addDocument("model:a", "first");
  writing.writer.addDocument("notes", "");
  writing.writer.addDocument("model:a", std::string(100'000, 'x'));
  const auto file = writing.finished();
  EXPECT_EQ(file->documents(), (std::vector<std::string>{"model:a", "notes"}));
  EXPECT_EQ(file->document("model:a"), std::string(100'000, 'x'));
  EXPECT_EQ(file->document("notes"), "");
  EXPECT_EQ(file->categories(), (std::vector<std::string>{"events"}));
  expectError(ErrorKind::name, "has no document 'note' (did you mean 'notes'?)",
              [&] { (void)file->document("note"); });
}

TEST(RootFileWriter, hasNoDocumentWithAStrangeName) { // writer or forged file
  Buffer bytes;
  ContainerWriter writer(io::memorySink("f.root", bytes), uncompressed());
  writeDocuments(writer, {{"\xff", "text"}});
  writer.finish([](std::uint16_t) { return Buffer(); });
  const RootContainer container(io::memorySource("f.root", bytes.bytes()));
  expectError(ErrorKind::corrupt, "the name of a document is not UTF-8",
              [&] { (void)readDocuments(container); });
}

TEST(RootFileWriter, givesEarlierEntriesTheValueForMissing) {
  RootWriting writing;
  writing.writer.write("events", integers({1, 2}).batch(0));
  detail::BatchBuilder builder = integers({});
  TableDefinition year = test::values("year", TableKind::value, Scalar::UInt16);
  year.members[0].missing = 2025;
  builder.add(year);
  test::addRow(builder, 0, std::int32_t{3});
  test::addRow(builder, 1, std::uint16_t{2026});
  builder.endEntry();
  writing.writer.write("events", builder.batch(2));
  const auto file = writing.finished();
  EXPECT_EQ(test::valuesOf<std::uint16_t>(file->category("events"), "year"),
            (std::vector<std::uint16_t>{2025, 2025, 2026}));
}

// Readers without kaon's description of tables, such as ROOT, see fields with these names.
TEST(RootFileWriter, namesFieldsAsRootAllows) {
  RootWriting writing;
  detail::BatchBuilder builder;
  for (const char* const name : {"a b", "a/b", "provenance.file"})
    builder.add(test::values(name, TableKind::value, Scalar::Int32));
  for (std::uint32_t table = 0; table < 3; ++table)
    test::addRow(builder, table, static_cast<std::int32_t>(table));
  builder.endEntry();
  writing.writer.write("events", builder.batch(0));
  writing.writer.finish();
  const RootContainer container(io::memorySource("memory.root", writing.bytes.bytes()));
  const auto byFields = openNTuple(container, container.objects()[0]);
  EXPECT_EQ(test::tableNames(byFields->schema()),
            (std::vector<std::string>{"a_b", "a_b_2", "provenance_file"}));
  const auto file = openRootFile(io::memorySource("memory.root", writing.bytes.bytes()), {});
  EXPECT_EQ(test::tableNames(file->category("events").schema()),
            (std::vector<std::string>{"a b", "a/b", "provenance.file"}));
}

TEST(RootFileWriter, refusesNamesThatRootCannotHave) {
  RootWriting writing;
  const std::string tooDeep(2 * 64, '/'), tooLong(16'001, 'a');
  const std::string inLongFolder = std::string(4'097, 'a') + "/a";
  for (const std::string_view name : std::initializer_list<std::string_view>{
           "", "a.b", "a/", "/a", "a//b", "a b", "events;2", "a\n", tooDeep, tooLong, inLongFolder})
    expectError(ErrorKind::usage, "ROOT cannot have an RNTuple of this name",
                [&] { writing.writer.write(std::string(name), integers({1}).batch(0)); });
  RootWriting trees({}, CategoryForm::tree);
  for (const char* const name : {"", "a/", "/a", "events;2", "a\n"})
    expectError(ErrorKind::usage, "ROOT cannot have a tree of this name",
                [&] { trees.writer.write(name, integers({1}).batch(0)); });
  expectError(ErrorKind::usage, "category 'kaon_documents': kaon uses this name",
              [&] { writing.writer.write("kaon_documents", integers({1}).batch(0)); });
  expectError(ErrorKind::usage, "cannot be called 'kaon.schema:events'",
              [&] { writing.writer.addDocument("kaon.schema:events", ""); });
}

// The description would be compressed more than readers accept, so it is stored uncompressed.
TEST(RootFileWriter, takesAnyNamesOfFields) {
  RootWriting writing({.codec = zstd()});
  const std::string name(std::size_t{2} << 20, 'x');
  detail::BatchBuilder builder;
  builder.add(test::values(name, TableKind::value, Scalar::Int32));
  writing.writer.write("events", builder.batch(0));
  EXPECT_EQ(test::tableNames(writing.finished()->category("events").schema()), std::vector{name});
}

TEST(RootFileWriter, refusesRowsThatItCouldNotRead) {
  RootWriting writing;
  detail::BatchBuilder builder;
  builder.add(test::collection("Hits", {{"samples", Scalar::Int8, (64U << 20) + 1}}));
  expectError(ErrorKind::usage, "the rows of 'Hits' have 67108872 bytes",
              [&] { writing.writer.write("events", builder.batch(0)); });
}

TEST(RootFileWriter, putsCategoriesIntoFolders) {
  for (const CategoryForm form : {CategoryForm::ntuple, CategoryForm::tree}) {
    RootWriting writing({}, form);
    std::string deepest = "t";
    for (int level = 1; level < 64; ++level)
      deepest.insert(0, "f/");
    std::vector<std::string> names{"a/b/t", "a/t", "t", "u/t", "a/b/s", "of 7.5 TeV/t", deepest};
    if (form == CategoryForm::tree)
      names.insert(names.end(), {"cosmic events", "a/t.old"});
    for (std::int32_t i = 0; const std::string& name : names) {
      writing.writer.write(name, integers({i, 10 * i}).batch(0));
      ++i;
    }
    const auto file = writing.finished();
    const std::vector<std::string> categories = file->categories();
    EXPECT_EQ(std::set(categories.begin(), categories.end()), std::set(names.begin(), names.end()));
    for (std::int32_t i = 0; const std::string& name : names) {
      EXPECT_EQ(test::valuesOf<std::int32_t>(file->category(name), "run"),
                (std::vector{i, 10 * i}));
      ++i;
    }
    EXPECT_TRUE(file->isComplete());
  }
}

TEST(RootFileWriter, refusesACategoryThatWouldBeAFolder) {
  RootWriting writing;
  writing.writer.write("a/b", integers({1}).batch(0));
  for (const char* const name : {"a", "a/b/c"})
    expectError(ErrorKind::usage, "one of them would be a folder",
                [&] { writing.writer.write(name, integers({1}).batch(0)); });
  writing.writer.write("ab", integers({1}).batch(0));
  expectError(ErrorKind::usage, "kaon uses this name for the documents",
              [&] { writing.writer.write("kaon_documents/a", integers({1}).batch(0)); });
}

TEST(RootFileWriter, refusesABatchWithOtherTablesThanBefore) {
  RootWriting writing;
  writing.writer.write("events", integers({1}).batch(0));
  detail::BatchBuilder builder;
  builder.add(test::values("run", TableKind::value, Scalar::UInt32));
  expectError(ErrorKind::usage, "does not have the tables that 'events' has had so far",
              [&] { writing.writer.write("events", builder.batch(1)); });
  EXPECT_EQ(test::valuesOf<std::int32_t>(writing.finished()->category("events"), "run"),
            std::vector{1});
}

TEST(RootFileWriter, takesNothingAfterFinish) {
  RootWriting writing;
  writing.writer.finish();
  expectError(ErrorKind::usage, "is finished",
              [&] { writing.writer.write("events", integers({1}).batch(0)); });
  expectError(ErrorKind::usage, "is finished", [&] { writing.writer.finish(); });
}

TEST(RootFileWriter, setsClustersAside) {
  RootWriting writing;
  auto first = writing.writer.encode("events", integers({1, 2}).batch(0));
  auto second = writing.writer.encode("events", integers({3}).batch(2));
  writing.writer.setAside(*second);
  writing.writer.setAside(*first);
  writing.writer.append(std::move(first));
  writing.writer.append(std::move(second));
  EXPECT_EQ(test::valuesOf<std::int32_t>(writing.finished()->category("events"), "run"),
            (std::vector{1, 2, 3}));
}

TEST(RootFileWriter, saysThatEncodingsAreNotUsed) {
  test::Warnings warnings;
  SinkOptions options;
  options.encodings["run"] = {};
  const RootWriting writing(options);
  const auto messages = warnings.take();
  ASSERT_EQ(messages.size(), 1U);
  test::expectContains(messages[0], "'encodings' is not used");
}

TEST(RootFileWriter, refusesPipes) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  expectError(ErrorKind::usage, "a pipe: a file of this format must change bytes",
              [&] { const RootFileWriter writer(io::streamSink(pipe[1], "a pipe"), {}); });
  ::close(pipe[0]);
  ::close(pipe[1]);
}

// Files of other formats behave in the same way.
TEST(RootFileWriter, keepsTheOldFileUntilItIsFinished) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "events.root";
  const auto write = [&](std::int32_t value, bool isFinished) {
    RootFileWriter writer(io::fileSink(path), {});
    writer.write("events", integers({value}).batch(0));
    if (isFinished)
      writer.finish();
  };
  const auto run = [&] {
    const auto file = openRootFile(io::fileSource(path), {});
    return test::valuesOf<std::int32_t>(file->category("events"), "run");
  };
  write(1, true);
  EXPECT_EQ(run(), std::vector{1});
  write(2, false);
  EXPECT_EQ(run(), std::vector{1});
  write(3, true);
  EXPECT_EQ(run(), std::vector{3});
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
}

/// Refuses more than a number of bytes, like a full disk.
class FullDisk final : public io::ByteSink {
public:
  explicit FullDisk(std::size_t room) : m_room(room) {}
  [[nodiscard]] const std::string& name() const noexcept override { return m_name; }
  void write(std::span<const std::byte> bytes) override {
    if (bytes.size() > m_room)
      fail(ErrorKind::io, m_name, ": no space left");
    m_room -= bytes.size();
  }
  void rewrite(std::uint64_t /*position*/, std::span<const std::byte> /*bytes*/) override {}
  void finish() override { m_isFinished = true; }
  [[nodiscard]] bool isFinished() const noexcept { return m_isFinished; }

private:
  std::string m_name = "full.root";
  std::size_t m_room;
  bool m_isFinished = false;
};

TEST(RootFileWriter, isNotCompletedWhereTheDiskIsFull) {
  RootWriting whole;
  whole.writer.write("events", integers({1}).batch(0));
  whole.writer.finish();
  for (std::size_t room = 300; room < whole.bytes.size(); room += 97) {
    auto sink = std::make_unique<FullDisk>(room);
    const FullDisk& disk = *sink;
    RootFileWriter writer(std::move(sink), {});
    expectError(ErrorKind::io, "no space left", [&] {
      writer.write("events", integers({1}).batch(0));
      writer.finish();
    });
    expectError(ErrorKind::usage, "is finished", [&] { writer.finish(); });
    EXPECT_FALSE(disk.isFinished());
  }
}

} // namespace
} // namespace kaon::root
