#pragma once

#include <cstddef>

namespace kaon::root {

/// Turns the bytes of `count` numbers of `size` bytes (2, 4 or 8) around: from big-endian to as
/// they lie in memory. `out` has room for as many; both need no alignment and must not overlap.
void turnBytes(std::size_t size, const std::byte* numbers, std::size_t count,
               std::byte* out) noexcept;

} // namespace kaon::root
