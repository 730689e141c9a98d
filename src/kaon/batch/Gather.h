#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace kaon {

namespace detail {
template <std::size_t size>
void copyStrided(std::byte* out, std::size_t outStride, const std::byte* in, std::size_t inStride,
                 std::size_t rows) noexcept {
  for (std::size_t i = 0; i < rows; ++i)
    std::memcpy(out + i * outStride, in + i * inStride, size);
}
} // namespace detail

/// Copies `rows` elements of `size` bytes from one spacing to another. The ranges do not overlap.
inline void copyStrided(std::byte* out, std::size_t outStride, const std::byte* in,
                        std::size_t inStride, std::size_t rows, std::size_t size) noexcept {
  if (rows == 0)
    return;
  if (outStride == size && inStride == size) {
    std::memcpy(out, in, rows * size);
    return;
  }
  switch (size) {
  case 1:
    return detail::copyStrided<1>(out, outStride, in, inStride, rows);
  case 2:
    return detail::copyStrided<2>(out, outStride, in, inStride, rows);
  case 4:
    return detail::copyStrided<4>(out, outStride, in, inStride, rows);
  case 8:
    return detail::copyStrided<8>(out, outStride, in, inStride, rows);
  default:
    for (std::size_t i = 0; i < rows; ++i)
      std::memcpy(out + i * outStride, in + i * inStride, size);
  }
}

} // namespace kaon
