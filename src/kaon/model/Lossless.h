#pragma once

#include <kaon/model/Scalar.h>

#include <limits>

namespace kaon {

/// Returns whether each value of `from` is also a value of `as`. Bools are not numbers.
[[nodiscard]] inline bool isLossless(Scalar from, Scalar as) noexcept {
  if (from == as)
    return true;
  if (from == Scalar::Bool || as == Scalar::Bool)
    return false;
  return withScalar(from, [&](auto in) {
    return withScalar(as, [&](auto out) {
      using In = std::numeric_limits<decltype(in)>;
      using Out = std::numeric_limits<decltype(out)>;
      return (In::is_integer || !Out::is_integer) && (!In::is_signed || Out::is_signed) &&
             In::digits <= Out::digits;
    });
  });
}

} // namespace kaon
