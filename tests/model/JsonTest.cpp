#include <kaon/model/Json.h>

#include "support/Errors.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::expectError;

Json parsed(const std::string& text) { return detail::parseJson(text, "here"); }

TEST(Json, hasTheParsedValues) {
  const Json json = parsed(R"( {"b": [null, true, -1, 1.0, "x\u00e9"], "a": {}} )");
  ASSERT_NE(json.find("b"), nullptr);
  EXPECT_EQ(*json.find("b"), Json(Json::List{{}, true, -1, 1.0, "xé"}));
  EXPECT_EQ(json.find("c"), nullptr);
  EXPECT_EQ(json.text(), R"({"b":[null,true,-1,1.0,"x\u00e9"],"a":{}})"); // keeps the order
  EXPECT_EQ(json.sortedText(), R"({"a":{},"b":[null,true,-1,1.0,"x\u00e9"]})");
}

TEST(Json, isNullWhereNothingIsSaid) {
  EXPECT_EQ(Json(nullptr), Json());
  EXPECT_EQ(Json(Json::List{nullptr, 1}).text(), "[null,1]");
}

TEST(Json, tellsOneTrueAndOnePointZeroApart) {
  EXPECT_NE(Json(1), Json(1.0));
  EXPECT_NE(Json(1), Json(true));
  EXPECT_EQ(Json(1U), Json(1LL));
}

TEST(Json, keepsNumbersOfAnySize) {
  for (const std::string text :
       {"-9223372036854775808", "9223372036854775807", "18446744073709551615",
        "1180591620717411303424", "-1180591620717411303424", "0.1", "1e+22", "1e-07", "123456.75",
        "-0.0", "1e+16", "1000000000000000.0", "0.0001", "5e-324", "1.7976931348623157e+308"})
    EXPECT_EQ(parsed(text).text(), text);
  EXPECT_EQ(Json(std::numeric_limits<std::uint64_t>::max()), parsed("18446744073709551615"));
  EXPECT_EQ(parsed("100E0").text(), "100.0");
}

TEST(Json, hasNoOtherNumbersAndTexts) {
  expectError(ErrorKind::type, "not finite",
              [] { (void)Json(std::numeric_limits<double>::infinity()).text(); });
  expectError(ErrorKind::type, "must be UTF-8", [] { (void)Json("\xff").text(); });
}

TEST(Json, reportsMistakes) {
  const auto expectWrong = [](const std::string& text, const std::string& part) {
    expectError(ErrorKind::corrupt, "here: is not JSON that kaon reads: " + part,
                [&] { (void)parsed(text); });
  };
  expectWrong("", "parse error at line 1, column 1");
  expectWrong("{\"a\": 1,\n \"b\" 2}", "parse error at line 2, column 6");
  expectWrong("[1] 2", "parse error");
  expectWrong("[NaN]", "parse error");
  expectWrong("\"\xff\"", "parse error");
  expectWrong("1e999", "number overflow");
  expectWrong(R"({"a": 1, "b": 2, "a": 3})", "the name 'a' appears twice");
}

TEST(Json, isNotNestedWithoutEnd) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(parsed(nested(100)).text(), nested(100));
  for (const std::size_t depth : {101UL, 10'000'000UL})
    expectError(ErrorKind::corrupt, "nested more than 100 deep",
                [&] { (void)parsed(nested(depth)); });
}

} // namespace
} // namespace kaon
