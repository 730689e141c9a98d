#include <kaon/expression/Elementwise.h>

#include <kaon/array/FourVector.h>

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
  return reinterpret_cast<const T*>(operands.values[number]);
}

/// Short operations of one or two operands: loops that compilers make vectors of, one for each way
/// in which operands can be constant.
template <class T, class R, class F>
void unary(const Operands& operands) {
  const T* const a = valuesOf<T>(operands, 0);
  R* const __restrict result = reinterpret_cast<R*>(operands.result);
  for (std::size_t i = 0; i < operands.size; ++i)
    result[i] = static_cast<R>(F{}(a[i]));
}

template <class T, class R, class F>
void binary(const Operands& operands) {
  const T* const a = valuesOf<T>(operands, 0);
  const T* const b = valuesOf<T>(operands, 1);
  R* const __restrict result = reinterpret_cast<R*>(operands.result);
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

/// Long operations: each value takes so long that where it comes from does not matter.
template <class T, class R, class F, std::size_t... Number>
void function(const Operands& operands, std::index_sequence<Number...>) {
  const std::size_t steps[] = {operands.isConstant[Number] ? std::size_t{0} : std::size_t{1}...};
  R* const __restrict result = reinterpret_cast<R*>(operands.result);
  for (std::size_t i = 0; i < operands.size; ++i)
    result[i] = static_cast<R>(F{}(valuesOf<T>(operands, Number)[i * steps[Number]]...));
}
template <class T, class R, class F, std::size_t arity>
void function(const Operands& operands) {
  function<T, R, F>(operands, std::make_index_sequence<arity>{});
}

/// Moves values of a size, whatever they mean.
template <class T>
void choose(const Operands& operands) {
  const auto* const condition = valuesOf<std::uint8_t>(operands, 0);
  const T* const a = valuesOf<T>(operands, 1);
  const T* const b = valuesOf<T>(operands, 2);
  T* const __restrict result = reinterpret_cast<T*>(operands.result);
  const std::size_t c = operands.isConstant[0] ? 0 : 1;
  const std::size_t nextA = operands.isConstant[1] ? 0 : 1, nextB = operands.isConstant[2] ? 0 : 1;
  for (std::size_t i = 0; i < operands.size; ++i)
    result[i] = condition[i * c] != 0 ? a[i * nextA] : b[i * nextB];
}

/// Signed integers wrap around as unsigned ones do.
template <class T, class F>
T wrapping(F f, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(f(static_cast<U>(a), static_cast<U>(b)));
  } else {
    return f(a, b);
  }
}

struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return wrapping([](auto x, auto y) { return x + y; }, a, b);
  }
};
struct Subtract {
  template <class T>
  T operator()(T a, T b) const {
    return wrapping([](auto x, auto y) { return x - y; }, a, b);
  }
};
struct Multiply {
  template <class T>
  T operator()(T a, T b) const {
    return wrapping([](auto x, auto y) { return x * y; }, a, b);
  }
};
struct Negate {
  template <class T>
  T operator()(T a) const {
    if constexpr (std::is_integral_v<T>)
      return Subtract{}(T{0}, a);
    else
      return -a;
  }
};
struct Absolute {
  template <class T>
  T operator()(T a) const {
    if constexpr (std::is_floating_point_v<T>)
      return std::fabs(a);
    else if constexpr (std::is_signed_v<T>)
      return a < 0 ? Negate{}(a) : a;
    else
      return a;
  }
};
struct Divide {
  template <class T>
  T operator()(T a, T b) const {
    return a / b;
  }
};
struct Modulo {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      const T rest = std::fmod(a, b);
      if (rest == 0)
        return std::copysign(T{0}, b);
      return (rest < 0) != (b < 0) ? rest + b : rest;
    } else {
      if (b == 0 || b == static_cast<T>(-1)) // the least integer % -1 is an overflow in C++
        return b == 0 || std::is_signed_v<T> ? T{0} : a % b;
      const T rest = a % b;
      return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    }
  }
};
struct FloorDivide {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (b == 0)
        return a / b;
      const T rest = std::fmod(a, b);
      const T isBelow = rest != 0 && (rest < 0) != (b < 0) ? T{1} : T{0};
      const T quotient = (a - rest) / b - isBelow; // nearly whole, as in CPython's float_divmod
      if (quotient == 0)
        return std::copysign(T{0}, a / b);
      const T whole = std::floor(quotient);
      return quotient - whole > T(0.5) ? whole + 1 : whole;
    } else {
      if (b == 0)
        return 0;
      if (std::is_signed_v<T> && b == static_cast<T>(-1))
        return Negate{}(a);
      const T quotient = a / b;
      return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
    }
  }
};
struct Minimum {
  template <class T>
  T operator()(T a, T b) const {
    return a < b || a != a ? a : b;
  }
};
struct Maximum {
  template <class T>
  T operator()(T a, T b) const {
    return a > b || a != a ? a : b;
  }
};
struct BitAnd {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct BitOr {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct BitXor {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};
struct Invert {
  template <class T>
  T operator()(T a) const {
    return static_cast<T>(~a);
  }
};
struct LogicalNot {
  std::uint8_t operator()(std::uint8_t a) const { return a ^ 1U; }
};
/// Shifts by 64 bits and more, or by less than none, leave nothing but the sign.
struct ShiftLeft {
  template <class T>
  T operator()(T a, T b) const {
    const auto bits = static_cast<std::uint64_t>(b);
    return bits < 64 ? static_cast<T>(static_cast<std::uint64_t>(a) << bits) : T{0};
  }
};
struct ShiftRight {
  template <class T>
  T operator()(T a, T b) const {
    const auto bits = static_cast<std::uint64_t>(b);
    return static_cast<T>(a >> (bits < 64 ? bits : 63)) >> (bits < 64 ? 0 : 1);
  }
};
struct Less {
  template <class T>
  bool operator()(T a, T b) const {
    return a < b;
  }
};
struct LessEqual {
  template <class T>
  bool operator()(T a, T b) const {
    return a <= b;
  }
};
struct Greater {
  template <class T>
  bool operator()(T a, T b) const {
    return a > b;
  }
};
struct GreaterEqual {
  template <class T>
  bool operator()(T a, T b) const {
    return a >= b;
  }
};
struct Equal {
  template <class T>
  bool operator()(T a, T b) const {
    return a == b;
  }
};
struct NotEqual {
  template <class T>
  bool operator()(T a, T b) const {
    return a != b;
  }
};
struct IsNan {
  template <class T>
  bool operator()(T a) const {
    return a != a;
  }
};
struct IsFinite {
  template <class T>
  bool operator()(T a) const {
    return std::fabs(a) <= std::numeric_limits<T>::max();
  }
};

/// Beyond what an integer can be: the nearest it can be; NaN: 0.
template <class To, class From>
To converted(From value) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    constexpr From least = static_cast<From>(std::numeric_limits<To>::lowest());
    constexpr From beyond = static_cast<From>(std::numeric_limits<To>::max()); // rounded up
    if (!(value >= least))
      return value != value ? To{0} : std::numeric_limits<To>::lowest();
    return value >= beyond ? std::numeric_limits<To>::max() : static_cast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}
template <class To>
struct Convert {
  template <class From>
  To operator()(From value) const {
    return converted<To>(value);
  }
};
struct ConvertToBool {
  template <class From>
  bool operator()(From value) const {
    return value != From{0};
  }
};

Kernel conversion(Scalar from, Scalar to) {
  return withScalar(from, [to](auto zero) -> Kernel {
    using From = decltype(zero);
    if (to == Scalar::Bool)
      return &unary<From, std::uint8_t, ConvertToBool>;
    return withScalar(to, [](auto other) -> Kernel {
      using To = decltype(other);
      if constexpr (sizeof(To) == 8 || std::is_floating_point_v<To>)
        return &unary<From, To, Convert<To>>;
      else
        return nullptr;
    });
  });
}

/// Calls `use` with the types that arithmetic is done in, for all others there is no kernel.
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

template <class F>
Kernel arithmetic(Scalar type) {
  return ofNumbers(type,
                   [](auto zero) -> Kernel { return &binary<decltype(zero), decltype(zero), F>; });
}
template <class F>
Kernel bits(Scalar type) {
  if (type == Scalar::Bool)
    return &binary<std::uint8_t, std::uint8_t, F>;
  return ofIntegers(type,
                    [](auto zero) -> Kernel { return &binary<decltype(zero), decltype(zero), F>; });
}
template <class F>
Kernel comparison(Scalar type) {
  return withScalar(type,
                    [](auto zero) -> Kernel { return &binary<decltype(zero), std::uint8_t, F>; });
}

/// A formula of floats, as a type that can be called.
template <auto formula>
struct Formula {
  template <class... T>
  auto operator()(T... values) const {
    return formula(values...);
  }
};
template <std::size_t arity, auto formula>
Kernel floats(Scalar type) {
  return ofFloats(type, [](auto zero) -> Kernel {
    using T = decltype(zero);
    return &function<T, T, Formula<formula>, arity>;
  });
}

Kernel ofTwoNumbers(Operation operation, Scalar type) {
  switch (operation) {
  case Operation::add:
    return arithmetic<Add>(type);
  case Operation::subtract:
    return arithmetic<Subtract>(type);
  case Operation::multiply:
    return arithmetic<Multiply>(type);
  case Operation::divide:
    return ofFloats(
        type, [](auto zero) -> Kernel { return &binary<decltype(zero), decltype(zero), Divide>; });
  case Operation::floorDivide:
    return arithmetic<FloorDivide>(type);
  case Operation::modulo:
    return arithmetic<Modulo>(type);
  case Operation::minimum:
    return arithmetic<Minimum>(type);
  case Operation::maximum:
    return arithmetic<Maximum>(type);
  case Operation::bitAnd:
    return bits<BitAnd>(type);
  case Operation::bitOr:
    return bits<BitOr>(type);
  case Operation::bitXor:
    return bits<BitXor>(type);
  case Operation::shiftLeft:
    return ofIntegers(type, [](auto zero) -> Kernel {
      return &binary<decltype(zero), decltype(zero), ShiftLeft>;
    });
  case Operation::shiftRight:
    return ofIntegers(type, [](auto zero) -> Kernel {
      return &binary<decltype(zero), decltype(zero), ShiftRight>;
    });
  case Operation::logicalAnd:
    return &binary<std::uint8_t, std::uint8_t, BitAnd>;
  case Operation::logicalOr:
    return &binary<std::uint8_t, std::uint8_t, BitOr>;
  case Operation::less:
    return comparison<Less>(type);
  case Operation::lessEqual:
    return comparison<LessEqual>(type);
  case Operation::greater:
    return comparison<Greater>(type);
  case Operation::greaterEqual:
    return comparison<GreaterEqual>(type);
  case Operation::equal:
    return comparison<Equal>(type);
  case Operation::notEqual:
    return comparison<NotEqual>(type);
  default:
    return nullptr;
  }
}

template <class F>
Kernel ofOneNumber(Scalar type) {
  return ofNumbers(type,
                   [](auto zero) -> Kernel { return &unary<decltype(zero), decltype(zero), F>; });
}
template <class F>
Kernel testOfFloat(Scalar type) {
  return ofFloats(type,
                  [](auto zero) -> Kernel { return &unary<decltype(zero), std::uint8_t, F>; });
}

Kernel ofOneValue(Operation operation, Scalar type) {
  switch (operation) {
  case Operation::negate:
    return ofOneNumber<Negate>(type);
  case Operation::absolute:
    return ofOneNumber<Absolute>(type);
  case Operation::invert:
    return ofIntegers(
        type, [](auto zero) -> Kernel { return &unary<decltype(zero), decltype(zero), Invert>; });
  case Operation::logicalNot:
    return &unary<std::uint8_t, std::uint8_t, LogicalNot>;
  case Operation::isNan:
    return testOfFloat<IsNan>(type);
  case Operation::isFinite:
    return testOfFloat<IsFinite>(type);
  default:
    return nullptr;
  }
}

Kernel functionOfOne(Operation operation, Scalar type) {
  switch (operation) {
  case Operation::squareRoot:
    return floats<1, [](auto x) { return std::sqrt(x); }>(type);
  case Operation::exponential:
    return floats<1, [](auto x) { return std::exp(x); }>(type);
  case Operation::logarithm:
    return floats<1, [](auto x) { return std::log(x); }>(type);
  case Operation::logarithm10:
    return floats<1, [](auto x) { return std::log10(x); }>(type);
  case Operation::sine:
    return floats<1, [](auto x) { return std::sin(x); }>(type);
  case Operation::cosine:
    return floats<1, [](auto x) { return std::cos(x); }>(type);
  case Operation::tangent:
    return floats<1, [](auto x) { return std::tan(x); }>(type);
  case Operation::arcSine:
    return floats<1, [](auto x) { return std::asin(x); }>(type);
  case Operation::arcCosine:
    return floats<1, [](auto x) { return std::acos(x); }>(type);
  case Operation::arcTangent:
    return floats<1, [](auto x) { return std::atan(x); }>(type);
  case Operation::hyperbolicSine:
    return floats<1, [](auto x) { return hyperbolicSine(x); }>(type);
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
  default:
    return nullptr;
  }
}

Kernel functionOfSeveral(Operation operation, Scalar type) {
  switch (operation) {
  case Operation::power:
    return floats<2, [](auto x, auto y) { return std::pow(x, y); }>(type);
  case Operation::arcTangent2:
    return floats<2, [](auto y, auto x) { return std::atan2(y, x); }>(type);
  case Operation::hypotenuse:
    return floats<2, [](auto x, auto y) { return std::hypot(x, y); }>(type);
  case Operation::deltaPhi:
    return floats<2, [](auto a, auto b) { return kaon::deltaPhi(a, b); }>(type);
  case Operation::deltaR:
    return floats<4, [](auto a, auto b, auto c, auto d) { return kaon::deltaR(a, b, c, d); }>(type);
  case Operation::transverseMass:
    return floats<4, [](auto a, auto b, auto c, auto d) {
      return kaon::transverseMass(a, b, c, d);
    }>(type);
  case Operation::px:
    return floats<2, [](auto pt, auto phi) { return pxOf(pt, phi); }>(type);
  case Operation::py:
    return floats<2, [](auto pt, auto phi) { return pyOf(pt, phi); }>(type);
  case Operation::pz:
    return floats<2, [](auto pt, auto eta) { return pzOf(pt, eta); }>(type);
  case Operation::pt:
    return floats<2, [](auto px, auto py) { return ptOf(px, py); }>(type);
  case Operation::phi:
    return floats<2, [](auto px, auto py) { return phiOf(px, py); }>(type);
  case Operation::p:
    return floats<3, [](auto px, auto py, auto pz) { return pOf(px, py, pz); }>(type);
  case Operation::eta:
    return floats<3, [](auto px, auto py, auto pz) { return etaOf(px, py, pz); }>(type);
  case Operation::theta:
    return floats<3, [](auto px, auto py, auto pz) { return thetaOf(px, py, pz); }>(type);
  case Operation::energy:
    return floats<4, [](auto px, auto py, auto pz, auto m) { return energyOf(px, py, pz, m); }>(
        type);
  case Operation::mass:
    return floats<4, [](auto px, auto py, auto pz, auto E) { return massOf(px, py, pz, E); }>(type);
  case Operation::rapidity:
    return floats<2, [](auto pz, auto E) { return rapidityOf(pz, E); }>(type);
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
  for (const auto find : {&ofTwoNumbers, &ofOneValue, &functionOfOne, &functionOfSeveral})
    if (const Kernel kernel = find(operation, operand))
      return kernel;
  return nullptr;
}

} // namespace kaon::expression
