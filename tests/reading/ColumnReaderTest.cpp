#include <kaon/reading/ColumnReader.h>
#include <kaon/writing/BatchBuilder.h>

#include <kaon/base/Tasks.h>
#include <kaon/batch/Columns.h>
#include <kaon/formats/kaonfile/FileWriter.h>
#include <kaon/formats/memory/MemoryFile.h>
#include <kaon/writing/BatchWriter.h>

#include "support/Contents.h"
#include "support/Errors.h"
#include "support/RandomEvents.h"
#include "support/Writing.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::Contents;
using test::contentsOf;
using test::expectError;

/// Runs `call` with this number of threads, on any machine.
template <class Call>
void withThreads(int threads, Call call) {
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads));
  tbb::task_arena(threads).execute(call);
}

/// Memory for all columns of a table.
struct TableMemory {
  std::vector<std::int64_t> offsets;
  std::unique_ptr<bool[]> present;
  std::vector<std::vector<std::byte>> values;
};

/// Reads all columns of some entries.
Contents columnsOf(const Source& source, EntryRange range = {}) {
  const Schema& schema = source.schema();
  std::vector<std::uint32_t> all(schema.size());
  std::iota(all.begin(), all.end(), 0U);
  ColumnReader reader(source, all, range);
  std::vector<TableMemory> memory(schema.size());
  for (const std::uint32_t table : all) {
    const Table info = schema.table(table);
    auto& [offsets, present, values] = memory[table];
    if (info.isCounted()) {
      offsets.assign(reader.rowsAbove(table) + 1, -1);
      reader.setOffsets(table, offsets);
    }
    if (info.canBeAbsent()) {
      present = std::make_unique<bool[]>(reader.range().size());
      reader.setPresence(table, {present.get(), reader.range().size()});
    }
    for (std::uint32_t member = 0; member < info.members.size(); ++member) {
      values.emplace_back(reader.rows(table) * info.members[member].size());
      reader.setValues(table, member, values.back());
    }
  }
  reader.read();
  Contents contents;
  contents.entries = reader.range().size();
  for (const std::uint32_t table : all) {
    const Table info = schema.table(table);
    Contents::Rows& rows = contents.tables[{std::string(info.name), std::string(info.type)}];
    for (std::size_t entry = 0; memory[table].present && entry < contents.entries; ++entry)
      rows.present.push_back(std::byte{memory[table].present[entry]});
    for (std::size_t i = 1; i < memory[table].offsets.size(); ++i)
      rows.counts.push_back(
          static_cast<std::uint32_t>(memory[table].offsets[i] - memory[table].offsets[i - 1]));
    rows.values = std::move(memory[table].values);
  }
  return contents;
}

/// Writes clusters of random entries with tables of every kind.
Contents writeRandom(Sink& sink, Layout layout, std::size_t clusters, std::size_t entries) {
  detail::BatchBuilder builder;
  for (const TableDefinition& table : test::assortedTables(layout))
    builder.add(table);
  test::RandomEvents events(17, 9);
  Contents written;
  for (std::size_t cluster = 0; cluster < clusters; ++cluster) {
    for (std::size_t i = 0; i < entries; ++i)
      events.addEntry(builder);
    sink.write("events", builder.batch(cluster * entries));
    written.append(builder.batch(cluster * entries));
    builder.clear();
  }
  return written;
}

/// A file with random entries, and its contents.
struct RandomFile {
  std::shared_ptr<Buffer> bytes = std::make_shared<Buffer>();
  std::shared_ptr<const File> file;
  Contents written;
  [[nodiscard]] const Source& source() const { return file->category("events"); }
};

RandomFile inMemory(std::size_t clusters, std::size_t entries) {
  RandomFile random;
  const auto file = memory::MemoryFile::make("memory");
  const auto sink = file->sink();
  random.written = writeRandom(*sink, Layout::split, clusters, entries);
  sink->finish();
  random.file = file;
  return random;
}

/// Returns a file with small compressed pages.
RandomFile stored(Layout layout, std::size_t clusters, std::size_t entries) {
  RandomFile random;
  kaonfile::FileWriter writer(std::make_unique<test::MemorySink>(random.bytes), {zstd(1), 128});
  random.written = writeRandom(writer, layout, clusters, entries);
  writer.finish();
  random.file = test::openBytes(random.bytes->bytes());
  return random;
}

/// Returns the same file as a remote file, whose bytes must be fetched.
RandomFile distant(RandomFile random) {
  random.file = test::openRecorded(random.bytes->bytes()).file;
  return random;
}

