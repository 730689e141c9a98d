#pragma once

#include <kaon/model/Scalar.h>

#include <cstddef>
#include <string_view>

namespace kaon::arrow {

/// Converts numbers to another type, which must keep their values: only double precision may get
/// lost. `name` is that of the values, for messages. Throws Error(type) if the type is for values
/// of another kind: fractions cannot become integers, nor numbers truth values. Throws
/// Error(usage) for a value out of range.
void convertNumbers(Scalar from, const std::byte* values, std::size_t count, Scalar to,
                    std::byte* out, std::string_view name);

} // namespace kaon::arrow
