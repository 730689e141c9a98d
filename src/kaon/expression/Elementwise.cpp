#include <kaon/expression/Elementwise.h>

#include <kaon/detail/base/Memory.h>
#include <kaon/expression/FormulaKernel.h>
#include <kaon/expression/NumberOperations.h>
#include <kaon/math/FourVector.h>
#include <kaon/math/ParticleData.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace kaon::expression {
namespace {

using Operands = ElementwiseOperands;
using Kernel = ElementwiseKernel;

template <class T>
const T* valuesOf(const Operands& operands, std::size_t number) {
  return detail::valuesAt<T>(operands.values[number]);
}

/// Short operations of one or two operands. There is a loop for each combination of constant
/// operands, which compilers vectorise.
template <class T, class R, class F>
void unary(const Operands& operands) {
  const T* const a = valuesOf<T>(operands, 0);
  R* const __restrict result = detail::valuesAt<R>(operands.result);
  for (std::size_t i = 0; i < operands.size; ++i)
    result[i] = static_cast<R>(F{}(a[i]));
}

template <class T, class R, class F>
void binary(const Operands& operands) {
  const T* const a = valuesOf<T>(operands, 0);
  const T* const b = valuesOf<T>(operands, 1);
  R* const __restrict result = detail::valuesAt<R>(operands.result);
  const std::size_t size = operands.size;
  if (operands.isConstant[1]) {
    const T constant = *b;
    for (std::size_t i = 0; i < size; ++i)
      result[i] = static_cast<R>(F{}(a[i], constant));
  } else if (operands.isConstant[0]) {
    const T constant = *a;
    for (std::size_t i = 0; i < size; ++i)
      result[i] = static_cast<R>(F{}(constant, b[i]));
  } else {
    for (std::size_t i = 0; i < size; ++i)
      result[i] = static_cast<R>(F{}(a[i], b[i]));
  }
}

/// Long operations. They take so long that a constant operand needs no loop of its own.
template <class T, class R, class F, std::size_t... Number>
void function(const Operands& operands, std::index_sequence<Number...>) {
  const std::size_t steps[] = {operands.isConstant[Number] ? std::size_t{0} : std::size_t{1}...};
  R* const __restrict result = detail::valuesAt<R>(operands.result);
  for (std::size_t i = 0; i < operands.size; ++i)
    result[i] = static_cast<R>(F{}(valuesOf<T>(operands, Number)[i * steps[Number]]...));
}
template <class T, class R, class F, std::size_t arity>
void function(const Operands& operands) {
  function<T, R, F>(operands, std::make_index_sequence<arity>{});
}

/// Chooses between values of one size, for any type.
template <class T>
void choose(const Operands& operands) {
  const auto* const condition = valuesOf<std::uint8_t>(operands, 0);
  const T* const a = valuesOf<T>(operands, 1);
  const T* const b = valuesOf<T>(operands, 2);
  T* const __restrict result = detail::valuesAt<T>(operands.result);
  const std::size_t c = operands.isConstant[0] ? 0 : 1;
  const std::size_t nextA = operands.isConstant[1] ? 0 : 1, nextB = operands.isConstant[2] ? 0 : 1;
  for (std::size_t i = 0; i < operands.size; ++i)
    result[i] = condition[i * c] != 0 ? a[i * nextA] : b[i * nextB];
}

Kernel conversion(Scalar from, Scalar to) {
  return withScalar(from, [to](auto zero) -> Kernel {
    using From = decltype(zero);
    if (to == Scalar::Bool)
      return &unary<From, std::uint8_t, number::ConvertToBool>;
    return withScalar(to, [](auto other) -> Kernel {
      using To = decltype(other);
      if constexpr (sizeof(To) == 8 || std::is_floating_point_v<To>)
        return &unary<From, To, number::Convert<To>>;
      else
        return nullptr;
    });
  });
}

/// Calls `use` with a value of `type` if it is a type of arithmetic; else returns null.
template <class Use>
Kernel ofNumbers(Scalar type, Use use) {
  return withScalar(type, [use](auto zero) -> Kernel {
    if constexpr (sizeof zero == 8 || std::is_floating_point_v<decltype(zero)>)
      return use(zero);
    else
      return nullptr;
  });
}
template <class Use>
Kernel ofIntegers(Scalar type, Use use) {
  return ofNumbers(type, [use](auto zero) -> Kernel {
    if constexpr (std::is_integral_v<decltype(zero)>)
      return use(zero);
    else
      return nullptr;
  });
}
template <class Use>
Kernel ofFloats(Scalar type, Use use) {
  return ofNumbers(type, [use](auto zero) -> Kernel {
    if constexpr (std::is_floating_point_v<decltype(zero)>)
      return use(zero);
    else
      return nullptr;
  });
}

/// Kernels of operations whose result has the type of the operands.
template <class F>
constexpr auto unaryOf =
    [](auto zero) -> Kernel { return &unary<decltype(zero), decltype(zero), F>; };
template <class F>
constexpr auto binaryOf =
    [](auto zero) -> Kernel { return &binary<decltype(zero), decltype(zero), F>; };

template <class F>
Kernel arithmetic(Scalar type) {
  return ofNumbers(type, binaryOf<F>);
}
template <class F>
Kernel bits(Scalar type) {
  return type == Scalar::Bool ? &binary<std::uint8_t, std::uint8_t, F>
                              : ofIntegers(type, binaryOf<F>);
}
template <class F>
Kernel comparison(Scalar type) {
  return withScalar(type,
                    [](auto zero) -> Kernel { return &binary<decltype(zero), std::uint8_t, F>; });
}

/// A formula of floats as a callable type.
template <auto formula>
struct FloatFormula {
  template <class... T>
  auto operator()(T... values) const {
    return formula(values...);
  }
};
template <std::size_t arity, auto formula>
Kernel floats(Scalar type) {
  return ofFloats(type, [](auto zero) -> Kernel {
    using T = decltype(zero);
    return &function<T, T, FloatFormula<formula>, arity>;
  });
}

Kernel ofTwoNumbers(Operation operation, Scalar type) {
  switch (operation) {
  case Operation::add:
    return arithmetic<number::Add>(type);
  case Operation::subtract:
    return arithmetic<number::Subtract>(type);
  case Operation::multiply:
    return arithmetic<number::Multiply>(type);
  case Operation::divide:
    return ofFloats(type, binaryOf<number::Divide>);
  case Operation::floorDivide:
    return arithmetic<number::FloorDivide>(type);
  case Operation::modulo:
    return arithmetic<number::Modulo>(type);
  case Operation::minimum:
    return arithmetic<number::Minimum>(type);
  case Operation::maximum:
    return arithmetic<number::Maximum>(type);
  case Operation::bitAnd:
    return bits<number::BitAnd>(type);
  case Operation::bitOr:
    return bits<number::BitOr>(type);
  case Operation::bitXor:
    return bits<number::BitXor>(type);
  case Operation::shiftLeft:
    return ofIntegers(type, binaryOf<number::ShiftLeft>);
  case Operation::shiftRight:
    return ofIntegers(type, binaryOf<number::ShiftRight>);
  case Operation::logicalAnd:
    return &binary<std::uint8_t, std::uint8_t, number::BitAnd>;
  case Operation::logicalOr:
    return &binary<std::uint8_t, std::uint8_t, number::BitOr>;
  case Operation::less:
    return comparison<number::Less>(type);
  case Operation::lessEqual:
    return comparison<number::LessEqual>(type);
  case Operation::greater:
    return comparison<number::Greater>(type);
  case Operation::greaterEqual:
    return comparison<number::GreaterEqual>(type);
  case Operation::equal:
    return comparison<number::Equal>(type);
  case Operation::notEqual:
    return comparison<number::NotEqual>(type);
  default:
    return nullptr;
  }
}

template <class F>
Kernel testOfFloat(Scalar type) {
  return ofFloats(type,
                  [](auto zero) -> Kernel { return &unary<decltype(zero), std::uint8_t, F>; });
}

Kernel ofOneValue(Operation operation, Scalar type) {
  switch (operation) {
  case Operation::negate:
    return ofNumbers(type, unaryOf<number::Negate>);
  case Operation::absolute:
    return ofNumbers(type, unaryOf<number::Absolute>);
  case Operation::invert:
    return ofIntegers(type, unaryOf<number::Invert>);
  case Operation::logicalNot:
    return &unary<std::uint8_t, std::uint8_t, number::LogicalNot>;
  case Operation::isNan:
    return testOfFloat<number::IsNan>(type);
  case Operation::isFinite:
    return testOfFloat<number::IsFinite>(type);
  default:
    return nullptr;
  }
}

Kernel functionOfOne(Operation operation, Scalar type) {
  switch (operation) {
  case Operation::logarithm10:
    return floats<1, [](auto x) { return std::log10(x); }>(type);
  case Operation::tangent:
    return floats<1, [](auto x) { return std::tan(x); }>(type);
  case Operation::arcSine:
    return floats<1, [](auto x) { return std::asin(x); }>(type);
  case Operation::arcCosine:
    return floats<1, [](auto x) { return std::acos(x); }>(type);
  case Operation::arcTangent:
    return floats<1, [](auto x) { return std::atan(x); }>(type);
  case Operation::hyperbolicSine:
    return floats<1, [](auto x) { return detail::hyperbolicSine(x); }>(type);
  case Operation::hyperbolicCosine:
    return floats<1, [](auto x) { return std::cosh(x); }>(type);
  case Operation::hyperbolicTangent:
    return floats<1, [](auto x) { return std::tanh(x); }>(type);
  case Operation::floor:
    return floats<1, [](auto x) { return std::floor(x); }>(type);
  case Operation::ceiling:
    return floats<1, [](auto x) { return std::ceil(x); }>(type);
  case Operation::round:
    return floats<1, [](auto x) { return std::nearbyint(x); }>(type);
  case Operation::particleMass:
    return floats<1, [](auto number) { return detail::particleMass(number); }>(type);
  case Operation::particleCharge:
    return floats<1, [](auto number) { return detail::particleCharge(number); }>(type);
  default:
    return nullptr;
  }
}

Kernel functionOfSeveral(Operation operation, Scalar type) {
  switch (operation) {
  case Operation::power:
    return floats<2, [](auto x, auto y) { return std::pow(x, y); }>(type);
  case Operation::hypotenuse:
    return floats<2, [](auto x, auto y) { return std::hypot(x, y); }>(type);
  case Operation::deltaPhi:
    return floats<2, [](auto a, auto b) { return kaon::deltaPhi(a, b); }>(type);
  case Operation::transverseMass:
    return floats<4, [](auto a, auto b, auto c, auto d) {
      return kaon::transverseMass(a, b, c, d);
    }>(type);
  default:
    return nullptr;
  }
}

Kernel choice(Scalar type) {
  switch (sizeOf(type)) {
  case 1:
    return &choose<std::uint8_t>;
  case 2:
    return &choose<std::uint16_t>;
  case 4:
    return &choose<std::uint32_t>;
  default:
    return &choose<std::uint64_t>;
  }
}

} // namespace

ElementwiseKernel elementwiseKernel(Operation operation, Scalar operand, Scalar result) {
  if (operation == Operation::convert)
    return conversion(operand, result);
  if (operation == Operation::where)
    return choice(operand);
  if (const Kernel kernel = formulaKernel(operation, operand))
    return kernel;
  for (const auto find : {&ofTwoNumbers, &ofOneValue, &functionOfOne, &functionOfSeveral})
    if (const Kernel kernel = find(operation, operand))
      return kernel;
  return nullptr;
}

} // namespace kaon::expression
