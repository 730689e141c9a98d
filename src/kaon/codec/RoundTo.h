#pragma once

#include <kaon/codec/Element.h>
#include <kaon/codec/Precision.h>

#include <cstddef>
#include <span>
#include <string>

namespace kaon::codec {

/// What is wrong with a precision for these values, and what to do, or "": "cannot keep 30 bits of
/// a mantissa; of float32 keep 1 to 22". A range is of finite numbers, and its steps are not about
/// as fine as the type's own at its ends, so that rounding twice is rounding once: at least 2 times
/// those of float32, at least 8 times those of float64.
[[nodiscard]] std::string check(const Precision& precision, Element element);

/// Rounds float32 or float64 values to `out`, which may be the values themselves, but may not
/// overlap them otherwise. The same on every machine. Throws Error(usage) unless check() is "" and
/// both are of the same size, whole values. Any thread.
///
///   mantissa  to nearest, ties to even. Infinities, NaNs and zeros with their signs stay; a finite
///             value never becomes infinite, but the largest one of the grid. The relative error of
///             subnormal numbers is larger.
///   range     from half a step below the first to half a step above the last to the nearest one,
///             low + step * k in double arithmetic, then cast to the type, which may add its own
///             rounding. What lies outside stays exactly what it is, as do infinities and NaNs:
///             data are never clamped.
void roundTo(const Precision& precision, Element element, std::span<const std::byte> values,
             std::span<std::byte> out);

} // namespace kaon::codec
