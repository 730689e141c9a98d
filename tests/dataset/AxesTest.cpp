#include <kaon/dataset/Dataframe.h>

#include "support/CollisionEvents.h"
#include "support/Errors.h"
#include "support/Files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::expectError;

/// Axes other than those with bins of equal width.
class AxesTest : public testing::Test {
protected:
  AxesTest() { truth.write(directory / "events.kaon"); }
  [[nodiscard]] Dataframe events() const { return dataset(directory / "events.kaon", "events"); }
  /// Returns the number of muons with a momentum in [low, high).
  [[nodiscard]] std::ptrdiff_t between(double low, double high) const {
    return std::ranges::count_if(truth.pt, [&](float pt) { return low <= pt && pt < high; });
  }

  test::TemporaryDirectory directory;
  test::CollisionEvents truth{5000};
};

TEST_F(AxesTest, haveBinsOfTheSameWidthInATransform) {
  for (const AxisTransform transform : {AxisTransform{AxisTransform::Kind::logarithm},
                                        AxisTransform{AxisTransform::Kind::squareRoot},
                                        AxisTransform{AxisTransform::Kind::power, 0.3}}) {
    const double low = transform.forward(1), high = transform.forward(100);
    const auto pt = events().histogram(Axis::transformed(transform, 5, 1, 100), "Muon.pt");
    for (int bin = 0; bin < 5; ++bin)
      EXPECT_EQ(pt->at(bin).value(), between(transform.inverse(low + bin * (high - low) / 5),
                                             transform.inverse(low + (bin + 1) * (high - low) / 5)))
          << transform << ", bin " << bin;
    EXPECT_EQ(pt->at(-1).value(), between(-1, 1));
  }
}

TEST_F(AxesTest, areCircular) {
  const auto run = events().histogram(Axis::circular(4, 0, 8), "run");
  for (int bin = 0; bin < 4; ++bin)
    EXPECT_EQ(run->at(bin).value(),
              std::ranges::count_if(truth.run, [&](int r) { return r % 8 / 2 == bin; }));
}

TEST_F(AxesTest, countCertainValues) {
  const auto charge = events().histogram(Axis::ofValues({1, 7}), "Muon.charge");
  EXPECT_EQ(charge->at(0).value(), std::ranges::count(truth.charge, 1));
  EXPECT_EQ(charge->at(1).value(), 0);
  EXPECT_EQ(charge->at(2).value(), std::ranges::count(truth.charge, -1)); // all other charges
  const auto both =
      events().histogram({Axis::ofValues({-1, 1}), Axis(2, 0, 100)}, {"Muon.charge", "Muon.pt"});
  EXPECT_EQ(both->rank(), 2U);
}

TEST_F(AxesTest, countTexts) {
  const auto nameOf = [](std::int32_t run) { return run % 2 == 0 ? "even" : run % 3 ? "β" : ""; };
  const Dataframe named =
      events()
          .define("name", nameOf, {"run"})
          .define("Muon.name", [](std::int32_t charge) { return charge > 0 ? "plus" : "minus"; },
                  {"Muon.charge"});
  const auto names = named.histogram(Axis::ofTexts({"β", "even"}, "runs"), "name");
  EXPECT_EQ(names->at(1).value(),
            std::ranges::count_if(truth.run, [](std::int32_t run) { return run % 2 == 0; }));
  EXPECT_EQ(names->at(0).value(),
            std::ranges::count_if(truth.run, [](std::int32_t run) { return run % 2 && run % 3; }));
  const auto of = named.histogram({Axis::ofTexts({"plus"}), Axis(1, 0, 1000)},
                                  {"Muon.name", "Muon.pt"}, "MET_pt");
  const auto plus =
      named.filter("any(Muon.charge > 0)")
          .histogram({Axis::ofValues({1}), Axis(1, 0, 1000)}, {"Muon.charge", "Muon.pt"}, "MET_pt");
  EXPECT_EQ(of->at(0, 0).value(), plus->at(0, 0).value());
  expectError(ErrorKind::type, "'run' is an int32, but its axis is for texts",
              [&] { (void)named.histogram(Axis::ofTexts({"a"}), "run"); });
  expectError(ErrorKind::type, "with axes of texts", [&] {
    (void)named.histogram({2, 0, 1}, "name");
  });
}

TEST_F(AxesTest, includeTheirEndWhereThatIsWanted) {
  Axis axis(2, 0, 2);
  axis.includedEnd = 2;
  const Dataframe x = events().define("x", "min(run, 2)");
  EXPECT_EQ(x.histogram(axis, "x")->at(1).value(),
            static_cast<double>(std::ranges::count_if(truth.run, [](int r) { return r > 0; })));
  EXPECT_EQ(x.histogram({2, 0, 2}, "x")->at(1).value(), std::ranges::count(truth.run, 1));
}

TEST_F(AxesTest, areErrorsWhereTransformsHaveNoValues) {
  expectError(ErrorKind::usage, "an axis of a histogram: forward transform of start or stop",
              [] { (void)Axis::transformed({}, 5, 0, 100); });
}

} // namespace
} // namespace kaon
