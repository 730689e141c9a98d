#include <kaon/formats/kaonfile/ContentsReader.h>
#include <kaon/formats/kaonfile/FileReader.h>
#include <kaon/formats/kaonfile/FileWriter.h>

#include <kaon/base/Bytes.h>
#include <kaon/io/ByteSink.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Contents.h"
#include "support/Records.h"
#include "support/Warnings.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Values that are read without the rest of the events. A separate record repeats the tags of small
// clusters.

namespace kaon::kaonfile {
namespace {

using test::recordsOf;
using test::valuesOf;

constexpr std::size_t enough = 100; // entries whose tags fill a page
const SinkOptions options{uncompressed(), enough * sizeof(std::uint64_t)};

/// Writes clusters with two tags, the entry number and its half, and hits that the test does not
/// read.
class Tagged {
public:
  Tagged() {
    m_writer.emplace(sink(), options);
    for (const auto& [name, type] : {std::pair{"number", Scalar::Int32}, {"half", Scalar::Float64}})
      m_builder.add(tag(name, type));
    m_builder.add(test::collection("Hits", {{"x", Scalar::Int64}}));
  }
  /// Continues after the existing contents.
  void append() {
    m_writer->finish();
    auto source = test::sourceOfCopy(m_bytes->bytes());
    auto contents = readContents(*source);
    m_writer.emplace(sink(), std::move(source), std::move(contents), options);
  }
  void addTag(const std::string& name) {
    TableDefinition late = tag(name, Scalar::Int16);
    late.members[0].missing = 5;
    m_late = m_builder.add(late);
  }
  void write(std::size_t entries) {
    const std::int32_t first = m_next;
    for (std::size_t i = 0; i < entries; ++i, ++m_next) {
      test::addRow(m_builder, 0, m_next);
      test::addRow(m_builder, 1, m_next / 2.);
      m_builder.setPresent(2);
      test::addRow(m_builder, 2, std::int64_t{m_next} * 1000);
      if (m_late > 0)
        test::addRow(m_builder, m_late, static_cast<std::int16_t>(m_next));
      m_builder.endEntry();
    }
    m_writer->write("events", m_builder.batch(static_cast<std::uint64_t>(first)));
    m_builder.clear();
  }
  [[nodiscard]] std::shared_ptr<Buffer> finished() {
    m_writer->finish();
    return m_bytes;
  }

private:
  static TableDefinition tag(const std::string& name, Scalar type) {
    TableDefinition made = test::values(name, TableKind::value, type);
    made.layout = Layout::member;
    made.use = TableUse::tag;
    return made;
  }
  std::unique_ptr<io::ByteSink> sink() { return io::memorySink("memory.kaon", *m_bytes); }

