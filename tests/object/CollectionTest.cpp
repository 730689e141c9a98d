#include "support/Errors.h"
#include "testmodel/testmodel.h"

#include <kaon/object/Collection.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using kaon::ErrorKind;
using kaon::test::expectError;
using test::HitCollection;

static_assert(std::random_access_iterator<HitCollection::iterator>);
static_assert(std::random_access_iterator<HitCollection::const_iterator>);
static_assert(std::ranges::random_access_range<HitCollection>);
static_assert(std::ranges::random_access_range<const HitCollection>);
static_assert(std::ranges::sized_range<HitCollection>);
static_assert(std::random_access_iterator<kaon::RelationRange<test::Hit>::iterator>);
static_assert(std::random_access_iterator<kaon::VectorView<float>::iterator>);
static_assert(std::ranges::view<kaon::RelationRange<test::Hit>> &&
              std::ranges::borrowed_range<kaon::RelationRange<test::Hit>>);
static_assert(std::ranges::view<kaon::VectorView<float>> &&
              std::ranges::borrowed_range<kaon::VectorView<float>>);
static_assert(std::is_same_v<std::iter_value_t<HitCollection::iterator>, test::Hit>);
static_assert(std::is_same_v<std::iter_reference_t<HitCollection::iterator>, test::MutableHit>);
static_assert(std::is_same_v<std::iter_value_t<HitCollection::const_iterator>, test::Hit>);
static_assert(!std::is_copy_constructible_v<HitCollection>);
static_assert(!std::is_copy_assignable_v<HitCollection>);
static_assert(std::is_nothrow_move_constructible_v<HitCollection>);
static_assert(std::is_nothrow_move_assignable_v<HitCollection>);

/// Returns hits with the cells 0, 1, ...
HitCollection numberedHits(std::uint64_t count) {
  HitCollection hits;
  for (std::uint64_t i = 0; i < count; ++i)
    hits.create().setCell(i);
  return hits;
}

TEST(Collection, isEmptyAtFirst) {
  const HitCollection hits;
  EXPECT_TRUE(hits.empty());
  EXPECT_EQ(hits.size(), 0U);
  EXPECT_EQ(hits.begin(), hits.end());
  EXPECT_EQ(hits.getValueTypeName(), "test::Hit");
  EXPECT_EQ(hits.getID(), kaon::detail::CollectionData::untracked);
}

TEST(Collection, keepsObjectsInTheOrderOfTheirMaking) {
  const HitCollection hits = numberedHits(1000);
  ASSERT_EQ(hits.size(), 1000U);
  for (std::size_t i = 0; i < 1000; ++i)
    ASSERT_EQ(hits[i].getCell(), i);
}

TEST(Collection, loopsOverObjectsThatMoveInMemory) {
  HitCollection hits = numberedHits(3);
  std::uint64_t expected = 0;
  for (test::MutableHit hit : hits) { // visits only the three hits of the start
    for (int i = 0; i < 1000; ++i)
      hits.create().setCell(hit.getCell());
    ASSERT_EQ(hit.getCell(), expected++);
    hit.setCell(hit.getCell() + 10);
    ASSERT_EQ(hit.getCell(), expected + 9);
  }
  EXPECT_EQ(expected, 3U);
  const test::Hit first = *hits.begin();
  hits.sort(std::ranges::greater{}, &test::Hit::getCell);
  EXPECT_EQ(first.getCell(), 12U) << "a handle means a position";
}

TEST(Collection, loopsOverObjectsAsLongAsTheyAreThere) {
  HitCollection hits;
  std::size_t count = 0;
  for (int event = 0; event < 3; ++event) { // reuses the memory of the event before
    hits = numberedHits(static_cast<std::uint64_t>(event) * 100);
    for (std::uint64_t cell = 0; const test::MutableHit hit : hits) {
      ASSERT_EQ(hit.getCell(), cell++);
      ++count;
    }
  }
  EXPECT_EQ(count, 300U);
}

TEST(Collection, checksPositionsWhereAsked) {
  HitCollection hits = numberedHits(3);
  EXPECT_EQ(hits.at(2).getCell(), 2U);
  EXPECT_EQ(std::as_const(hits).at(2).getCell(), 2U);
  EXPECT_THROW((void)hits.at(3), std::out_of_range);
  EXPECT_THROW((void)std::as_const(hits).at(3), std::out_of_range);
  EXPECT_THROW((void)HitCollection().at(0), std::out_of_range);
}

