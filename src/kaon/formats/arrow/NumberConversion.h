#pragma once

#include <kaon/model/Scalar.h>

#include <cstddef>
#include <string_view>

namespace kaon::arrow {

/// Converts numbers to another type that can hold their values: only double precision may be lost.
/// `name` is the name of the values in messages. Throws Error(type) if the type is for another kind
/// of values: floats cannot become integers, and numbers cannot become truth values. Throws
/// Error(usage) for a value out of range.
void convertNumbers(Scalar from, const std::byte* values, std::size_t count, Scalar to,
                    std::byte* out, std::string_view name);

} // namespace kaon::arrow