  std::shared_ptr<Buffer> m_bytes = std::make_shared<Buffer>();
  std::optional<FileWriter> m_writer;
  detail::BatchBuilder m_builder;
  std::uint32_t m_late = 0;
  std::int32_t m_next = 0;
};

std::shared_ptr<Buffer> tagged(const std::vector<std::size_t>& clusters) {
  Tagged file;
  for (const std::size_t entries : clusters)
    file.write(entries);
  return file.finished();
}

/// The first entry and the number of entries of each record of tags.
using Ranges = std::vector<std::pair<std::uint64_t, std::uint32_t>>;
Ranges tagsIn(const Buffer& file) {
  Ranges ranges;
  for (const test::Record& record : recordsOf(file.bytes(), RecordKind::tags))
    ranges.emplace_back(record.header.firstEntry, record.header.entries);
  return ranges;
}

void expectTags(const Source& source) {
  std::vector<std::int32_t> numbers(source.entries());
  std::iota(numbers.begin(), numbers.end(), 0);
  EXPECT_EQ(valuesOf<std::int32_t>(source, "number"), numbers);
  const auto halves = valuesOf<double>(source, "half");
  EXPECT_TRUE(std::ranges::equal(halves, numbers, {}, {}, [](int n) { return n / 2.; }));
  const auto hits = valuesOf<std::int64_t>(source, "Hits.x");
  EXPECT_TRUE(
      std::ranges::equal(hits, numbers, {}, {}, [](int n) { return std::int64_t{n} * 1000; }));
  detail::Window window(source); // any entries in any order
  for (const std::uint64_t entry : {source.entries() - 1, std::uint64_t{0}, source.entries() / 2}) {
    const auto row = window.rows(0, entry).first;
    EXPECT_EQ(detail::loadAs<std::int32_t>(window.member(0, 0, entry).at(row)),
              static_cast<int>(entry));
  }
}

TEST(Tags, ofSmallClustersLieTogether) {
  const auto file = tagged({3, 4, 5});
  EXPECT_EQ(tagsIn(*file), (Ranges{{0, 12}}));
  expectTags(test::openBytes(file->bytes())->category("events"));
}

TEST(Tags, ofManySmallClustersFillPages) {
  const auto file = tagged(std::vector<std::size_t>(50, 9));
  EXPECT_EQ(tagsIn(*file), (Ranges{{0, 108}, {108, 108}, {216, 108}, {324, 108}, {432, 18}}));
  const auto opened = test::openBytes(file->bytes());
  const Source& source = opened->category("events");
  expectTags(source);
  const detail::PageRange page = source.cursor()->pages(0, 50);
  EXPECT_GT(page.lastEntry - page.firstEntry, 9U);
  EXPECT_EQ(source.clusters().size(), 50U);
}

TEST(Tags, ofOneClusterAreNotCopied) {
  for (const std::size_t entries : {std::size_t{1}, enough - 1, enough, 5 * enough}) {
    const auto file = tagged({entries});
    EXPECT_EQ(tagsIn(*file), Ranges{});
    expectTags(test::openBytes(file->bytes())->category("events"));
  }
}

TEST(Tags, ofLargeClustersAreNotCopied) {
  const auto file = tagged({enough, 2 * enough, enough + 1});
  EXPECT_EQ(tagsIn(*file), Ranges{});
  expectTags(test::openBytes(file->bytes())->category("events"));
}

TEST(Tags, mayLieHereAndThere) {
  const auto file = tagged({10, 20, enough, 5, 2 * enough, 30, 40, 50, 7});
  EXPECT_EQ(tagsIn(*file), (Ranges{{0, 30}, {335, 120}}));
  expectTags(test::openBytes(file->bytes())->category("events"));
}

TEST(Tags, mayComeLater) {
  Tagged writing;
  writing.write(10);
  writing.write(10);
  writing.addTag("late");
  writing.write(10);
  writing.write(10);
  const auto file = writing.finished();
  EXPECT_EQ(tagsIn(*file), (Ranges{{0, 40}}));
  const auto opened = test::openBytes(file->bytes());
  const Source& source = opened->category("events");
  expectTags(source);
  std::vector<std::int16_t> expected(20, 5); // the value for missing tags
  for (std::int16_t number = 20; number < 40; ++number)
    expected.push_back(number);
  EXPECT_EQ(valuesOf<std::int16_t>(source, "late"), expected);
}

TEST(Tags, comeTogetherAgainAfterAppending) {
  Tagged writing;
  for (int round = 0; round < 3; ++round) {
    if (round > 0)
      writing.append();
    writing.write(10);
    writing.write(20);
  }
  const auto file = writing.finished();
  EXPECT_EQ(tagsIn(*file), (Ranges{{0, 30}, {30, 30}, {60, 30}}));
  expectTags(test::openBytes(file->bytes())->category("events"));
}

TEST(Tags, areReadFromNowhereElse) {
  const auto bytes = tagged({10, 20, 2 * enough, 30, 40});
  const test::Recorded recorded = test::openRecorded(bytes->bytes());
  recorded.logs->views.clear();
  EXPECT_EQ(valuesOf<std::int32_t>(recorded.file->category("events"), "number").size(), 300U);
  std::vector<test::Record> allowed = recordsOf(bytes->bytes(), RecordKind::tags);
  ASSERT_EQ(allowed.size(), 2U);
  allowed.push_back(recordsOf(bytes->bytes(), RecordKind::cluster)[2]); // the large cluster
  const auto views = recorded.logs->views.requests();
  EXPECT_GE(views.size(), 3U);
  for (const auto& request : views)
    for (const io::ByteRange& range : request)
      EXPECT_TRUE(std::ranges::any_of(allowed,
                                      [&](const test::Record& record) {
                                        return range.offset >= record.begin &&
                                               range.offset + range.count <= record.end;
                                      }))
          << "byte " << range.offset;
}

// The tags of a cluster are its first pages, so one request reads them with the metadata.
TEST(Tags, lieBeforeAllElseInACluster) {
  const auto bytes = tagged({2 * enough});
  const test::Recorded recorded = test::openRecorded(bytes->bytes());
  const Source& source = recorded.file->category("events");
  (void)source.cursor()->pages(0, 0);
  recorded.logs->views.clear();
  (void)valuesOf<std::int32_t>(source, "number");
  (void)valuesOf<double>(source, "half");
  const std::uint64_t begin = recordsOf(bytes->bytes(), RecordKind::cluster)[0].pages();
  std::uint64_t end = 0;
  for (const auto& request : recorded.logs->views.requests())
    for (const io::ByteRange& range : request)
      end = std::max(end, range.offset + range.count);
  EXPECT_LE(end - begin, 2 * enough * (4 + 8) + 8 * alignment);
}

TEST(Tags, areReadFromTheClustersWhereTheirRecordIsLost) {
  const auto bytes = tagged({10, 20, 30});
  const test::Record tags = recordsOf(bytes->bytes(), RecordKind::tags).at(0);
  for (const std::uint64_t size : {tags.begin, tags.begin + 64, tags.end - 1, tags.end}) {
    test::Warnings warnings;
    const auto file = test::openBytes(bytes->bytes().first(size));
    EXPECT_EQ(warnings.take().size(), 1U);
    EXPECT_EQ(file->category("events").entries(), 60U);
    expectTags(file->category("events"));
  }
}

} // namespace
} // namespace kaon::kaonfile