std::vector<RandomFile> assortedFiles() {
  std::vector<RandomFile> files;
  files.push_back(inMemory(3, 15));
  for (const Layout layout : {Layout::split, Layout::member, Layout::row})
    files.push_back(stored(layout, 3, 15));
  files.push_back(distant(stored(Layout::split, 3, 15)));
  return files;
}

/// Returns three entries with 2, 0 and 3 muons. Muon i of the file has i hits.
std::shared_ptr<const File> muons() {
  const auto file = memory::MemoryFile::make("muons");
  BatchWriter out(file->sink(), {});
  Columns columns(3);
  const std::array muonOffsets{0U, 2U, 2U, 5U};
  const std::array pt{10.f, 11.f, 12.f, 13.f, 14.f};
  const std::array hitOffsets{0U, 0U, 1U, 3U, 6U, 10U};
  const std::array<std::int32_t, 10> hits{1, 2, 2, 3, 3, 3, 4, 4, 4, 4};
  const std::array<double, 3> weights{0.5, 1.5, 2.5};
  columns.add("Muon", muonOffsets, {{"pt", pt}});
  columns.add("Muon.hits", hitOffsets, {{"", hits}});
  columns.add("weight", weights);
  out.write("events", columns.batch());
  out.finish();
  return file;
}

TEST(ColumnReader, readsColumnsByName) {
  const auto file = muons();
  ColumnReader reader(file->category("events"), {"Muon.pt", "weight"});
  std::vector<std::int64_t> offsets(reader.rowsAbove("Muon") + 1);
  std::vector<float> pt(reader.rows("Muon"));
  std::vector<double> weights(reader.rows("weight"));
  std::array<bool, 3> present{};
  reader.setOffsets("Muon", offsets);
  reader.setPresence("Muon", present);
  reader.setValues("Muon.pt", std::span(pt));
  reader.setValues("weight", std::span(weights));
  reader.read();
  EXPECT_EQ(offsets, (std::vector<std::int64_t>{0, 2, 2, 5}));
  EXPECT_EQ(pt, (std::vector{10.f, 11.f, 12.f, 13.f, 14.f}));
  EXPECT_EQ(weights, (std::vector{0.5, 1.5, 2.5}));
  EXPECT_EQ(present, (std::array{true, true, true}));
}

TEST(ColumnReader, countsFromTheFirstEntryOfTheRange) {
  const auto file = muons();
  ColumnReader reader(file->category("events"), {"Muon"}, {1, 3});
  std::vector<std::int64_t> offsets(reader.rowsAbove("Muon") + 1);
  std::vector<std::int64_t> hitOffsets(reader.rowsAbove("Muon.hits") + 1);
  std::vector<std::int32_t> hits(reader.rows("Muon.hits"));
  reader.setOffsets("Muon", offsets);
  reader.setOffsets("Muon.hits", hitOffsets);
  reader.setValues("Muon.hits", std::span(hits));
  reader.read();
  EXPECT_EQ(offsets, (std::vector<std::int64_t>{0, 0, 3}));
  EXPECT_EQ(hitOffsets, (std::vector<std::int64_t>{0, 2, 5, 9}));
  EXPECT_EQ(hits, (std::vector<std::int32_t>{2, 2, 3, 3, 3, 4, 4, 4, 4}));
}

TEST(ColumnReader, readsAgainIntoOtherMemory) {
  const auto file = muons();
  ColumnReader reader(file->category("events"), {"Muon"});
  std::vector<float> first(5), second(5);
  reader.setValues("Muon.pt", std::span(first));
  reader.read();
  reader.setValues("Muon.pt", std::span(second)); // replaces the first array
  first.assign(5, 0);
  reader.read();
  EXPECT_EQ(second, (std::vector{10.f, 11.f, 12.f, 13.f, 14.f}));
  EXPECT_EQ(first, std::vector<float>(5));
}

TEST(ColumnReader, readsNothingOfARangeOutsideOrEmpty) {
  const auto file = muons();
  for (const EntryRange range : {EntryRange{3, 9}, {1000, 2000}, {1, 1}, {2, 1}}) {
    ColumnReader reader(file->category("events"), {"Muon.pt"}, range);
    EXPECT_EQ(reader.range().size(), 0U);
    EXPECT_EQ(reader.rows("Muon"), 0U);
    std::int64_t offset = -1;
    reader.setOffsets("Muon", {&offset, 1});
    reader.read();
    EXPECT_EQ(offset, 0);
  }
}

