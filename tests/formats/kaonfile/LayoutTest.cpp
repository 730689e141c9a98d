#include <kaon/formats/kaonfile/FileReader.h>
#include <kaon/formats/kaonfile/FileWriter.h>

#include <kaon/writing/BatchBuilder.h>

#include "support/Everything.h"
#include "support/Forgery.h"
#include "support/RandomEvents.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// The positions of a cluster's pages. They do not change the contents.

namespace kaon::kaonfile {
namespace {

using test::Contents;
using test::contentsOf;
using test::Writing;

constexpr std::size_t entries = 60;

/// Writes the same events with tables changed by `arrange`.
template <class Arrange>
std::shared_ptr<Buffer> fileOf(Arrange arrange, std::size_t pageBytes = 256) {
  Writing writing({zstd(), pageBytes});
  detail::BatchBuilder builder;
  for (TableDefinition table : test::assortedTables(Layout::split)) {
    arrange(table);
    builder.add(table);
  }
  test::RandomEvents events(7, 12);
  for (std::size_t i = 0; i < entries; ++i)
    events.addEntry(builder);
  writing.writer.write("events", builder.batch(0));
  writing.writer.finish();
  return writing.bytes;
}

Contents eventsIn(const Buffer& file) {
  return contentsOf(test::openBytes(file.bytes())->category("events"));
}

bool isCollection(const TableDefinition& table) { return table.kind == TableKind::collection; }

TEST(Layout, doesNotChangeTheContents) {
  const Contents split = eventsIn(*fileOf([](TableDefinition&) {}));
  ASSERT_EQ(split.entries, entries);
  for (const Layout layout : {Layout::row, Layout::member})
    EXPECT_EQ(eventsIn(*fileOf([&](auto& table) { table.layout = layout; })), split);
}

TEST(Layout, ofGroupsDoesNotChangeTheContents) {
  const Contents split = eventsIn(*fileOf([](TableDefinition&) {}));
  for (const Layout layout : {Layout::split, Layout::row, Layout::member}) {
    EXPECT_EQ(eventsIn(*fileOf([&](auto& table) {
                table.layout = layout;
                table.group = isCollection(table) ? "all" : "";
              })),
              split);
    // Any tables under entries may form a group. The first table determines its layout.
    EXPECT_EQ(eventsIn(*fileOf([&](auto& table) {
                table.layout = isCollection(table) ? layout : Layout::split;
                table.group =
                    table.parent == Table::none && table.use == TableUse::none ? "all" : "";
              })),
              split);
  }
}

/// The bytes [begin, end) of a page; empty if the page is short and stored in the metadata.
using Piece = std::pair<std::uint64_t, std::uint64_t>;

/// Returns the pages of a group, by column.
std::vector<std::vector<Piece>> piecesOf(const Buffer& file, const std::string& table) {
  std::vector<std::vector<Piece>> pieces;
  const auto opened = test::openBytes(file.bytes());
  const Schema& schema = opened->category("events").schema();
  const std::uint32_t group = schema.groupOf(schema.tableNamed(table));
  test::Forgery(file.bytes()).editCluster(0, [&](test::Forgery::Cluster& cluster) {
    for (const auto& [column, described] : cluster.columns) {
      if (schema.groupOf(schema.columns()[column].table) != group)
        continue;
      auto& made = pieces.emplace_back();
      for (const PageEntry& page : described.pages)
        made.push_back(page.isShort ? Piece() : Piece(page.position, page.position + page.size));
    }
  });
  return pieces;
}

/// Expects that only alignment bytes separate the pages.
void expectNextToEachOther(std::vector<Piece> pieces) {
  std::erase(pieces, Piece());
  std::ranges::sort(pieces);
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    EXPECT_GE(pieces[i].first, pieces[i - 1].second);
    EXPECT_LT(pieces[i].first, pieces[i - 1].second + alignment);
  }
}

TEST(Layout, ofSplitTablesKeepsThePagesOfAColumnTogether) {
  const auto columns = piecesOf(*fileOf([](TableDefinition&) {}), "Hits");
  ASSERT_GT(columns.size(), 10U);
  ASSERT_GT(columns[0].size(), 2U);
  for (const auto& pieces : columns)
    expectNextToEachOther(pieces);
}

class Together : public testing::TestWithParam<Layout> {};
INSTANTIATE_TEST_SUITE_P(Layout, Together, testing::Values(Layout::row, Layout::member),
                         [](const auto& test) { return std::string(layoutName(test.param)); });

TEST_P(Together, liesAllOfACollectionRangeByRange) {
  const auto file = fileOf([&](auto& table) { table.layout = GetParam(); });
  const auto columns = piecesOf(*file, "Hits");
  const std::size_t pages = columns[0].size();
  ASSERT_GT(pages, 2U);
  std::uint64_t end = 0;
  for (std::size_t page = 0; page < pages; ++page) {
    std::vector<Piece> pieces;
    for (const auto& column : columns)
      if (column[page] != Piece())
        pieces.push_back(column[page]);
    expectNextToEachOther(pieces);
    EXPECT_GE(std::ranges::min(pieces).first, end);
    end = std::ranges::max(pieces).second;
  }
}

TEST_P(Together, liesAllOfAGroupRangeByRange) {
  const auto file = fileOf([&](auto& table) {
    table.layout = GetParam();
    table.group = isCollection(table) ? "all" : "";
  });
  const auto columns = piecesOf(*file, "Muons");
  EXPECT_EQ(columns, piecesOf(*file, "Hits")); // one group
  ASSERT_GT(columns[0].size(), 2U);
  for (std::size_t page = 0; page < columns[0].size(); ++page) {
    std::vector<Piece> pieces;
    for (const auto& column : columns)
      pieces.push_back(column[page]);
    expectNextToEachOther(pieces);
  }
}

// The row layout is for reading whole events: all columns of its pages together have the size of
// one column's page. Other layouts have the pages of split.
TEST(Layout, rowCutsPagesByWholeEvents) {
  const auto pagesIn = [](Layout layout) {
    return piecesOf(*fileOf([&](auto& table) { table.layout = layout; }, 2048), "Hits")[0].size();
  };
  EXPECT_GT(pagesIn(Layout::row), 2 * pagesIn(Layout::split));
  EXPECT_EQ(pagesIn(Layout::member), pagesIn(Layout::split));
}

TEST_P(Together, readsAnEventFromOnePlace) {
  Writing writing({uncompressed(), 1024});
  detail::BatchBuilder builder;
  for (const char* name : {"Hits", "Tracks", "Jets"}) {
    TableDefinition table =
        test::collection(name, {{"x", Scalar::Float64}, {"n", Scalar::Int16}}, GetParam());
    table.group = "event";
    builder.add(table);
  }
  builder.add(test::collection("Other", {{"x", Scalar::Float64}}, GetParam()));
  test::Random random(1);
  for (std::size_t entry = 0; entry < 200; ++entry) {
    for (std::uint32_t table = 0; table < 4; ++table) {
      builder.setPresent(table);
      const std::size_t rows = 1 + random.below(5);
      random.fill({builder.append(table, rows), rows * builder.schema().table(table).rowSize});
    }
    builder.endEntry();
  }
  writing.writer.write("events", builder.batch(0));
  writing.writer.finish();
  const test::Recorded recorded = test::openRecorded(writing.bytes->bytes());
  const Source& source = recorded.file->category("events");
  detail::Window window(source);
  (void)window.pages(0, 0); // reads the cluster's metadata
  for (const std::uint64_t entry : {150, 20, 70}) {
    recorded.logs->views.clear();
    for (std::uint32_t table = 0; table < 3; ++table)
      for (std::uint32_t member = 0; member < 2; ++member)
        (void)window.member(table, member, entry);
    std::vector<Piece> pieces;
    for (const auto& request : recorded.logs->views.requests())
      for (const io::ByteRange& range : request)
        pieces.emplace_back(range.offset, range.offset + range.count);
    ASSERT_EQ(pieces.size(), 1U); // one request for all tables of the group
    EXPECT_LT(std::ranges::max(pieces).second - std::ranges::min(pieces).first, 6 * 1024U);
  }
}

} // namespace
} // namespace kaon::kaonfile
