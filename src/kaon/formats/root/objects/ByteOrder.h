#pragma once

#include <cstddef>

namespace kaon::root {

/// Converts `count` numbers of `size` bytes (2, 4 or 8) from big-endian to native order. `out` has
/// room for them. Neither range needs alignment; they must not overlap.
void turnBytes(std::size_t size, const std::byte* numbers, std::size_t count,
               std::byte* out) noexcept;

} // namespace kaon::root
