#pragma once

#include <charconv>

namespace kaon {

/// Parses a floating-point number as std::from_chars() does, which libc++ lacks for these types.
[[nodiscard]] std::from_chars_result
parseFloat(const char* first, const char* last, double& value,
           std::chars_format format = std::chars_format::general);
[[nodiscard]] std::from_chars_result
parseFloat(const char* first, const char* last, float& value,
           std::chars_format format = std::chars_format::general);

namespace detail {

/// Parses as parseFloat() does, by functions of C.
[[nodiscard]] std::from_chars_result parseFloatByC(const char* first, const char* last,
                                                   double& value, std::chars_format format);
[[nodiscard]] std::from_chars_result parseFloatByC(const char* first, const char* last,
                                                   float& value, std::chars_format format);

} // namespace detail
} // namespace kaon
