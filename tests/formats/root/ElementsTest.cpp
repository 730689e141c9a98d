#include <kaon/formats/root/ntuple/Elements.h>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

namespace kaon::root {
namespace {

/// Decodes some elements of a page.
template <class T>
std::vector<T> decoded(const StoredColumn& column, const std::vector<std::uint8_t>& page,
                       std::size_t elements, std::size_t first, std::size_t count, bool fits = true,
                       Scalar type = kaon::scalarOf<T>()) {
  std::vector<T> values(count);
  EXPECT_EQ(decodeElements(column, {std::as_bytes(std::span(page)), elements}, first, type,
                           std::as_writable_bytes(std::span(values))),
            fits);
  return values;
}

TEST(RootElements, areDecodedFromWhereverTheyBegin) {
  // 1, -2 and 300 as zigzag numbers in byte planes.
  const std::vector<std::uint8_t> split{2, 3, 0x58, 0, 0, 2};
  const StoredColumn column{NTupleColumnType::SplitInt16, 16};
  EXPECT_EQ(decoded<std::int16_t>(column, split, 3, 0, 3), (std::vector<std::int16_t>{1, -2, 300}));
  EXPECT_EQ(decoded<std::int16_t>(column, split, 3, 2, 1), std::vector<std::int16_t>{300});
}

TEST(RootElements, thatAreBitsBecomeBytes) {
  std::vector<std::uint8_t> page;
  for (unsigned i = 0; i < 8; ++i)
    page.push_back(static_cast<std::uint8_t>(0x9D * (i + 1)));
  const StoredColumn column{NTupleColumnType::Bit, 1};
  for (std::size_t first = 0; first < 20; ++first)
    for (std::size_t count = 0; count < 40; ++count) {
      const auto bits = decoded<std::uint8_t>(column, page, 64, first, count, true, Scalar::Bool);
      for (std::size_t i = 0; i < count; ++i)
        ASSERT_EQ(bits[i], page[(first + i) / 8] >> (first + i) % 8 & 1);
    }
}

TEST(RootElements, thatAreHalvesBecomeFloats) {
  const auto half = [](std::uint16_t bits) {
    return decoded<float>({NTupleColumnType::Real16, 16},
                          {static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8)},
                          1, 0, 1)[0];
  };
  EXPECT_EQ(half(0x3C00), 1.0F);
  EXPECT_EQ(half(0xC000), -2.0F);
  EXPECT_EQ(half(0x7BFF), 65504.0F);
  EXPECT_EQ(half(0x0001), 0x1p-24F); // denormal
  EXPECT_EQ(half(0x03FF), 0x3FFp-24F);
  EXPECT_TRUE(std::signbit(half(0x8000)));
  EXPECT_EQ(half(0x7C00), std::numeric_limits<float>::infinity());
  EXPECT_EQ(half(0xFC00), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(half(0x7E00)));
}

TEST(RootElements, areConvertedWhereTheyFit) {
  const std::vector<std::uint8_t> page{200, 0, 44, 1}; // 200, 300
  const StoredColumn column{NTupleColumnType::UInt16, 16};
  EXPECT_EQ(decoded<std::uint64_t>(column, page, 2, 0, 2), (std::vector<std::uint64_t>{200, 300}));
  EXPECT_EQ(decoded<std::uint8_t>(column, page, 2, 0, 1), std::vector<std::uint8_t>{200});
  (void)decoded<std::uint8_t>(column, page, 2, 0, 2, false);
  (void)decoded<std::int8_t>(column, page, 2, 0, 1, false);
  (void)decoded<std::uint8_t>(column, page, 2, 0, 1, false, Scalar::Bool);
  EXPECT_EQ(decoded<std::uint8_t>({NTupleColumnType::Char, 8}, {200}, 1, 0, 1),
            std::vector<std::uint8_t>{200}); // bits are bits
}

TEST(RootElements, thatAreStepsAreSpreadOverTheirRange) {
  const StoredColumn column{NTupleColumnType::Real32Quant, 4, 0, 0, false, -1.0, 2.0};
  const std::vector<std::uint8_t> page{0x50, 0x0F}; // 0, 5, 15
  EXPECT_EQ(decoded<double>(column, page, 3, 0, 3), (std::vector<double>{-1.0, 0.0, 2.0}));
  EXPECT_EQ(decoded<float>(column, page, 3, 1, 2), (std::vector<float>{0.0F, 2.0F}));
}

TEST(RootElements, thatAreIndexesAreAddedUp) {
  const std::vector<std::uint8_t> page{3, 255, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0}; // 3, +511, +2
  std::vector<std::uint64_t> ends(3);
  decodeIndexes(NTupleColumnType::SplitIndex32, {std::as_bytes(std::span(page)), 3}, ends);
  EXPECT_EQ(ends, (std::vector<std::uint64_t>{3, 514, 516}));
  decodeIndexes(NTupleColumnType::Index32, {std::as_bytes(std::span(page)), 3}, ends);
  EXPECT_EQ(ends, (std::vector<std::uint64_t>{0x2FF03, 1, 0}));
}

TEST(RootElements, ofUnknownTypesHaveNoScalar) {
  EXPECT_EQ(scalarOf(StoredColumn{NTupleColumnType::Real32Trunc, 9}), std::nullopt);
  EXPECT_EQ(scalarOf(StoredColumn{NTupleColumnType::Int32, 31}), std::nullopt);
  EXPECT_EQ(scalarOf(StoredColumn{static_cast<NTupleColumnType>(0x55), 32}), std::nullopt);
  EXPECT_EQ(scalarOf(StoredColumn{NTupleColumnType::Switch, 96}), std::nullopt);
}

} // namespace
} // namespace kaon::root
