#include <kaon/detail/io/FetchedRanges.h>

#include <gtest/gtest.h>

#include <string_view>

namespace kaon::io {
namespace {

using namespace std::string_view_literals;

std::string_view textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(ByteRanges, areJoinedWhereLittleIsBetween) {
  std::vector<ByteRange> ranges{{90, 10}, {0, 10}, {12, 8}, {14, 2}, {40, 10}};
  joinNeighbours(ranges, 4);
  EXPECT_EQ(ranges, (std::vector<ByteRange>{{0, 20}, {40, 10}, {90, 10}}));
  EXPECT_EQ(bytesIn(ranges), 40U);
}

TEST(FetchedRanges, returnBytesInsideARange) {
  const auto source = memorySource("letters", std::as_bytes(std::span("abcdefghij"sv)));
  FetchedRanges fetched;
  EXPECT_FALSE(fetched.find(0, 1));
  const std::vector<ByteRange> ranges{{1, 3}, {6, 2}};
  EXPECT_EQ(textOf(fetched.fetch(*source, ranges)[1]), "gh");
  EXPECT_EQ(textOf(*fetched.find(2, 2)), "cd");
  EXPECT_EQ(textOf(*fetched.find(6, 2)), "gh");
  EXPECT_FALSE(fetched.find(0, 2));
  EXPECT_FALSE(fetched.find(3, 2));
  EXPECT_FALSE(fetched.find(7, ~std::uint64_t{0}));
  fetched.clear();
  EXPECT_FALSE(fetched.find(2, 2));
}

} // namespace
} // namespace kaon::io