TEST(ColumnReader, readsACategoryWithoutEntries) {
  const auto file = memory::MemoryFile::make("empty");
  const auto sink = file->sink();
  Columns columns(0);
  columns.add("x", std::vector<float>());
  sink->write("events", columns.batch());
  sink->finish();
  for (const int threads : {1, 4})
    withThreads(threads, [&] {
      ColumnReader reader(file->category("events"), {"x"});
      reader.setValues("x", std::span<float>());
      reader.read();
      EXPECT_EQ(reader.rows("x"), 0U);
    });
}

TEST(ColumnReader, readsWrittenValues) {
  for (const RandomFile& random : assortedFiles())
    EXPECT_EQ(columnsOf(random.source()), random.written);
}

TEST(ColumnReader, readsAnyRange) {
  for (const RandomFile& random : assortedFiles())
    for (std::uint64_t first = 0; first < 45; first += 4)
      for (std::uint64_t last = first + 1; last <= 45; last += 5)
        ASSERT_EQ(columnsOf(random.source(), {first, last}),
                  contentsOf(random.source(), {first, last}))
            << first << " to " << last;
}

TEST(ColumnReader, readsLateTablesAsAbsentInEarlierClusters) {
  const auto file = memory::MemoryFile::make("late");
  const auto sink = file->sink();
  Columns early(2), late(2);
  const std::array<std::int32_t, 2> runs{7, 8};
  const std::array offsets{0U, 0U, 2U};
  const std::array x{1.f, 2.f};
  early.add("run", runs);
  late.add("run", runs);
  late.add("Hits", offsets, {{"x", x}});
  sink->write("events", early.batch());
  sink->write("events", late.batch());
  sink->finish();
  ColumnReader reader(file->category("events"), {"Hits"});
  std::array<bool, 4> present{};
  std::array<std::int64_t, 5> read{};
  std::vector<float> values(reader.rows("Hits"));
  reader.setPresence("Hits", present);
  reader.setOffsets("Hits", read);
  reader.setValues("Hits.x", std::span(values));
  reader.read();
  EXPECT_EQ(present, (std::array{false, false, true, true}));
  EXPECT_EQ(read, (std::array<std::int64_t, 5>{0, 0, 0, 0, 2}));
  EXPECT_EQ(values, (std::vector{1.f, 2.f}));
}

TEST(ColumnReader, refusesMemoryThatDoesNotFit) {
  const auto file = muons();
  const Source& source = file->category("events");
  ColumnReader reader(source, {"Muon.pt", "weight"});
  std::vector<std::int64_t> offsets(3);
  std::vector<float> pt(4);
  std::vector<double> weights(3);
  std::array<bool, 3> present{};
  const auto expectUsage = [](std::string_view part, auto call) {
    expectError(ErrorKind::usage, part, call);
  };
  expectUsage("memory for 3 offsets, but there are 4", [&] { reader.setOffsets("Muon", offsets); });
  expectUsage("memory for 4 rows, but there are 5",
              [&] { reader.setValues("Muon.pt", std::span(pt)); });
  expectUsage("memory for 2 entries, but there are 3",
              [&] { reader.setPresence("Muon", std::span(present).first(2)); });
  expectUsage("the memory for 'Muon.pt' does not hold a whole number of values",
              [&] { reader.setValues(0, 0, std::as_writable_bytes(std::span(pt)).first(7)); });
  expectUsage("'weight' has one row for each entry or parent row",
              [&] { reader.setOffsets("weight", offsets); });
  expectUsage("'weight' cannot be absent", [&] { reader.setPresence("weight", present); });
  expectUsage("the table 'Muon.hits' was not asked for", [&] { (void)reader.rows("Muon.hits"); });
  expectUsage("there is no table number 9", [&] { (void)reader.rows(9); });
  expectUsage("'Muon' has no member number 1", [&] { reader.setValues(0, 1, {}); });
  expectUsage("has no table number 9", [&] { ColumnReader(source, std::array{9U}); });
  expectError(ErrorKind::type, "'Muon.pt' holds float32 values, not float64",
              [&] { reader.setValues("Muon.pt", std::span(weights)); });
  expectError(ErrorKind::name, "(did you mean 'Muon'?)", [&] { (void)reader.rows("Muons"); });
  expectError(ErrorKind::name, source.name() + ": no column is called 'Muon.pe'",
              [&] { ColumnReader(source, {"Muon.pe"}); });
}

/// A source that starts to read as another source, like a mapped file that is overwritten.
class ChangingSource final : public Source {
public:
  ChangingSource(const Source& before, const Source& after) : m_now(&before), m_after(after) {}
  void change() { m_now = &m_after; }
  [[nodiscard]] const std::string& name() const noexcept override { return m_now->name(); }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_now->schema(); }
  [[nodiscard]] std::uint64_t entries() const noexcept override { return m_now->entries(); }
  [[nodiscard]] std::vector<EntryRange> clusters() const override { return m_now->clusters(); }
  [[nodiscard]] std::unique_ptr<detail::Cursor> cursor() const override { return m_now->cursor(); }

