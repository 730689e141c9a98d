#include <kaon/array/FourVectors.h>
#include <kaon/math/FourVector.h>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace kaon {
namespace {

constexpr double pi = std::numbers::pi;

TEST(FourVector, differencesOfAzimuthsLieInOneTurn) {
  EXPECT_DOUBLE_EQ(deltaPhi(3.0, -3.0), 6 - 2 * pi);
  EXPECT_DOUBLE_EQ(deltaPhi(-3.0, 3.0), 2 * pi - 6);
  EXPECT_DOUBLE_EQ(deltaPhi(1.0, 0.5), 0.5);
  EXPECT_EQ(deltaPhi(pi, 0.0), pi);
  EXPECT_EQ(deltaPhi(-pi, 0.0), pi); // -π is excluded
  EXPECT_NEAR(deltaPhi(100.0, 0.0), 100 - 32 * pi, 1e-12);
  for (float phi = -20; phi < 20; phi += 0.01F) {
    const float difference = deltaPhi(phi, 0.0F);
    EXPECT_LE(difference, std::numbers::pi_v<float>);
    EXPECT_GT(difference, -std::numbers::pi_v<float>);
    EXPECT_NEAR(std::cos(difference), std::cos(phi), 1e-5);
  }
  EXPECT_TRUE(std::isnan(deltaPhi(std::numeric_limits<double>::quiet_NaN(), 0.0)));
}

TEST(FourVector, hyperbolicSinesOfFloatsAreRoundedCorrectly) {
  const auto check = [](float x) {
    const double exact = std::sinh(static_cast<double>(x));
    EXPECT_NEAR(detail::hyperbolicSine(x) / exact, 1, 6e-8) << x;
    EXPECT_EQ(detail::hyperbolicSine(-x), -detail::hyperbolicSine(x)) << x;
  };
  for (float x = 1e-30F; x < 89.4F; x *= 1.003F)
    check(x);
  for (const float x : {9.99e-4F, 1e-3F, 0.346F, 0.347F, 89.4F})
    check(x);
  EXPECT_EQ(detail::hyperbolicSine(0.0F), 0);
  for (const float x : {89.5F, 1e30F, std::numeric_limits<float>::infinity()})
    EXPECT_EQ(detail::hyperbolicSine(x), std::numeric_limits<float>::infinity()) << x;
  EXPECT_TRUE(std::isnan(detail::hyperbolicSine(std::numeric_limits<float>::quiet_NaN())));
}

TEST(FourVector, functionsOfDoublesAreExactToTheLastDigits) {
  const auto check = [](double x) {
    const auto [sine, cosine] = detail::sineCosine(x);
    EXPECT_NEAR(sine / std::sin(x), 1, 1e-15) << x;
    EXPECT_NEAR(cosine / std::cos(x), 1, 1e-15) << x;
    EXPECT_EQ(detail::sineCosine(-x).sine, -sine) << x;
    EXPECT_EQ(detail::sineCosine(-x).cosine, cosine) << x;
    if (x < 710) {
      EXPECT_NEAR(detail::hyperbolicSine(x) / std::sinh(x), 1, 2e-15) << x;
      EXPECT_EQ(detail::hyperbolicSine(-x), -detail::hyperbolicSine(x)) << x;
    }
  };
  for (double x = 1e-30; x < 3e5; x *= 1.003)
    check(x);
  for (int quarter = 1; quarter < 100; ++quarter)
    check(quarter * pi / 4);
  EXPECT_EQ(detail::sineCosine(0.0).sine, 0);
  EXPECT_EQ(detail::sineCosine(0.0).cosine, 1);
  EXPECT_EQ(detail::hyperbolicSine(0.0), 0);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(detail::hyperbolicSine(infinite), infinite);
  EXPECT_EQ(detail::hyperbolicSine(-800.0), -infinite);
  EXPECT_TRUE(std::isnan(detail::hyperbolicSine(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_TRUE(std::isnan(detail::sineCosine(infinite).sine));
}

TEST(FourVector, distancesOfDirections) {
  EXPECT_NEAR(deltaR(1.0, 3.0, 1.3, 3.4 - 2 * pi), 0.5, 1e-12);
  EXPECT_EQ(deltaR(1.0F, 2.0F, 1.0F, 2.0F), 0);
}

TEST(FourVector, isTheSameInBothCoordinates) {
  for (const double eta : {-3.0, 0.0, 0.5, 5.0})
    for (const double phi : {-3.0, 0.0, 2.0}) {
      const auto v = FourVector<double>::ofPtEtaPhiMass(20, eta, phi, 1.5);
      EXPECT_NEAR(v.pt(), 20, 1e-12);
      EXPECT_NEAR(v.eta(), eta, 1e-12);
      EXPECT_NEAR(v.phi(), phi, 1e-12);
      EXPECT_NEAR(v.mass(), 1.5, 1e-8);
      EXPECT_NEAR(v.p(), 20 * std::cosh(eta), 1e-9);
      EXPECT_NEAR(-std::log(std::tan(v.theta() / 2)), eta, 1e-11);
    }
}

/// Tests that a list of particles gives the same results as its particles one by one.
TEST(FourVector, areTheSameTogetherAndOneByOne) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  std::mt19937 engine(1);
  const auto valuesOf = [&](std::size_t size, float width, std::vector<float> seldom) {
    std::uniform_real_distribution<float> random(-width, width);
    std::vector<float> values(size); // of exactly this size: sanitizers see reads past the end
    for (float& value : values)
      value = engine() % 40 == 0 ? seldom[engine() % seldom.size()] : random(engine);
    return values;
  };
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  for (int round = 0; round < 3000; ++round) {
    const auto size = static_cast<std::size_t>(round % 30);
    const auto pt = valuesOf(size, 100, {0, -0.F, 1e30F, infinite});
    const auto eta = valuesOf(size, 6, {0, -0.F, 1e-20F, 1, 88, 710, -infinite, std::nanf("")});
    const auto phi = valuesOf(size, 7, {0, -0.F, 1e-20F, 99e3F, -2e5F, infinite});
    const auto mass = valuesOf(size, 1, {0, -500, std::nanf("")});
    const Array<FourVector<double>> together = fourVectors<double>(
        Array<float>(pt), Array<float>(eta), Array<float>(phi), Array<float>(mass));
    ASSERT_EQ(together.size(), size);
    for (std::size_t i = 0; i < size; ++i) {
      const auto one = FourVector<double>::ofPtEtaPhiMass(pt[i], eta[i], phi[i], mass[i]);
      for (const auto member : {&FourVector<double>::px, &FourVector<double>::py,
                                &FourVector<double>::pz, &FourVector<double>::E})
        EXPECT_TRUE(bits(together[i].*member) == bits(one.*member) ||
                    (std::isnan(together[i].*member) && std::isnan(one.*member)))
            << pt[i] << ' ' << eta[i] << ' ' << phi[i] << ' ' << mass[i] << ": "
            << together[i].*member << ", not " << one.*member;
    }
  }
}

TEST(FourVector, hasTheMassOfTwoParticles) {
  // Massless, and opposite in η and φ: m = 2 √(pt₁ pt₂).
  const auto a = FourVector<double>::ofPtEtaPhiMass(45, 0, 0, 0);
  const auto b = FourVector<double>::ofPtEtaPhiMass(45, 0, pi, 0);
  EXPECT_NEAR((a + b).mass(), 90, 1e-12);
  EXPECT_NEAR((a + b).pt(), 0, 1e-12);
  EXPECT_EQ(a + b - b, a);
  // Of massless particles, m² = 2 pt₁ pt₂ (cosh Δη - cos Δφ) (PDG).
  const auto c = FourVector<double>::ofPtEtaPhiMass(30, 1.2, 0.4, 0);
  const auto d = FourVector<double>::ofPtEtaPhiMass(25, -0.3, 2.0, 0);
  EXPECT_NEAR((c + d).mass(), std::sqrt(2 * 30 * 25 * (std::cosh(1.5) - std::cos(1.6))), 1e-9);
  EXPECT_NEAR(transverseMass(30.0, 0.4, 25.0, 2.0), std::sqrt(2 * 30 * 25 * (1 - std::cos(1.6))),
              1e-12);
}

TEST(FourVector, hasAnAnswerAtTheEdges) {
  EXPECT_EQ(detail::etaOf(0.0, 0.0, 0.0), 0);
  EXPECT_EQ(detail::etaOf(0.0, 0.0, 1.0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(detail::etaOf(0.0, 0.0, -1.0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(detail::massOf(3.0, 4.0, 0.0, 4.0), -3); // spacelike
  EXPECT_DOUBLE_EQ(detail::energyOf(3.0, 4.0, 0.0, -3.0), 4);
  EXPECT_EQ(detail::energyOf(0.0, 0.0, 1.0, -3.0), 0);
  constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(detail::energyOf(1.0, 2.0, 3.0, missing)));
  EXPECT_TRUE(std::isnan(detail::energyOf(missing, 2.0, 3.0, 4.0)));
  EXPECT_DOUBLE_EQ(detail::rapidityOf(0.0, 5.0), 0);
  EXPECT_NEAR(detail::rapidityOf(4.0, 5.0), std::log(3), 1e-12);
}

} // namespace
} // namespace kaon
