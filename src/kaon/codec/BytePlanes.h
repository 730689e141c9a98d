#pragma once

#include <cstddef>

namespace kaon::codec {

// Plane p of values of `size` bytes is byte p of the first, the second, ... value. The planes stand
// one after another, each of as many bytes as there are values.

/// Splits values of at least one byte into their planes.
void splitBytes(std::size_t size, const std::byte* values, std::size_t count,
                std::byte* planes) noexcept;

/// Puts `size` planes, wherever each of them is, together again.
void mergeBytes(std::size_t size, const std::byte* const* planes, std::size_t count,
                std::byte* values) noexcept;

} // namespace kaon::codec
