#include <kaon/base/FloatText.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <string_view>
#include <type_traits>

namespace kaon {
namespace {

constexpr std::string_view texts[] = {"0",
                                      "-0",
                                      "1",
                                      "1.5",
                                      "-2.25e3",
                                      "1e400",
                                      "-1e400",
                                      "1e-400",
                                      "5e-324",
                                      "3e-45",
                                      "1e39",
                                      "1e-50",
                                      ".5",
                                      "5.",
                                      ".",
                                      "e5",
                                      "+1",
                                      " 1",
                                      "",
                                      "-",
                                      "--1",
                                      "0x10",
                                      "-0x1p3",
                                      "1e",
                                      "1e+",
                                      "1.5abc",
                                      "inf",
                                      "-INF",
                                      "nan",
                                      "Infinity",
                                      "infx",
                                      "1p4",
                                      "a.8p1",
                                      "-fp-2",
                                      "0.1",
                                      "1,5",
                                      "0e5",
                                      "0.000e9",
                                      "123456789012345678901234567890",
                                      "2.2250738585072011e-308"};

template <class T>
void expectEqual(std::string_view text, std::chars_format format) {
  T expected = 7;
  T found = 7;
  const char* const end = text.data() + text.size();
  const auto known = parseFloat(text.data(), end, expected, format);
  const auto byC = detail::parseFloatByC(text.data(), end, found, format);
  EXPECT_EQ(byC.ec, known.ec) << text;
  EXPECT_EQ(byC.ptr - text.data(), known.ptr - text.data()) << text;
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(found)) << text;
    return;
  }
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  EXPECT_EQ(std::bit_cast<Bits>(found), std::bit_cast<Bits>(expected)) << text;
}

TEST(FloatText, FunctionsOfCParseAsTheStandardLibraryDoes) {
  for (const std::string_view text : texts)
    for (const auto format : {std::chars_format::general, std::chars_format::hex}) {
      expectEqual<double>(text, format);
      expectEqual<float>(text, format);
    }
}

} // namespace
} // namespace kaon
