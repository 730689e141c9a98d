#include <kaon/detail/event/Find.h>
#include <kaon/files/Files.h>
#include <kaon/formats/kaonfile/Verify.h>
#include <kaon/formats/memory/MemoryFile.h>
#include <kaon/kaon.h>
#include <kaon/tools/Convert.h>

#include "support/Errors.h"
#include "support/Files.h"
#include "support/Forgery.h"
#include "support/Records.h"
#include "support/Warnings.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

// Files store their keys sorted. Finding an event therefore reads little, whatever the order of the
// events.

namespace {

using kaon::BatchWriter;
using kaon::Columns;
using kaon::EntryRange;
using kaon::ErrorKind;
using kaon::Reader;
using kaon::SinkOptions;
using kaon::Source;
using kaon::WriterOptions;
using kaon::kaonfile::RecordKind;
using kaon::test::expectError;
using kaon::test::Forgery;

using Entry = std::optional<std::uint64_t>;

/// Numbers of events, each once, in scattered order; a thousand per run.
class Shuffled {
public:
  explicit Shuffled(std::size_t count) : m_count(count) {}
  [[nodiscard]] std::size_t size() const noexcept { return m_count; }
  [[nodiscard]] std::int64_t number(std::size_t entry) const {
    return static_cast<std::int64_t>(entry * 7919 % m_count);
  }
  [[nodiscard]] std::int32_t run(std::size_t entry) const {
    return static_cast<std::int32_t>(number(entry) / 1000);
  }

private:
  std::size_t m_count;
};

/// Writes the entries [first, last) of these events.
void writeEvents(BatchWriter& out, const Shuffled& events, std::size_t first, std::size_t last) {
  std::vector<std::int32_t> runs;
  std::vector<std::int64_t> numbers;
  std::vector<double> weights;
  for (std::size_t entry = first; entry < last; ++entry) {
    runs.push_back(events.run(entry));
    numbers.push_back(events.number(entry));
    weights.push_back(0.5 * static_cast<double>(entry));
  }
  Columns columns(last - first);
  columns.add("run", runs);
  columns.add("event", numbers);
  columns.add("weight", weights);
  out.write("events", columns.batch());
}

class SortedKeys : public testing::Test {
protected:
  Reader write(const Shuffled& events, WriterOptions options = {.keys = {"run", "event"}}) {
    options.clusterEntries = 10'000;
    BatchWriter out = kaon::batchWriter(m_path, options);
    writeEvents(out, events, 0, events.size());
    out.finish();
    return Reader(m_path);
  }
  void append(const Shuffled& events, std::size_t first, std::size_t last) {
    BatchWriter out = kaon::batchWriter(m_path, {.keys = {"run", "event"}, .append = true});
    writeEvents(out, events, first, last);
    out.finish();
  }
  void expectSound() {
    for (const kaon::Finding& finding : kaon::verify(m_path).findings)
      ADD_FAILURE() << finding.what;
  }
  kaon::test::TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
};

TEST_F(SortedKeys, leadToEventsInAnyOrder) {
  const Shuffled events(100'000);
  const Reader reader = write(events);
  const auto found = reader["events"];
  ASSERT_TRUE(found.source().sortedKeys());
  EXPECT_EQ(found.source().sortedKeys()->entries(), events.size());
  for (std::size_t entry = 0; entry < events.size(); entry += 997) {
    const std::int64_t run = events.run(entry), number = events.number(entry);
    EXPECT_EQ(found.find({{"run", run}, {"event", number}}), Entry(entry));
    EXPECT_EQ(found.find({{"event", number}, {"run", run}}), Entry(entry));
    EXPECT_EQ(found.find({{"event", number}}), Entry(entry));
    EXPECT_EQ(found.find({{"run", run + 1}, {"event", number}}), std::nullopt);
  }
  EXPECT_EQ(found.find({{"run", std::int64_t{1} << 40}}), std::nullopt);
  expectSound();
  EXPECT_EQ(reader.categories(), std::vector<std::string>{"events"});
}

TEST_F(SortedKeys, takeFewBytesToRead) {
  const Shuffled events(200'000);
  (void)write(events);
  const std::string file = kaon::test::readFile(m_path);
  const auto recorded = kaon::test::openRecorded(std::as_bytes(std::span(file)));
  const Source& source = recorded.file->category("events");
  recorded.logs->views.clear();
  constexpr std::size_t entry = 123'456;
  const std::vector<kaon::detail::Key> keys{{"run", events.run(entry)},
                                            {"event", events.number(entry)}};
  EXPECT_EQ(kaon::detail::find(source, keys), Entry(entry));
  std::uint64_t bytes = 0;
  for (const auto& request : recorded.logs->views.requests())
    for (const kaon::io::ByteRange& range : request)
      bytes += range.count;
  EXPECT_LE(bytes, 16U * 1024);
  EXPECT_LE(recorded.logs->views.requests().size(), 4U);
}

TEST_F(SortedKeys, readEachPageOnceForManyEvents) {
  const Shuffled events(200'000);
  (void)write(events);
  std::vector<std::int64_t> runs, numbers;
  std::vector<Entry> expected;
  for (std::size_t i = 0; i < 100'000; ++i) {
    const std::size_t entry = i * 104'729 % events.size();
    const bool isThere = i % 10 != 0;
    runs.push_back(events.run(entry));
    numbers.push_back(isThere ? events.number(entry) : -1);
    expected.push_back(isThere ? Entry(entry) : std::nullopt);
  }
  const std::string file = kaon::test::readFile(m_path);
  const auto recorded = kaon::test::openRecorded(std::as_bytes(std::span(file)));
  const Source& source = recorded.file->category("events");
  recorded.logs->views.clear();
  const std::vector<kaon::detail::KeyColumn> keys{{"run", runs}, {"event", numbers}};
  EXPECT_EQ(kaon::detail::findEach(source, keys), expected);
  std::set<std::uint64_t> places;
  std::size_t ranges = 0;
  for (const auto& request : recorded.logs->views.requests())
    for (const kaon::io::ByteRange& range : request) {
      places.insert(range.offset);
      ++ranges;
    }
  EXPECT_EQ(places.size(), ranges);
  EXPECT_LE(ranges, 4U + 3 * (events.size() / 1024 + 4)); // for each cluster and page, at most
}

TEST_F(SortedKeys, giveRangesOfEvents) {
  const Shuffled events(50'000);
  const Reader reader = write(events);
  std::vector<std::uint64_t> expected;
  for (std::size_t entry = 0; entry < events.size(); ++entry)
    if (events.run(entry) == 7)
      expected.push_back(entry);
  EXPECT_EQ(expected.size(), 1000U);
  EXPECT_EQ(reader["events"].findAll({{"run", 7}}), expected);
  EXPECT_EQ(reader["events"].find({{"run", 7}}), Entry(expected.front()));
  EXPECT_TRUE(reader["events"].findAll({{"run", 50}}).empty());
}

TEST_F(SortedKeys, joinFiles) {
  const Shuffled events(5000);
  const Reader reader = write(events);
  auto other = kaon::memory::MemoryFile::make("friend");
  const std::vector<std::int64_t> numbers{17, 4999, 5000, 17};
  Columns columns(numbers.size());
  columns.add("event", numbers);
  BatchWriter out(other->sink(), {});
  out.write("events", columns.batch());
  out.finish();
  std::vector<Entry> entries;
  for (const kaon::Batch& batch : Reader(other)["events"].batches({"event"}))
    for (const Entry entry :
         reader["events"].findEach({{"event", batch.values<std::int64_t>("event")}}))
      entries.push_back(entry);
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(events.number(entries[0].value()), 17);
  EXPECT_EQ(events.number(entries[1].value()), 4999);
  EXPECT_EQ(entries[2], std::nullopt);
  EXPECT_EQ(entries[3], entries[0]);
  // A file in memory has no sorted keys: all entries are searched.
  EXPECT_EQ(Reader(other)["events"].find({{"event", 4999}}), Entry(1));
  EXPECT_EQ(Reader(other)["events"].findAll({{"event", 17}}), (std::vector<std::uint64_t>{0, 3}));
}

TEST_F(SortedKeys, areOfAnyIntegers) {
  const auto expectFound = [&]<class T>(T) {
    const std::vector<T> values{5, std::numeric_limits<T>::max(), 3, std::numeric_limits<T>::min(),
                                static_cast<T>(-1)};
    Columns columns(values.size());
    columns.add("key", values);
    BatchWriter out = kaon::batchWriter(m_path, {.keys = {"key"}});
    out.write("events", columns.batch());
    out.finish();
    const Reader reader(m_path);
    ASSERT_TRUE(reader["events"].source().sortedKeys());
    for (const T value : values)
      EXPECT_EQ(reader["events"].find({{"key", static_cast<std::int64_t>(value)}}),
                Entry(std::ranges::find(values, value) - values.begin()));
    EXPECT_EQ(reader["events"].find({{"key", 4}}), std::nullopt);
    std::vector<std::uint64_t> entries;
    for (const kaon::Batch& batch :
         kaon::Batches(*reader["events"].source().sortedKeys(), {"#entry"}))
      for (const std::uint64_t entry : batch.values<std::uint64_t>("#entry"))
        entries.push_back(entry);
    EXPECT_TRUE(std::ranges::is_sorted(entries, {}, [&](std::uint64_t i) { return values[i]; }));
    expectSound();
  };
  expectFound(std::int8_t{});
  expectFound(std::uint8_t{});
  expectFound(std::int16_t{});
  expectFound(std::uint16_t{});
  expectFound(std::int32_t{});
  expectFound(std::uint32_t{});
  expectFound(std::int64_t{});
  expectFound(std::uint64_t{});
}

TEST_F(SortedKeys, areMembersOfCollectionsWithOneObject) {
  const std::vector<std::uint32_t> offsets{0, 1, 2, 3};
  const std::vector<std::int32_t> runs{2, 1, 1}, numbers{5, 9, 4};
  const auto batchOf = [&](Columns& columns, const std::vector<std::uint32_t>& begins) {
    columns.add("EventHeader", begins, {{"runNumber", runs}, {"eventNumber", numbers}});
    return columns.batch();
  };
  for (const bool areKeys : {true, false}) {
    WriterOptions options;
    if (areKeys)
      options.keys = {"EventHeader.runNumber", "EventHeader.eventNumber"};
    BatchWriter out = kaon::batchWriter(m_path, options);
    Columns columns(3);
    out.write("events", batchOf(columns, offsets));
    out.finish();
    const auto events = Reader(m_path)["events"];
    EXPECT_EQ(events.source().sortedKeys() != nullptr, areKeys);
    EXPECT_EQ(events.find({{"EventHeader.runNumber", 1}, {"EventHeader.eventNumber", 4}}),
              Entry(2));
    EXPECT_EQ(events.findAll({{"EventHeader.runNumber", 1}}), (std::vector<std::uint64_t>{1, 2}));
    expectSound();
  }
  BatchWriter out = kaon::batchWriter(m_path, {.keys = {"EventHeader.eventNumber"}});
  Columns columns(3);
  out.write("events", batchOf(columns, {0, 1, 3, 3}));
  expectError(
      ErrorKind::usage,
      "each entry must have one 'EventHeader.eventNumber' to be found by, but entry 1 has 2",
      [&] { out.finish(); });
}

TEST_F(SortedKeys, areMergedByAppending) {
  const Shuffled events(60'000);
  {
    BatchWriter out = kaon::batchWriter(m_path, {.keys = {"run", "event"}});
    writeEvents(out, events, 0, 40'000);
    out.finish();
  }
  constexpr std::size_t step = 1000;
  for (std::size_t first = 40'000; first < events.size(); first += step)
    append(events, first, first + step);
  const Reader reader(m_path);
  const auto found = reader["events"];
  ASSERT_TRUE(found.source().sortedKeys());
  EXPECT_LE(found.source().sortedKeys()->clusters().size(), 6U); // not one for each of 21 writers
  for (std::size_t entry = 0; entry < events.size(); entry += 499)
    EXPECT_EQ(found.find({{"run", events.run(entry)}, {"event", events.number(entry)}}),
              Entry(entry));
  EXPECT_EQ(found.findAll({{"run", 3}}).size(), 1000U);
  expectSound();
  // They are also found in an unfinished file.
  std::string file = kaon::test::readFile(m_path);
  file.resize(file.size() - 96);
  kaon::test::writeFile(m_path, file);
  kaon::test::Warnings warnings;
  const Reader walked(m_path);
  ASSERT_TRUE(walked["events"].source().sortedKeys());
  EXPECT_EQ(walked["events"].find({{"event", events.number(41'234)}}), Entry(41'234));
}

TEST_F(SortedKeys, areMadeUpForByAppendingToFilesWithoutThem) {
  const Shuffled events(3000);
  (void)write(events, {});
  EXPECT_EQ(Reader(m_path)["events"].source().sortedKeys(), nullptr);
  EXPECT_EQ(Reader(m_path)["events"].find({{"event", events.number(1234)}}), Entry(1234));
  append(events, 0, 500); // some of them again
  const auto found = Reader(m_path)["events"];
  ASSERT_TRUE(found.source().sortedKeys());
  EXPECT_EQ(found.findAll({{"event", events.number(123)}}),
            (std::vector<std::uint64_t>{123, 3123}));
  EXPECT_EQ(found.find({{"event", events.number(2999)}}), Entry(2999));
  expectSound();
}

TEST_F(SortedKeys, comeBackToFilesThatWereNotFinished) {
  const Shuffled events(3000);
  (void)write(events);
  const std::string whole = kaon::test::readFile(m_path);
  kaon::test::Warnings warnings;
  // Cut within the sorted keys, which are the last records before index and end.
  const auto keys = kaon::test::recordsOf(std::as_bytes(std::span(whole)), RecordKind::cluster);
  kaon::test::writeFile(m_path, whole.substr(0, keys.back().begin + 100));
  const Reader cut(m_path);
  EXPECT_EQ(cut["events"].size(), events.size());
  EXPECT_EQ(cut["events"].source().sortedKeys(), nullptr);
  EXPECT_EQ(cut["events"].find({{"event", events.number(1234)}}), Entry(1234));
  append(events, 0, 0);
  const Reader mended(m_path);
  ASSERT_TRUE(mended["events"].source().sortedKeys());
  EXPECT_EQ(mended["events"].find({{"event", events.number(1234)}}), Entry(1234));
  expectSound();
}

TEST_F(SortedKeys, waitInATemporaryFileWhereTheyAreMany) {
  const Shuffled events(100'000);
  SinkOptions options{.keys = {"run", "event"}};
  options.keyBytes = 100'000;
  BatchWriter out(kaon::create(m_path, options), {});
  writeEvents(out, events, 0, events.size());
  out.finish();
  const auto found = Reader(m_path)["events"];
  for (std::size_t entry = 0; entry < events.size(); entry += 997)
    EXPECT_EQ(found.find({{"run", events.run(entry)}, {"event", events.number(entry)}}),
              Entry(entry));
  expectSound();
}

TEST_F(SortedKeys, areWrittenAtOnceWhereEventsComeInOrder) {
  constexpr std::size_t count = 200'000;
  std::vector<std::int64_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = static_cast<std::int64_t>(i / 2 * 3);
  Columns columns(count);
  columns.add("event", numbers);
  BatchWriter out = kaon::batchWriter(m_path, {.clusterEntries = 50'000, .keys = {"event"}});
  out.write("events", columns.batch());
  out.finish();
  const auto events = Reader(m_path)["events"];
  const auto clusters = events.source().sortedKeys()->clusters();
  ASSERT_EQ(clusters.size(), 4U);
  EXPECT_EQ(clusters[0], (EntryRange{0, 65'536}));
  EXPECT_EQ(events.findAll({{"event", 150'000}}), (std::vector<std::uint64_t>{100'000, 100'001}));
  // They are between the clusters of the events.
  const std::string file = kaon::test::readFile(m_path);
  const auto records = kaon::test::recordsOf(std::as_bytes(std::span(file)), RecordKind::cluster);
  EXPECT_EQ(records[2].header.category, 1U);
  EXPECT_EQ(records[3].header.category, 0U);
  expectSound();
}

TEST_F(SortedKeys, mayBeDeclaredLater) {
  const std::vector<std::int32_t> runs{2, 1, 2}, lumis{8, 7, 8};
  BatchWriter out = kaon::batchWriter(m_path, {.keys = {"run", "lumi"}});
  Columns early(3);
  early.add("run", runs);
  out.write("events", early.batch());
  Columns late(3);
  late.add("run", runs);
  late.add("lumi", lumis);
  out.write("events", late.batch());
  out.finish();
  const auto events = Reader(m_path)["events"];
  ASSERT_TRUE(events.source().sortedKeys());
  EXPECT_EQ(events.findAll({{"run", 2}}), (std::vector<std::uint64_t>{0, 2, 3, 5}));
  EXPECT_EQ(events.findAll({{"lumi", 8}, {"run", 2}}), (std::vector<std::uint64_t>{3, 5}));
  EXPECT_EQ(events.findAll({{"lumi", 0}}), (std::vector<std::uint64_t>{0, 1, 2}));
  expectSound();
}

TEST_F(SortedKeys, areInCopiesToo) {
  const Shuffled events(20'000);
  (void)write(events);
  const std::string copy = m_directory / "copy.kaon";
  kaon::convert({m_path}, copy, {.writer = {.clusterEntries = 3000}});
  const auto copied = Reader(copy)["events"];
  ASSERT_TRUE(copied.source().sortedKeys());
  EXPECT_EQ(copied.find({{"event", events.number(12'345)}}), Entry(12'345));
  // Two files, written one after the other to a third one.
  const std::string both = m_directory / "both.kaon";
  BatchWriter out = kaon::batchWriter(both, {});
  for (const std::string& path : {m_path, copy})
    for (const kaon::Batch& batch : Reader(path)["events"].allBatches())
      out.write("events", batch);
  out.finish();
  ASSERT_TRUE(Reader(both)["events"].source().sortedKeys());
  EXPECT_EQ(Reader(both)["events"].findAll({{"event", events.number(12'345)}}),
            (std::vector<std::uint64_t>{12'345, 32'345}));
}

TEST_F(SortedKeys, haveANameThatNoCategoryCanHave) {
  BatchWriter out = kaon::batchWriter(m_path, {.keys = {"run"}});
  const std::vector<std::int32_t> runs{1};
  Columns columns(1);
  columns.add("run", runs);
  expectError(ErrorKind::usage, "a category cannot be called 'events#keys'",
              [&] { out.write("events#keys", columns.batch()); });
}

// The keys of a damaged file may lead to any entry, but never outside the file.

/// Returns events of the runs 20 and 10, in that order.
Forgery twoEvents() {
  kaon::test::Writing writing({.codec = kaon::uncompressed(), .keys = {"run"}});
  writing.writer.write(
      "events",
      kaon::test::entriesOf<std::int32_t>(
          kaon::test::values("run", kaon::TableKind::value, kaon::Scalar::Int32), {20, 10})
          .batch(0));
  writing.writer.finish();
  return Forgery(writing.bytes->bytes());
}

/// Makes the rows of its sorted keys refer to these entries.
Forgery leadingTo(std::uint64_t first, std::uint64_t second) {
  Forgery file = twoEvents();
  file.editCluster(1, [&](Forgery::Cluster& keys) {
    auto& page = keys.page(1); // of #entry
    ASSERT_EQ(page.size, 16U);
    ASSERT_TRUE(page.isShort);
    std::memcpy(page.bytes.data(), &first, sizeof first);
    std::memcpy(page.bytes.data() + sizeof first, &second, sizeof second);
  });
  return file;
}

std::vector<std::string> findingsIn(const Forgery& file) {
  std::vector<std::string> all;
  const auto source = kaon::io::memorySource("memory.kaon", file.bytes());
  for (const kaon::Finding& finding : kaon::kaonfile::verify(*source).findings)
    all.push_back(finding.what);
  return all;
}

TEST(DamagedSortedKeys, areFoundByVerifying) {
  EXPECT_TRUE(findingsIn(twoEvents()).empty());
  EXPECT_TRUE(findingsIn(leadingTo(1, 0)).empty());
  const auto wrong = findingsIn(leadingTo(0, 1));
  ASSERT_EQ(wrong.size(), 1U);
  EXPECT_EQ(wrong[0], "sorted keys: they are not the keys of the entries");
}

TEST(DamagedSortedKeys, leadNowhereElse) {
  const Forgery damaged = leadingTo(1, 77);
  const auto file = kaon::test::openBytes(damaged.bytes());
  const std::vector<kaon::detail::Key> there{{"run", 10}}, elsewhere{{"run", 20}};
  EXPECT_EQ(kaon::detail::find(file->category("events"), there), Entry(1));
  expectError(ErrorKind::corrupt, "its sorted keys lead to entry 77, but it has 2",
              [&] { (void)kaon::detail::find(file->category("events"), elsewhere); });
}

} // namespace
