#include <kaon/formats/memory/MemoryFile.h>

#include <kaon/base/Error.h>
#include <kaon/writing/BatchBuilder.h>
#include <kaon/writing/BatchWriter.h>

#include "support/Contents.h"
#include "support/Errors.h"
#include "support/RandomEvents.h"
#include "support/Tables.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kaon::memory {
namespace {

using test::expectError;

/// Entries with tables of all kinds, in clusters of 20.
struct Written {
  explicit Written(Layout layout = Layout::split) {
    test::RandomEvents random(7, 9);
    detail::BatchBuilder builder;
    for (const TableDefinition& table : test::assortedTables(layout))
      builder.add(table);
    const auto sink = file->sink();
    for (int cluster = 0; cluster < 3; ++cluster) {
      for (int entry = 0; entry < 20; ++entry)
        random.addEntry(builder);
      contents.append(builder.batch(0));
      sink->write("events", builder.batch(0));
      builder.clear();
    }
    sink->addDocument("notes", "in memory");
    EXPECT_TRUE(file->categories().empty()); // not before it is finished
    sink->finish();
  }
  std::shared_ptr<MemoryFile> file = MemoryFile::make("events in memory");
  test::Contents contents;
};

TEST(MemoryFiles, giveBackTablesOfAllKindsAndLayouts) {
  for (const Layout layout : {Layout::split, Layout::row, Layout::member}) {
    const Written written(layout);
    EXPECT_EQ(test::contentsOf(written.file->category("events")), written.contents);
    EXPECT_EQ(written.file->category("events").clusters().size(), 3U);
  }
}

TEST(MemoryFiles, tellTheirNamesAndSizes) {
  const Written a, b;
  EXPECT_EQ(a.file->format(), "memory");
  EXPECT_EQ(a.file->name(), "events in memory");
  EXPECT_EQ(a.file->category("events").name(), "events in memory:events");
  EXPECT_NE(a.file->id(), b.file->id());
  EXPECT_GT(a.file->bytes(), 1000U);
  EXPECT_EQ(a.file->documents(), std::vector<std::string>{"notes"});
  EXPECT_EQ(a.file->document("notes"), "in memory");
  EXPECT_TRUE(a.file->isComplete());
  expectError(ErrorKind::name, "did you mean 'events'", [&] { (void)a.file->category("event"); });
  expectError(ErrorKind::name, "did you mean 'notes'", [&] { (void)a.file->document("note"); });
}

TEST(MemoryFiles, appendEntries) {
  const Written written;
  const auto sink = written.file->sink();
  EXPECT_EQ(sink->schema("events"), written.file->category("events").schema());
  detail::BatchBuilder builder;
  for (const TableDefinition& table : test::assortedTables(Layout::split))
    builder.add(table);
  builder.add(test::values("later", TableKind::value, Scalar::Int32));
  builder.endEntry();
  sink->write("events", builder.batch(0));
  sink->finish();
  const Source& source = written.file->category("events");
  EXPECT_EQ(source.entries(), 61U);
  EXPECT_EQ(test::contentsOf(source, {0, 60}).entries, 60U); // without the later table
}

TEST(MemoryFiles, refuseOtherTables) {
  const Written written;
  const auto sink = written.file->sink();
  detail::BatchBuilder builder;
  builder.add(test::values("another", TableKind::value, Scalar::Int32));
  expectError(ErrorKind::usage, "does not have the tables",
              [&] { (void)sink->encode("events", builder.batch(0)); });
  sink->finish();
  expectError(ErrorKind::usage, "is finished", [&] { sink->addDocument("a", "b"); });
}

} // namespace
} // namespace kaon::memory
