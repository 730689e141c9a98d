#include <kaon/detail/dataset/ChunkedValues.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace kaon {
namespace {

/// Appends numbers that continue the existing ones.
void count(detail::ChunkedValues<std::uint32_t>& pieces, std::size_t size) {
  const auto next = static_cast<std::uint32_t>(pieces.size());
  std::uint32_t* const begin = pieces.grow(size);
  std::iota(begin, begin + size, next);
}

std::vector<std::uint32_t> valuesOf(detail::ChunkedValues<std::uint32_t> pieces) {
  std::vector<std::uint32_t> all;
  pieces.consume([&](std::span<const std::uint32_t> piece) {
    all.insert(all.end(), piece.begin(), piece.end());
  });
  return all;
}

std::vector<std::uint32_t> numbers(std::size_t size) {
  std::vector<std::uint32_t> all(size);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

TEST(Pieces, giveTheirValuesInOrderHoweverTheyCame) {
  detail::ChunkedValues<std::uint32_t> pieces;
  for (const std::size_t size : {1, 0, 1000, 24, 100'000, 3, 5'000'000, 7})
    count(pieces, size);
  EXPECT_EQ(pieces.size(), 5'101'035U);
  EXPECT_EQ(valuesOf(std::move(pieces)), numbers(5'101'035));
}

TEST(Pieces, lieWhereTheyWereWritten) {
  detail::ChunkedValues<std::uint32_t> pieces;
  std::uint32_t* const first = pieces.grow(1);
  *first = 42;
  for (std::size_t i = 0; i < 10'000; ++i)
    *pieces.grow(1) = 0;
  *first = 43;
  EXPECT_EQ(valuesOf(std::move(pieces)).front(), 43U);
}

TEST(Pieces, followThoseThatTheyAreAddedTo) {
  detail::ChunkedValues<std::uint32_t> all, next, last;
  count(all, 3000);
  std::ranges::copy(std::vector<std::uint32_t>{3000, 3001}, next.grow(2));
  std::ranges::copy(std::vector<std::uint32_t>{3002}, last.grow(1));
  all.append(std::move(next));
  all.append(detail::ChunkedValues<std::uint32_t>());
  all.append(std::move(last));
  EXPECT_EQ(all.size(), 3003U);
  EXPECT_EQ(valuesOf(std::move(all)), numbers(3003));
}

} // namespace
} // namespace kaon
