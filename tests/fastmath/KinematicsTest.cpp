#include <kaon/array/FourVectors.h>

#include <gtest/gtest.h>

#include <cmath>

// Compiled with -ffast-math, which the guide recommends for vectorised loops. kaon's headers must
// stay correct with it.

namespace kaon {
namespace {

TEST(FastMath, leavesHyperbolicSines) {
  for (float x = -20; x < 20; x += 0.01F) {
    const double exact = std::sinh(static_cast<double>(x));
    EXPECT_NEAR(detail::hyperbolicSine(x), exact, 1e-6 * std::abs(exact) + 1e-9) << x;
    EXPECT_NEAR(detail::hyperbolicSine(static_cast<double>(x)), exact, 1e-12 * std::abs(exact))
        << x;
  }
}

TEST(FastMath, leavesSinesAndCosines) {
  for (double x = -20; x < 20; x += 0.01) {
    EXPECT_NEAR(detail::sineCosine(x).sine, std::sin(x), 1e-12) << x;
    EXPECT_NEAR(detail::sineCosine(x).cosine, std::cos(x), 1e-12) << x;
  }
}

TEST(FastMath, leavesFourMomenta) {
  for (float phi = -10; phi < 10; phi += 0.1F)
    for (float eta = -5; eta < 5; eta += 0.3F) {
      const auto v = FourVector<float>::ofPtEtaPhiMass(20, eta, phi, 5);
      EXPECT_NEAR(v.eta(), eta, 1e-4);
      EXPECT_NEAR(deltaPhi(v.phi(), phi), 0, 1e-4);
      EXPECT_NEAR(v.pt(), 20, 1e-4);
      EXPECT_NEAR(v.E, std::sqrt(std::pow(20 * std::cosh(static_cast<double>(eta)), 2) + 25), 1e-3);
    }
}

} // namespace
} // namespace kaon
