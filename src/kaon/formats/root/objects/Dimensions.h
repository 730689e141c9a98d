#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// Arrays of arrays of numbers keep their shape, "[2][3]". ROOT describes arrays of one dimension by
// their length alone.

namespace kaon::root {

/// Returns the shape of an array of arrays with this number of values. Returns "" for fewer than
/// two sizes, and for sizes of another number of values.
[[nodiscard]] std::string dimensionsOf(std::span<const std::uint32_t> sizes, std::uint64_t values);

/// Returns the structure of a member with this path of components and this shape: see Structure.h.
[[nodiscard]] std::string structureOf(std::string_view path, std::string_view dimensions);

} // namespace kaon::root