private:
  const Source* m_now;
  const Source& m_after;
};

/// Returns a file of two entries with these numbers of values.
std::shared_ptr<const File> numbers(std::uint32_t inFirst, std::uint32_t inSecond) {
  test::Writing writing;
  const std::array offsets{0U, inFirst, inFirst + inSecond};
  const std::vector<float> values(inFirst + inSecond, 1.f);
  Columns columns(2);
  columns.add("Numbers", offsets, {{"x", values}});
  writing.writer.write("events", columns.batch());
  return {writing.finished().release(), [bytes = writing.bytes](const File* file) { delete file; }};
}

TEST(ColumnReader, findsThatAFileIsChangedWhileItReads) {
  const auto before = numbers(2, 2), more = numbers(2, 3), fewer = numbers(2, 1);
  for (const auto& after : {more, fewer}) {
    ChangingSource source(before->category("events"), after->category("events"));
    ColumnReader reader(source, {"Numbers"});
    std::vector<float> values(5, -1.f);
    reader.setValues("Numbers.x", std::span(values).first(4));
    source.change();
    expectError(ErrorKind::corrupt, "have 4 values of 'Numbers.x', but ", [&] { reader.read(); });
    EXPECT_EQ(values.back(), -1.f); // behind the reader's memory
  }
}

TEST(ColumnReader, saysWhichPageIsDamaged) {
  const auto bytes = std::make_shared<Buffer>();
  kaonfile::FileWriter writer(std::make_unique<test::MemorySink>(bytes),
                              {uncompressed(), 128, {{"x", codec::Encoding::raw}}});
  std::vector<double> x(1000);
  std::iota(x.begin(), x.end(), 0.5);
  Columns columns(x.size());
  columns.add("x", x);
  writer.write("events", columns.batch());
  writer.finish();
  const std::span stored(bytes->data(), bytes->size());
  const auto value = std::as_bytes(std::span(x).subspan(500, 1));
  const auto found = std::ranges::search(stored, value);
  ASSERT_FALSE(found.empty());
  found.front() ^= std::byte{1};
  const auto file = test::openBytes(stored);
  for (const int threads : {1, 4})
    withThreads(threads, [&] {
      expectError(ErrorKind::corrupt, "the page of 'x' at byte ",
                  [&] { (void)columnsOf(file->category("events")); });
    });
}

TEST(ColumnReader, fetchesPagesOnce) {
  const RandomFile random = stored(Layout::split, 4, 200);
  const test::Recorded recorded = test::openRecorded(random.bytes->bytes());
  const Source& source = recorded.file->category("events");
  withThreads(1, [&] { (void)columnsOf(source); }); // also reads the bytes that are read only once
  recorded.logs->views.clear();
  withThreads(1, [&] { (void)columnsOf(source); });
  std::uint64_t bytes = 0;
  for (const auto& ranges : recorded.logs->views.requests())
    for (const io::ByteRange& range : ranges)
      bytes += range.count;
  EXPECT_LT(bytes, 2 * random.bytes->size()); // the log counts each byte twice
}

// Many clusters, a few and one: the parts of threads end at clusters, within them and within pages.
TEST(ConcurrentColumnReader, readsTheSameInAnyNumberOfThreads) {
  std::vector<RandomFile> files;
  for (const auto& [clusters, entries] : {std::pair{150, 2}, {3, 100}, {1, 300}}) {
    files.push_back(inMemory(clusters, entries));
    for (const Layout layout : {Layout::split, Layout::member, Layout::row})
      files.push_back(stored(layout, clusters, entries));
    files.push_back(distant(stored(Layout::row, clusters, entries)));
  }
  for (const RandomFile& random : files) {
    withThreads(4, [&] {
      EXPECT_EQ(columnsOf(random.source()), random.written);
      EXPECT_EQ(columnsOf(random.source(), {31, 288}), contentsOf(random.source(), {31, 288}));
    });
    withThreads(1, [&] { EXPECT_EQ(columnsOf(random.source()), random.written); });
  }
}

TEST(ConcurrentColumnReader, severalReadOneSource) {
  const RandomFile random = stored(Layout::split, 4, 60);
  std::atomic<int> same = 0;
  withThreads(4, [&] {
    forEach(8, [&](std::size_t) { same += columnsOf(random.source()) == random.written; });
  });
  EXPECT_EQ(same, 8);
}

} // namespace
} // namespace kaon
