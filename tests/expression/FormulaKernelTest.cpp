#include <kaon/expression/FormulaKernel.h>

#include <kaon/math/FourVector.h>

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <tuple>
#include <type_traits>
#include <vector>

namespace kaon::expression {
namespace {

/// Returns plausible momenta and angles, and a few special or invalid values.
template <class T>
std::vector<T> numbers(std::size_t size, std::uint64_t seed) {
  constexpr T infinity = std::numeric_limits<T>::infinity();
  constexpr auto odd = std::to_array<T>(
      {0, T(-0.0), -1, T(3.2), T(-6.5), 800, T(1e6), infinity, -infinity, T(1e-30), NAN});
  std::mt19937_64 random(seed);
  std::normal_distribution<double> usual(0, 3);
  std::vector<T> values;
  for (std::size_t i = 0; i < size; ++i)
    values.push_back(random() % 40 == 0 ? odd[random() % odd.size()] : T(usual(random)));
  return values;
}

/// Compares all bits of a kernel's results with those of the scalar formula, also with each operand
/// constant in turn.
template <class T, std::size_t arity, class Formula>
void expectSame(Operation operation, Formula formula) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  const ElementwiseKernel kernel =
      formulaKernel(operation, sizeof(T) == 8 ? Scalar::Float64 : Scalar::Float32);
  ASSERT_NE(kernel, nullptr);
  for (const std::size_t size : {0, 1, 2, 3, 7, 8, 9, 31, 1000})
    for (std::size_t constant = 0; constant <= arity; ++constant) {
      std::array<std::vector<T>, arity> columns;
      std::vector<T> result(size + 1, T(42)); // the value after the end must stay
      ElementwiseOperands operands = {.result = reinterpret_cast<std::byte*>(result.data()),
                                      .size = size};
      for (std::size_t k = 0; k < arity; ++k) {
        operands.isConstant[k] = k == constant && arity > 1;
        columns[k] = numbers<T>(operands.isConstant[k] ? 1 : size, 10 * size + k);
        operands.values[k] = reinterpret_cast<const std::byte*>(columns[k].data());
      }
      kernel(operands);
      for (std::size_t i = 0; i < size; ++i) {
        std::array<T, arity> values;
        for (std::size_t k = 0; k < arity; ++k)
          values[k] = columns[k][operands.isConstant[k] ? 0 : i];
        const T expected = std::apply(formula, values);
        if (expected == expected) // the sign of NaN has no meaning
          EXPECT_EQ(std::bit_cast<Bits>(result[i]), std::bit_cast<Bits>(expected)) << i;
        else
          EXPECT_TRUE(std::isnan(result[i])) << i;
      }
      EXPECT_EQ(result[size], T(42));
    }
}

TEST(FormulaKernel, hasTheResultsOfSingleNumbers) {
  using D = double;
  expectSame<D, 1>(Operation::squareRoot, [](D x) { return std::sqrt(x); });
  expectSame<D, 2>(Operation::px, [](D pt, D phi) { return detail::pxOf(pt, phi); });
  expectSame<D, 2>(Operation::py, [](D pt, D phi) { return detail::pyOf(pt, phi); });
  expectSame<D, 2>(Operation::pz, [](D pt, D eta) { return detail::pzOf(pt, eta); });
  expectSame<D, 2>(Operation::pt, [](D px, D py) { return detail::ptOf(px, py); });
  expectSame<D, 3>(Operation::p, [](D px, D py, D pz) { return detail::pOf(px, py, pz); });
  expectSame<D, 4>(Operation::energy,
                   [](D px, D py, D pz, D mass) { return detail::energyOf(px, py, pz, mass); });
  expectSame<D, 4>(Operation::mass,
                   [](D px, D py, D pz, D E) { return detail::massOf(px, py, pz, E); });
  expectSame<D, 4>(Operation::deltaR, [](D a, D b, D c, D d) { return deltaR(a, b, c, d); });
  expectSame<D, 2>(Operation::phi, [](D px, D py) { return detail::phiOf(px, py); });
  expectSame<D, 3>(Operation::eta, [](D px, D py, D pz) { return detail::etaOf(px, py, pz); });
  expectSame<D, 3>(Operation::theta, [](D px, D py, D pz) { return detail::thetaOf(px, py, pz); });
  expectSame<D, 2>(Operation::rapidity, [](D pz, D E) { return detail::rapidityOf(pz, E); });
  expectSame<D, 1>(Operation::sine, [](D x) { return detail::sineCosine(x).sine; });
  expectSame<D, 1>(Operation::cosine, [](D x) { return detail::sineCosine(x).cosine; });
  expectSame<D, 1>(Operation::exponential, [](D x) { return detail::exponential(x); });
  expectSame<D, 1>(Operation::logarithm, [](D x) { return detail::logarithm(x); });
  expectSame<D, 2>(Operation::arcTangent2, [](D y, D x) { return detail::arcTangent2(y, x); });
}

TEST(FormulaKernel, roundsFunctionsOfFloatsThatItComputesOfDoubles) {
  using D = double;
  const auto rounded = [](D x) { return static_cast<float>(x); };
  expectSame<float, 1>(Operation::sine, [&](D x) { return rounded(detail::sineCosine(x).sine); });
  expectSame<float, 1>(Operation::cosine,
                       [&](D x) { return rounded(detail::sineCosine(x).cosine); });
  expectSame<float, 1>(Operation::exponential,
                       [&](D x) { return rounded(detail::exponential(x)); });
  expectSame<float, 1>(Operation::logarithm, [&](D x) { return rounded(detail::logarithm(x)); });
  expectSame<float, 2>(Operation::arcTangent2,
                       [&](D y, D x) { return rounded(detail::arcTangent2(y, x)); });
}

TEST(FormulaKernel, hasSquareRootsAndDistancesOfFloats) {
  expectSame<float, 1>(Operation::squareRoot, [](float x) { return std::sqrt(x); });
  expectSame<float, 4>(Operation::deltaR,
                       [](float a, float b, float c, float d) { return deltaR(a, b, c, d); });
  EXPECT_EQ(formulaKernel(Operation::px, Scalar::Float32), nullptr);
  EXPECT_EQ(formulaKernel(Operation::squareRoot, Scalar::Int64), nullptr);
}

} // namespace
} // namespace kaon::expression
