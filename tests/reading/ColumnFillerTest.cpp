#include <kaon/reading/ColumnFiller.h>
#include <kaon/writing/BatchBuilder.h>

#include <kaon/formats/memory/MemoryFile.h>
#include <kaon/reading/Batches.h>
#include <kaon/writing/BatchWriter.h>

#include "support/Allocations.h"
#include "support/Errors.h"
#include "support/Random.h"
#include "support/RandomEvents.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::expectError;
using test::Random;

/// Writes entries with their number and entry % 4 hits. Hit i of an entry has i samples. The values
/// encode their positions. Every fifth entry lacks its hits.
std::shared_ptr<Buffer> hits(std::int32_t entries, Compression codec = zstd(1),
                             Layout layout = Layout::split, std::size_t clusterEntries = 1'000) {
  test::Writing writing({codec, 2048});
  detail::BatchBuilder builder;
  builder.add(test::values("number", TableKind::value, Scalar::Int32));
  builder.add(test::collection("Hits", {{"entry", Scalar::Int32}, {"x", Scalar::Float64}}, layout));
  builder.add(test::values("Hits.samples", TableKind::vectorMember, Scalar::Int32, 1));
  struct Hit {
    std::int32_t entry;
    double x;
  };
  for (std::int32_t entry = 0; entry < entries; ++entry) {
    test::addRow(builder, 0, entry);
    if (entry % 5 != 0)
      builder.setPresent(1);
    for (std::int32_t i = 0; entry % 5 != 0 && i < entry % 4; ++i) {
      test::addRow(builder, 1, Hit{entry, entry + i / 8.});
      for (std::int32_t k = 0; k < i; ++k)
        test::addRow(builder, 2, 100 * entry + k);
      builder.endRow(2);
    }
    builder.endEntry();
    if (builder.entries() == clusterEntries || entry + 1 == entries) {
      writing.writer.write("events", builder.batch(0));
      builder.clear();
    }
  }
  writing.writer.finish();
  return writing.bytes;
}

/// The contents of a source, collected from calls with limited memory.
struct Filled {
  std::vector<std::int32_t> number, entry, samples;
  std::vector<double> x;
  std::vector<std::uint32_t> hitCounts, sampleCounts;
  std::vector<bool> present;
  friend bool operator==(const Filled&, const Filled&) = default;
};

struct Memory {
  std::vector<std::int32_t> number, entry, samples;
  std::vector<double> x;
  std::vector<std::uint32_t> hitOffsets, sampleOffsets;
  std::unique_ptr<bool[]> present;
  std::size_t entries;

  Memory(std::size_t mostEntries, std::size_t mostHits, std::size_t mostSamples)
      : number(mostEntries), entry(mostHits), samples(mostSamples), x(mostHits),
        hitOffsets(mostEntries + 1), sampleOffsets(mostHits + 1),
        present(std::make_unique<bool[]>(mostEntries)), entries(mostEntries) {}

  void giveTo(ColumnFiller& filler) {
    filler.setValues("number", std::span(number));
    filler.setOffsets("Hits", hitOffsets);
    filler.setPresence("Hits", {present.get(), entries});
    filler.setValues("Hits.entry", std::span(entry));
    filler.setValues("Hits.x", std::span(x));
    filler.setOffsets("Hits.samples", sampleOffsets);
    filler.setValues("Hits.samples", std::span(samples));
  }
  void appendTo(Filled& all, const ColumnFiller& filler, std::size_t count) const {
    const auto append = [](auto& out, const auto& in, std::size_t size) {
      out.insert(out.end(), in.begin(), in.begin() + static_cast<std::ptrdiff_t>(size));
    };
    const std::size_t hits = filler.rows("Hits"), lists = filler.rows("Hits.samples");
    EXPECT_EQ(hitOffsets[count], hits);
    EXPECT_EQ(sampleOffsets[hits], lists);
    append(all.number, number, count);
    append(all.entry, entry, hits);
    append(all.x, x, hits);
    append(all.samples, samples, lists);
    all.present.insert(all.present.end(), present.get(), present.get() + count);
    for (std::size_t i = 0; i < count; ++i)
      all.hitCounts.push_back(hitOffsets[i + 1] - hitOffsets[i]);
    for (std::size_t i = 0; i < hits; ++i)
      all.sampleCounts.push_back(sampleOffsets[i + 1] - sampleOffsets[i]);
  }
};

Filled filledFrom(const Source& source, Memory memory) {
  ColumnFiller filler(source);
  memory.giveTo(filler);
  Filled all;
  std::uint64_t entry = 0;
  while (const std::size_t count = filler.fill(entry)) {
    EXPECT_LE(count, memory.entries);
    memory.appendTo(all, filler, count);
    entry += count;
  }
  EXPECT_EQ(entry, source.entries());
  return all;
}