TEST(Collection, givesMutableHandlesOnlyWhereItIsMutable) {
  HitCollection hits = numberedHits(1);
  static_assert(std::is_same_v<decltype(hits[0]), test::MutableHit>);
  static_assert(std::is_same_v<decltype(std::as_const(hits)[0]), test::Hit>);
  for (auto hit : hits)
    hit.setCell(9);
  EXPECT_EQ(std::as_const(hits)[0].getCell(), 9U);
}

TEST(Collection, handlesStayValidWhileItGrows) {
  HitCollection hits;
  auto first = hits.create();
  first.setCell(1);
  for (int i = 0; i < 10'000; ++i)
    hits.create();
  EXPECT_EQ(first.getCell(), 1U);
  first.setCell(2);
  EXPECT_EQ(hits[0].getCell(), 2U);
}

TEST(Collection, handlesStayValidWhileItMoves) {
  HitCollection hits = numberedHits(2);
  const test::Hit second = hits[1];
  const HitCollection moved = std::move(hits);
  EXPECT_EQ(second.getCell(), 1U);
  EXPECT_EQ(second, moved[1]);
}

TEST(Collection, saysSoWhereItWasMovedFrom) {
  HitCollection hits = numberedHits(2);
  const HitCollection moved = std::move(hits);
  const auto message = "this collection was moved, into a frame or elsewhere";
  expectError(ErrorKind::usage, message, [&] { (void)hits.size(); });
  expectError(ErrorKind::usage, message, [&] { hits.create(); });
  expectError(ErrorKind::usage, message, [&] { hits.push_back(test::Hit()); });
  expectError(ErrorKind::usage, message, [&] { (void)hits[0]; });
  expectError(ErrorKind::usage, message, [&] { (void)hits.begin(); });
  expectError(ErrorKind::usage, message, [&] { (void)hits.getID(); });
  hits = numberedHits(3);
  EXPECT_EQ(hits.size(), 3U);
}

TEST(Collection, canBeReservedAndCleared) {
  HitCollection hits;
  hits.reserve(100);
  EXPECT_TRUE(hits.empty());
  hits.create().setCell(1);
  hits.clear();
  EXPECT_TRUE(hits.empty());
  hits.create();
  EXPECT_EQ(hits[0].getCell(), 0U); // with defaults, not with earlier values
}

TEST(Collection, forgetsListsWhenCleared) {
  test::TrackCollection tracks;
  tracks.create().addToResiduals(1);
  tracks.clear();
  auto track = tracks.create();
  EXPECT_TRUE(track.getResiduals().empty());
  track.addToResiduals(2);
  EXPECT_EQ(track.getResiduals(0), 2.F);
}

TEST(Collection, iteratesAnyWay) {
  const HitCollection hits = numberedHits(5);
  auto i = hits.begin();
  EXPECT_EQ(i->getCell(), 0U);
  EXPECT_EQ((*++i).getCell(), 1U);
  EXPECT_EQ((*i++).getCell(), 1U);
  EXPECT_EQ((i + 2)->getCell(), 4U);
  EXPECT_EQ((2 + i)->getCell(), 4U);
  EXPECT_EQ((i - 2)->getCell(), 0U);
  EXPECT_EQ(i[1].getCell(), 3U);
  EXPECT_EQ(i-- - hits.begin(), 2);
  EXPECT_EQ((--i)->getCell(), 0U);
  i += 5;
  EXPECT_EQ(i, hits.end());
  i -= 5;
  EXPECT_EQ(i, hits.cbegin());
  EXPECT_LT(hits.begin(), hits.end());
  EXPECT_GE(hits.end(), hits.begin());
}

TEST(Collection, worksWithAlgorithmsAndViews) {
  const HitCollection hits = numberedHits(10);
  EXPECT_EQ(std::ranges::count_if(hits, [](auto hit) { return hit.getCell() % 2 == 0; }), 5);
  EXPECT_EQ((*std::ranges::max_element(hits, {}, &test::Hit::getCell)).getCell(), 9U);
  EXPECT_EQ(std::ranges::find(hits, 4U, &test::Hit::getCell) - hits.begin(), 4);
  std::vector<std::uint64_t> cells;
  for (auto cell : hits | std::views::drop(7) | std::views::reverse |
                       std::views::transform([](auto hit) { return hit.getCell(); }))
    cells.push_back(cell);
  EXPECT_EQ(cells, (std::vector<std::uint64_t>{9, 8, 7}));
  std::vector<test::Hit> sorted(hits.begin(), hits.end());
  std::ranges::sort(sorted, std::ranges::greater{}, &test::Hit::getCell);
  EXPECT_EQ(sorted.front().getCell(), 9U);
}

} // namespace
