#include <kaon/formats/root/objects/NumberLayout.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string_view>

// The ranges of Double32_t and Float16_t in titles.

namespace kaon::root {
namespace {

NumberLayout formIn(std::string_view title) { return formOf(double32Number, title).value(); }

TEST(RootNumbers, haveTheRangesOfTheirTitles) {
  const NumberLayout form = formIn("x[3][-5, 5, 16] of the beam");
  EXPECT_EQ(form.kind, NumberLayout::Kind::steps);
  EXPECT_EQ(form.low, -5);
  EXPECT_EQ(form.stepsPerUnit, 65536 / 10.0);
  for (const std::string_view title : {"[-pi,pi/2]", "[-PI, Pi/2]", "[-pi,pi/2,32]"}) {
    EXPECT_EQ(formIn(title).low, -std::numbers::pi) << title;
    EXPECT_EQ(formIn(title).stepsPerUnit, 0xFFFFFFFFU / (1.5 * std::numbers::pi)) << title;
  }
  EXPECT_EQ(formIn("[0,0,10]").kind, NumberLayout::Kind::truncated);
  EXPECT_EQ(formIn("[0,0,10]").bits, 10);
  EXPECT_EQ(formIn("[n]").kind, NumberLayout::Kind::widened);
}

TEST(RootNumbers, haveAllBitsWhereATitleSaysNoNumberOfThem) {
  const double all = formIn("[0,1]").stepsPerUnit;
  for (const std::string_view title : {"[0,1,1]", "[0,1,33]", "[0,1,many]", "[0,1,]",
                                       "[0,1,99999999999999999999]", "[0,1,-5]", "[0,1,1e300]"})
    EXPECT_EQ(formIn(title).stepsPerUnit, all) << title;
}

} // namespace
} // namespace kaon::root