/// Returns the contents of hits().
Filled expectedOf(std::int32_t entries) {
  Filled all;
  for (std::int32_t entry = 0; entry < entries; ++entry) {
    all.number.push_back(entry);
    all.present.push_back(entry % 5 != 0);
    const std::int32_t count = entry % 5 != 0 ? entry % 4 : 0;
    all.hitCounts.push_back(static_cast<std::uint32_t>(count));
    for (std::int32_t i = 0; i < count; ++i) {
      all.entry.push_back(entry);
      all.x.push_back(entry + i / 8.);
      all.sampleCounts.push_back(static_cast<std::uint32_t>(i));
      for (std::int32_t k = 0; k < i; ++k)
        all.samples.push_back(100 * entry + k);
    }
  }
  return all;
}

// The memory ends at any place: within pages of one column or of another.
TEST(ColumnFiller, fillsAsManyEntriesAsHaveRoom) {
  for (const Layout layout : {Layout::split, Layout::member, Layout::row})
    for (const Compression codec : {uncompressed(), zstd(1)}) {
      const auto bytes = hits(3'500, codec, layout);
      const auto file = test::openBytes(bytes->bytes());
      const Filled expected = expectedOf(3'500);
      Random random(1);
      EXPECT_EQ(filledFrom(file->category("events"), Memory(5000, 9000, 9000)), expected);
      for (int i = 0; i < 12; ++i)
        EXPECT_EQ(filledFrom(file->category("events"),
                             Memory(1 + random.below(3000), 3 + random.below(3000),
                                    3 + random.below(2000))),
                  expected);
    }
}

TEST(ColumnFiller, fillsFromMemoryFilesToo) {
  const auto bytes = hits(3'000);
  const auto stored = test::openBytes(bytes->bytes());
  const auto file = memory::MemoryFile::make("memory");
  BatchWriter writer(file->sink(), {});
  for (const Batch& batch : Batches::ofAll(stored->category("events")))
    writer.write("events", batch);
  writer.finish();
  EXPECT_EQ(filledFrom(file->category("events"), Memory(700, 900, 400)), expectedOf(3'000));
}

TEST(ColumnFiller, fillsAnyEntriesInAnyOrder) {
  const auto bytes = hits(3'000);
  const auto file = test::openBytes(bytes->bytes());
  ColumnFiller filler(file->category("events"));
  std::vector<std::int32_t> entries(400), number(100);
  filler.setValues("Hits.entry", std::span(entries));
  filler.setValues("number", std::span(number));
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t first = random.below(3'100);
    const std::size_t most = random.below(150);
    const std::size_t count = filler.fill(first, most);
    ASSERT_EQ(count, std::min<std::size_t>(
                         {first < 3'000 ? static_cast<std::size_t>(3'000 - first) : 0, 100, most}));
    std::vector<std::int32_t> expected;
    for (std::int32_t entry = static_cast<std::int32_t>(first);
         entry < static_cast<std::int32_t>(first + count); ++entry) {
      ASSERT_EQ(number[static_cast<std::size_t>(entry) - first], entry);
      expected.insert(expected.end(), static_cast<std::size_t>(entry % 5 != 0 ? entry % 4 : 0),
                      entry);
    }
    ASSERT_EQ(filler.rows("Hits"), expected.size());
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), entries.begin()));
  }
}

// Callers may change their memory between two calls, even if the next call needs a page again that
// the first call read whole.
TEST(ColumnFiller, doesNotRelyOnTheMemoryThatItFilled) {
  const auto bytes = hits(3'000);
  const auto file = test::openBytes(bytes->bytes());
  ColumnFiller filler(file->category("events"));
  std::vector<std::int32_t> number(3'000);
  filler.setValues("number", std::span(number));
  ASSERT_EQ(filler.fill(0), 3'000U);
  std::ranges::fill(number, -1);
  ASSERT_EQ(filler.fill(2'900), 100U);
  EXPECT_EQ(number[0], 2'900);
  EXPECT_EQ(number[99], 2'999);
}

TEST(ColumnFiller, reportsColumnsWithoutRoom) {
  const auto bytes = hits(100);
  const auto file = test::openBytes(bytes->bytes());
  const Source& source = file->category("events");
  std::vector<std::int32_t> few(2);
  ColumnFiller filler(source);
  expectError(ErrorKind::usage, "no memory was given to fill", [&] { (void)filler.fill(0); });
  filler.setValues("Hits.entry", std::span(few));
  EXPECT_EQ(filler.fill(0), 2U); // the third entry would exceed the room for hits
  expectError(ErrorKind::usage, "entry 3 has 3 rows of 'Hits', and the memory has room for 2",
              [&] { (void)filler.fill(3); });
  EXPECT_EQ(filler.fill(100), 0U);
  EXPECT_EQ(filler.fill(~std::uint64_t{0}), 0U);
  EXPECT_EQ(filler.fill(0, 0), 0U);
  std::vector<std::uint32_t> offset(1);
  filler.setOffsets("Hits", offset);
  expectError(ErrorKind::usage, "too small for one entry", [&] { (void)filler.fill(0); });
  expectError(ErrorKind::usage, "but it has size 0", [&] { filler.setOffsets("Hits", {}); });
  expectError(ErrorKind::usage, "and therefore no offsets",
              [&] { filler.setOffsets("number", offset); });
  expectError(ErrorKind::usage, "cannot be absent", [&] { filler.setPresence("number", {}); });
  expectError(ErrorKind::type, "'Hits.x' holds float64 values, not int32",
              [&] { filler.setValues("Hits.x", std::span(few)); });
  expectError(ErrorKind::name, ": no column is called 'Hits.entri' (did you mean",
              [&] { filler.setValues("Hits.entri", std::span(few)); });
  expectError(ErrorKind::usage, "no memory was given for 'number'",
              [&] { (void)filler.rows("number"); });
}

TEST(ColumnFiller, saysThatItWasMovedAway) {
  const auto bytes = hits(100);
  const auto file = test::openBytes(bytes->bytes());
  std::vector<std::int32_t> number(100);
  ColumnFiller filler(file->category("events"));
  filler.setValues("number", std::span(number));
  ColumnFiller moved = std::move(filler);
  expectError(ErrorKind::usage, "this filler was moved away", [&] { (void)filler.fill(0); });
  EXPECT_EQ(moved.fill(0), 100U);
}

// Only describing the pages of a further cluster would allocate; these entries are in one cluster.
TEST(ColumnFiller, allocatesNothingOnceTheFirstCallsWereMade) {
  for (const Layout layout : {Layout::split, Layout::row}) {
    const auto bytes = hits(12'000, zstd(1), layout, 12'000);
    const auto file = test::openBytes(bytes->bytes());
    Memory memory(150, 400, 400);
    ColumnFiller filler(file->category("events"));
    memory.giveTo(filler);
    std::uint64_t entry = 0;
    while (entry < 8'000)
      entry += filler.fill(entry);
    std::size_t rest = 0;
    const test::Allocations allocations;
    while (const std::size_t count = filler.fill(entry)) {
      entry += count;
      ++rest;
    }
    const std::size_t count = allocations.count();
    EXPECT_EQ(count, 0U);
    EXPECT_GT(rest, 20U);
  }
}

/// A source that counts the values decoded into the caller's memory, and those decoded elsewhere.
class CountedSource final : public Source {
public:
  struct Count {
    std::size_t inRoom = 0, elsewhere = 0;
  };
  CountedSource(const Source& source, Count& count) : m_source(source), m_count(count) {}
  [[nodiscard]] const std::string& name() const noexcept override { return m_source.name(); }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_source.schema(); }
  [[nodiscard]] std::uint64_t entries() const noexcept override { return m_source.entries(); }
  [[nodiscard]] std::vector<EntryRange> clusters() const override { return m_source.clusters(); }
  [[nodiscard]] std::unique_ptr<detail::Cursor> cursor() const override {
    return std::make_unique<Counting>(*this);
  }

private:
  class Counting final : public detail::Cursor {
  public:
    explicit Counting(const CountedSource& source)
        : m_source(source), m_cursor(source.m_source.cursor()) {}
    void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override {
      m_cursor->fetch(columns, entries);
    }
    [[nodiscard]] detail::PageRange pages(TableNumber group, std::uint64_t entry) override {
      return m_cursor->pages(group, entry);
    }
    void read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
              detail::Page& page) override {
      m_cursor->read(column, range, values, page);
      if (m_source.schema().columns()[column].role == ColumnRole::member)
        (page.data == page.room.data() ? m_source.m_count.inRoom : m_source.m_count.elsewhere) +=
            values;
    }

  private:
    const CountedSource& m_source;
    std::unique_ptr<detail::Cursor> m_cursor;
  };
  const Source& m_source;
  Count& m_count;
};

TEST(ColumnFiller, hasWholePagesDecodedRightThere) {
  const auto bytes = hits(3'000);
  const auto file = test::openBytes(bytes->bytes());
  CountedSource::Count count;
  const CountedSource source(file->category("events"), count);
  const Filled expected = expectedOf(3'000);
  EXPECT_EQ(filledFrom(source, Memory(3'000, expected.x.size(), expected.samples.size())),
            expected);
  EXPECT_EQ(count.elsewhere, 0U);
  EXPECT_EQ(count.inRoom, 3'000 + 2 * expected.x.size() + expected.samples.size());
  // Pages of the collections end at different entries. Only the last page of each is cut.
  count = {};
  EXPECT_EQ(filledFrom(source, Memory(2'500, expected.x.size(), expected.samples.size())),
            expected);
  EXPECT_LT(count.elsewhere, 2 * 2'048U);
}

} // namespace
} // namespace kaon
