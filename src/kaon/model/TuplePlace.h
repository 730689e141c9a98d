#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kaon {

/// Returns the place of a part of a pair or tuple by its name: 1 for "_1" and "second". Returns
/// nothing for other names. Tables have strings and lists after numbers, but readers such as uproot
/// find the parts of a tuple by their order.
[[nodiscard]] std::optional<std::uint32_t> placeInTuple(std::string_view name) noexcept;

} // namespace kaon
