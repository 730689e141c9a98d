#pragma once

#include <kaon/codec/Precision.h>
#include <kaon/detail/codec/Element.h>

#include <cstddef>
#include <span>
#include <string>

namespace kaon::codec {

/// Returns the fault of a precision for these values, with the remedy: "cannot keep 30 bits of a
/// mantissa; of float32 keep 1 to 22". Returns "" if there is no fault. The numbers of a range must
/// be finite. At its ends, its steps must be at least 2 times those of float32, or 8 times those of
/// float64. Otherwise rounding twice would differ from rounding once.
[[nodiscard]] std::string check(const Precision& precision, Element element);

/// Rounds float32 or float64 values to `out`, which may be identical to the values, but must not
/// overlap them otherwise. Results are the same on every machine. Throws Error(usage) unless
/// check() returns "" and both are whole values of the same size. Any thread.
///
///   mantissa  to nearest, ties to even. Infinities, NaNs and signed zeros are kept. A finite
///             value never becomes infinite, but the largest number of the grid. The relative
///             error of subnormal numbers is larger.
///   range     values from half a step below the first step to half a step above the last one, to
///             the nearest step: low + step * k in double arithmetic, then cast to the type, which
///             may add a rounding of its own. Values outside are kept exactly, as are infinities
///             and NaNs: data are never clamped.
void roundTo(const Precision& precision, Element element, std::span<const std::byte> values,
             std::span<std::byte> out);

} // namespace kaon::codec
