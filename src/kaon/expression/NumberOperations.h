#pragma once

#include <kaon/detail/base/Wrapping.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

// Operations on single numbers, with the rules of Elementwise.h. Each is a type, so that loops can
// inline it.

namespace kaon::expression::number {

struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return detail::wrapping([](auto x, auto y) { return x + y; }, a, b);
  }
};
struct Subtract {
  template <class T>
  T operator()(T a, T b) const {
    return detail::wrapping([](auto x, auto y) { return x - y; }, a, b);
  }
};
struct Multiply {
  template <class T>
  T operator()(T a, T b) const {
    return detail::wrapping([](auto x, auto y) { return x * y; }, a, b);
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
      if (b == 0 || b == static_cast<T>(-1)) // In C++, the least integer % -1 overflows.
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
      // Nearly an integer, as in CPython's float_divmod.
      const T quotient = (a - rest) / b - isBelow;
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
/// Shifts by 64 bits or more, or by a negative number, return 0, or -1 for right shifts of negative
/// integers.
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

/// Converts a number. Values that an integer type cannot hold become its nearest limit, and NaN
/// becomes 0.
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

} // namespace kaon::expression::number
