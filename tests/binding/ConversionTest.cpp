#include <kaon/binding/Conversion.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace {

using kaon::Scalar;

/// Returns the value in another type; nothing if this type cannot hold the value.
template <class To, class From>
std::optional<To> converted(From value) {
  const kaon::NumberRows from{
      {reinterpret_cast<const std::byte*>(&value), 0}, kaon::scalarOf<From>(), 1};
  To to{};
  if (kaon::convert(from, 1, kaon::scalarOf<To>(), reinterpret_cast<std::byte*>(&to)))
    return std::nullopt;
  return to;
}

TEST(Conversion, keepsWholeNumbersThatFit) {
  EXPECT_EQ(converted<std::int8_t>(std::int64_t{-128}), -128);
  EXPECT_EQ(converted<std::int8_t>(std::int64_t{-129}), std::nullopt);
  EXPECT_EQ(converted<std::uint64_t>(std::int8_t{-1}), std::nullopt);
  EXPECT_EQ(converted<std::int64_t>(std::numeric_limits<std::uint64_t>::max()), std::nullopt);
  EXPECT_EQ(converted<std::int64_t>(std::uint32_t{4000000000}), 4000000000);
}

TEST(Conversion, takesOnlyZeroAndOneForBools) {
  EXPECT_EQ(converted<bool>(std::int32_t{1}), true);
  EXPECT_EQ(converted<bool>(0.), false);
  EXPECT_EQ(converted<bool>(std::int32_t{2}), std::nullopt);
  EXPECT_EQ(converted<bool>(std::uint8_t{2}), std::nullopt);
  EXPECT_EQ(converted<float>(true), 1.F);
}

TEST(Conversion, takesOnlyWholeFloatsForWholeNumbers) {
  EXPECT_EQ(converted<std::int32_t>(-3.), -3);
  EXPECT_EQ(converted<std::int32_t>(2.5), std::nullopt);
  EXPECT_EQ(converted<std::int32_t>(std::nan("")), std::nullopt);
  EXPECT_EQ(converted<std::int32_t>(2147483648.), std::nullopt);
  EXPECT_EQ(converted<std::int32_t>(-2147483648.), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(converted<std::int64_t>(0x1p63), std::nullopt);
  EXPECT_EQ(converted<std::uint64_t>(0x1p63F), std::uint64_t{1} << 63);
  EXPECT_EQ(converted<std::uint64_t>(-1.F), std::nullopt);
}

TEST(Conversion, roundsFloats) {
  EXPECT_EQ(converted<float>(0.1), 0.1F);
  EXPECT_EQ(converted<float>(std::int32_t{16777217}), 16777216.F);
  EXPECT_EQ(converted<float>(1e39), std::nullopt);
  EXPECT_EQ(converted<float>(-std::numeric_limits<double>::infinity()),
            -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(converted<float>(std::nan("")).value_or(0.F)));
  EXPECT_EQ(converted<double>(0.1F), double{0.1F});
}

TEST(Conversion, takesRowsApart) {
  struct Row {
    std::int16_t x[2];
    double other;
  };
  const std::vector<Row> rows{{{1, 2}, 0.}, {{3, 4}, 0.}};
  const kaon::NumberRows from{
      {reinterpret_cast<const std::byte*>(rows.data()), sizeof(Row)}, Scalar::Int16, 2};
  std::vector<float> to(4);
  EXPECT_EQ(kaon::convert(from, 2, Scalar::Float32, reinterpret_cast<std::byte*>(to.data())),
            nullptr);
  EXPECT_EQ(to, (std::vector{1.F, 2.F, 3.F, 4.F}));
}

TEST(Conversion, printsNumbers) {
  const std::int8_t number = 65;
  EXPECT_EQ(kaon::numberText(reinterpret_cast<const std::byte*>(&number), Scalar::Int8), "65");
}

} // namespace
