#include <kaon/formats/kaonfile/Appending.h>
#include <kaon/formats/kaonfile/ContentsReader.h>
#include <kaon/formats/kaonfile/FileReader.h>
#include <kaon/formats/kaonfile/FileWriter.h>
#include <kaon/formats/kaonfile/Verify.h>

#include <kaon/io/ByteSink.h>
#include <kaon/writing/BatchBuilder.h>
#include <kaon/writing/BatchWriter.h>

#include "support/Errors.h"
#include "support/Everything.h"
#include "support/Random.h"
#include "support/RandomEvents.h"
#include "support/Records.h"
#include "support/Warnings.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

// Appends to existing files.

namespace kaon::kaonfile {
namespace {

using test::contentsOf;
using test::everythingIn;
using test::expectError;
using test::Recorded;
using test::valuesOf;

detail::BatchBuilder integers(const std::vector<std::int32_t>& ints) {
  return test::entriesOf(test::values("run", TableKind::value, Scalar::Int32), ints);
}

/// A file in memory that is appended to several times.
class Appended {
public:
  Appended() {
    FileWriter writer(io::memorySink("memory.kaon", m_bytes));
    writer.finish();
  }
  [[nodiscard]] std::unique_ptr<FileWriter> writer() {
    auto source = test::sourceOfCopy(m_bytes.bytes());
    auto contents = readContents(*source);
    return std::make_unique<FileWriter>(io::memorySink("memory.kaon", m_bytes), std::move(source),
                                        std::move(contents));
  }
  void append(const std::function<void(FileWriter&)>& write) {
    const auto made = writer();
    write(*made);
    made->finish();
  }
  [[nodiscard]] Buffer& bytes() { return m_bytes; }
  [[nodiscard]] std::unique_ptr<File> file() const { return test::openBytes(m_bytes.bytes()); }

private:
  Buffer m_bytes;
};

TEST(Append, goesOnWithACategory) {
  Appended appended;
  for (const std::int32_t round : {0, 1, 2})
    appended.append([&](FileWriter& writer) {
      writer.write("events", integers({10 * round, 10 * round + 1}).batch(0));
      writer.write("events", integers({10 * round + 2}).batch(2));
    });
  const auto file = appended.file();
  EXPECT_TRUE(file->isComplete());
  EXPECT_EQ(valuesOf<std::int32_t>(file->category("events"), "run"),
            (std::vector{0, 1, 2, 10, 11, 12, 20, 21, 22}));
  EXPECT_EQ(file->category("events").clusters().size(), 6U);
}

TEST(Append, addsCategoriesTablesAndDocuments) {
  Appended appended;
  appended.append([&](FileWriter& writer) {
    writer.addDocument("notes", "old");
    writer.addDocument("kept", "as it was");
    writer.write("events", integers({1}).batch(0));
  });
  appended.append([&](FileWriter& writer) {
    writer.addDocument("notes", "new");
    detail::BatchBuilder builder;
    builder.add(writer.schema("events").table(0).definition());
    builder.add(test::collection("Hits", {{"x", Scalar::Int32}}));
    test::addRow(builder, 0, 2);
    builder.setPresent(1);
    test::addRow(builder, 1, 3);
    builder.endEntry();
    writer.write("events", builder.batch(0));
    writer.write("runs", integers({4}).batch(0));
  });
  const auto file = appended.file();
  EXPECT_EQ(file->categories(), (std::vector<std::string>{"events", "runs"}));
  EXPECT_EQ(valuesOf<std::int32_t>(file->category("events"), "run"), (std::vector{1, 2}));
  EXPECT_EQ(valuesOf<std::int32_t>(file->category("events"), "Hits.x"), std::vector{3});
  EXPECT_EQ(valuesOf<std::int32_t>(file->category("runs"), "run"), std::vector{4});
  EXPECT_EQ(file->document("notes"), "new");
  EXPECT_EQ(file->document("kept"), "as it was");
}

TEST(Append, ofNothingChangesNothing) {
  Appended appended;
  appended.append([&](FileWriter& writer) { writer.write("events", integers({1}).batch(0)); });
  const auto before = everythingIn(*appended.file());
  appended.append([](FileWriter&) {});
  EXPECT_TRUE(appended.file()->isComplete());
  EXPECT_EQ(everythingIn(*appended.file()), before);
}

TEST(Append, touchesNothingThatIsThere) {
  Appended appended;
  appended.append([&](FileWriter& writer) { writer.write("events", integers({1, 2}).batch(0)); });
  const Buffer& bytes = appended.bytes();
  const std::vector<std::byte> before(bytes.data(), bytes.data() + bytes.size());
  appended.append([&](FileWriter& writer) { writer.write("events", integers({3}).batch(0)); });
  ASSERT_GT(bytes.size(), before.size());
  EXPECT_TRUE(std::ranges::equal(before, bytes.bytes().first(before.size())));
}

TEST(Append, givesTheContentsOfASingleWriter) {
  test::RandomEvents events(9, 20);
  detail::BatchBuilder builder;
  for (const TableDefinition& table : test::assortedTables(Layout::member))
    builder.add(table);
  Appended appended;
  test::Writing writing;
  for (std::uint64_t round = 0; round < 4; ++round) {
    for (int i = 0; i < 15; ++i)
      events.addEntry(builder);
    const Batch batch = builder.batch(15 * round);
    writing.writer.write("events", batch);
    appended.append([&](FileWriter& writer) { writer.write("events", batch); });
    builder.clear();
  }
  const auto file = appended.file();
  const auto whole = writing.finished();
  EXPECT_EQ(everythingIn(*file), everythingIn(*whole));
  const Source& found = file->category("events");
  const Source& expected = whole->category("events");
  for (std::uint32_t table = 0; table < found.schema().size(); ++table)
    for (std::size_t cluster = 0; cluster < 4 && !found.schema().table(table).members.empty();
         ++cluster)
      EXPECT_EQ(found.extremes(table, 0, cluster), expected.extremes(table, 0, cluster));
}

TEST(Append, refusesABatchWithOtherTables) {
  Appended appended;
  appended.append([&](FileWriter& writer) { writer.write("events", integers({1}).batch(0)); });
  appended.append([&](FileWriter& writer) {
    const detail::BatchBuilder other =
        test::entriesOf<std::int64_t>(test::values("run", TableKind::value, Scalar::Int64), {1});
    expectError(ErrorKind::usage, "does not have the tables that 'events' has had so far",
                [&] { writer.write("events", other.batch(1)); });
  });
}

/// Refuses all writes from a given number on, like a full disk.
class FullSink final : public io::ByteSink {
public:
  FullSink(Buffer& bytes, int writes)
      : m_bytes(io::memorySink("memory.kaon", bytes)), m_left(writes) {}
  [[nodiscard]] const std::string& name() const noexcept override { return m_bytes->name(); }
  [[nodiscard]] std::uint64_t start() const noexcept override { return m_bytes->start(); }
  void write(std::span<const std::byte> bytes) override {
    count();
    m_bytes->write(bytes);
  }
  void finish() override { count(); }
  void abandon() noexcept override { m_bytes->abandon(); }

private:
  void count() {
    if (m_left-- <= 0)
      fail(ErrorKind::io, name(), ": no space left");
  }
  std::unique_ptr<io::ByteSink> m_bytes;
  int m_left;
};

TEST(Append, writesNothingBeforeTheFirstClusterOrDocument) {
  Appended appended;
  appended.append([&](FileWriter& writer) { writer.write("events", integers({1}).batch(0)); });
  const std::size_t before = appended.bytes().size();
  const auto writer = appended.writer();
  const auto cluster = writer->encode("runs", integers({2}).batch(0));
  EXPECT_EQ(appended.bytes().size(), before);
}

TEST(Append, thatFailsAnywhereLeavesTheFileAsItWas) {
  Appended appended;
  appended.append([&](FileWriter& writer) { writer.write("events", integers({1, 2}).batch(0)); });
  const auto whole = everythingIn(*appended.file());
  const std::vector<std::byte> before(appended.bytes().bytes().begin(),
                                      appended.bytes().bytes().end());
  int failures = 0;
  for (bool isFinished = false; !isFinished; ++failures) {
    Buffer bytes;
    bytes.append(before);
    BatchWriter writer(
        std::make_unique<FileWriter>(std::make_unique<FullSink>(bytes, failures),
                                     test::sourceOfCopy(bytes.bytes()),
                                     readContents(*io::memorySource("memory.kaon", bytes.bytes()))),
        {.clusterEntries = 2});
    try {
      writer.putDocument("notes", "new");
      writer.write("events", integers({3, 4, 5}).batch(0));
      writer.write("runs", integers({6}).batch(0));
      writer.finish();
      isFinished = true;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io);
      ASSERT_TRUE(std::ranges::equal(bytes.bytes(), before)) << failures;
    }
  }
  EXPECT_GT(failures, 10);
}

/// Expects that a killed append is repaired and the file is sound.
void expectMended(Buffer& bytes) {
  auto contents = readContents(*io::memorySource("memory.kaon", bytes.bytes()));
  ASSERT_FALSE(contents.warning.empty());
  const auto before = everythingIn(*test::openBytes(bytes.bytes()));
  mend(
      io::memorySink("memory.kaon", bytes), [&] { return test::sourceOfCopy(bytes.bytes()); },
      std::move(contents));
  const auto file = test::openBytes(bytes.bytes());
  EXPECT_TRUE(file->isComplete());
  EXPECT_EQ(everythingIn(*file), before);
  const Verification verification = verify(*io::memorySource("memory.kaon", bytes.bytes()));
  EXPECT_TRUE(verification.isSound() && verification.isComplete);
}

TEST(Append, toAFileThatHasChangedIsRefused) {
  Appended appended;
  const auto contents = readContents(*io::memorySource("memory.kaon", appended.bytes().bytes()));
  appended.append([&](FileWriter& writer) { writer.write("events", integers({1}).batch(0)); });
  expectError(ErrorKind::io, "changed while it was opened", [&] {
    const FileWriter writer(io::memorySink("memory.kaon", appended.bytes()),
                            test::sourceOfCopy(appended.bytes().bytes()), contents);
  });
}

/// Returns entries with a key that is also a tag.
detail::BatchBuilder keyed(const std::vector<std::int32_t>& ints) {
  TableDefinition run = test::values("run", TableKind::value, Scalar::Int32);
  run.use = TableUse::tag | TableUse::key;
  run.layout = Layout::member;
  return test::entriesOf(run, ints);
}

// If appending ends at any byte, all earlier entries and all complete new clusters are read. The
// next append continues after them.
TEST(Append, thatIsCutAnywhereIsMended) {
  Appended appended;
  appended.append([&](FileWriter& writer) {
    writer.addDocument("notes", "old");
    writer.write("events", keyed({1, 2}).batch(0));
    writer.write("runs", integers({7}).batch(0));
  });
  const std::size_t before = appended.bytes().size();
  appended.append([&](FileWriter& writer) {
    writer.write("events", keyed({3, 4}).batch(0));
    writer.write("events", keyed({5}).batch(0));
  });
  const auto bytes = appended.bytes().bytes();
  const auto clusters = test::recordsOf(bytes, RecordKind::cluster);
  test::Warnings warnings;
  for (std::size_t size = before; size <= bytes.size(); ++size) {
    Buffer cut;
    cut.append(bytes.first(size));
    const bool isWhole = size == before || size == bytes.size();
    if (!isWhole)
      expectMended(cut);
    const auto told = warnings.take();
    ASSERT_EQ(told.size(), isWhole ? 0U : 2U); // one for reading, one for repairing
    const auto file = test::openBytes(cut.bytes());
    std::vector<std::int32_t> runs{1, 2};
    if (size >= clusters[3].end) // after the sorted keys
      runs.insert(runs.end(), {3, 4});
    if (size >= clusters[4].end)
      runs.push_back(5);
    EXPECT_EQ(valuesOf<std::int32_t>(file->category("events"), "run"), runs) << size;
    EXPECT_EQ(valuesOf<std::int32_t>(file->category("runs"), "run"), std::vector{7});
    EXPECT_EQ(file->document("notes"), "old");
    if (!isWhole) {
      test::expectContains(told[1], "entries that were recovered: " + std::to_string(runs.size()) +
                                        " of 'events', 1 of 'runs'");
    }
    const auto extremes = file->category("events").extremes(0, 0, 0);
    ASSERT_TRUE(extremes);
    EXPECT_EQ(extremes->least, 1U);
    EXPECT_EQ(extremes->greatest, 2U);
  }
}

// A loss of power may keep the header of a cluster and lose its pages.
TEST(Append, clustersThatLostPagesAreNotMended) {
  Appended appended;
  appended.append([&](FileWriter& writer) { writer.write("events", integers({1, 2}).batch(0)); });
  std::vector<std::int32_t> many(100); // more than a page in the meta bytes holds
  test::Random random(1);
  for (std::int32_t& value : many)
    value = static_cast<std::int32_t>(random.below(1U << 30));
  appended.append([&](FileWriter& writer) {
    writer.write("events", integers(many).batch(0));
    writer.write("events", integers(many).batch(0));
  });
  const auto clusters = test::recordsOf(appended.bytes().bytes(), RecordKind::cluster);
  ASSERT_EQ(clusters.size(), 3);
  for (const std::size_t lost : {1, 2}) {
    Buffer bytes;
    bytes.append(appended.bytes().bytes().first(clusters[2].end));
    bytes.data()[clusters[lost].end - 1] ^= std::byte{1}; // in its last page
    auto contents = readContents(*io::memorySource("memory.kaon", bytes.bytes()));
    EXPECT_EQ(hasSoundPartBehindDamage(*io::memorySource("memory.kaon", bytes.bytes()), contents),
              lost == 1);
    test::Warnings warnings;
    mend(
        io::memorySink("memory.kaon", bytes), [&] { return test::sourceOfCopy(bytes.bytes()); },
        std::move(contents));
    const auto file = test::openBytes(bytes.bytes());
    EXPECT_TRUE(file->isComplete());
    EXPECT_EQ(file->category("events").entries(), lost == 1 ? 2U : 102U);
    EXPECT_TRUE(verify(*io::memorySource("memory.kaon", bytes.bytes())).isSound());
    test::expectContains(warnings.take()[0], lost == 1 ? "recovered: 2 of" : "recovered: 102 of");
  }
}

TEST(Append, mendsNothingThatIsDamagedInTheMiddle) {
  Appended appended;
  appended.append([&](FileWriter& writer) {
    writer.write("events", integers({1, 2}).batch(0));
    writer.write("events", integers({3}).batch(0));
  });
  const auto expectRefused = [&](std::size_t damaged, std::size_t size) {
    Buffer bytes;
    bytes.append(appended.bytes().bytes().first(size));
    bytes.data()[damaged] ^= std::byte{1};
    auto contents = readContents(*io::memorySource("memory.kaon", bytes.bytes()));
    expectError(ErrorKind::usage, "nothing can be appended: first write the file again", [&] {
      mend(
          io::memorySink("memory.kaon", bytes), [&] { return test::sourceOfCopy(bytes.bytes()); },
          std::move(contents));
    });
    EXPECT_EQ(bytes.size(), size);
    EXPECT_TRUE(
        hasSoundPartBehindDamage(*io::memorySource("memory.kaon", bytes.bytes()),
                                 readContents(*io::memorySource("memory.kaon", bytes.bytes()))));
  };
  const std::size_t whole = appended.bytes().size();
  const auto clusters = test::recordsOf(appended.bytes().bytes(), RecordKind::cluster);
  const auto index = test::recordsOf(appended.bytes().bytes(), RecordKind::index);
  expectRefused(clusters[0].begin + 40, whole - 1); // another cluster follows
  expectRefused(index.back().begin + sizeof(RecordHeader), whole);
}

} // namespace
} // namespace kaon::kaonfile
