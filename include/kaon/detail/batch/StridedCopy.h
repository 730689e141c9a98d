#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace kaon::detail {

/// A spacing that is known to the compiler.
template <std::size_t size>
struct Fixed {
  constexpr operator std::size_t() const noexcept { return size; }
};

template <std::size_t size>
void copyElements(std::byte* out, auto outStride, const std::byte* in, auto inStride,
                  std::size_t rows) noexcept {
#pragma GCC unroll 4
  for (std::size_t i = 0; i < rows; ++i)
    std::memcpy(out + i * outStride, in + i * inStride, size);
}

template <std::size_t size>
void copyStrided(std::byte* out, std::size_t outStride, const std::byte* in, std::size_t inStride,
                 std::size_t rows) noexcept {
  if (outStride == size)
    copyElements<size>(out, Fixed<size>(), in, inStride, rows);
  else if (inStride == size)
    copyElements<size>(out, outStride, in, Fixed<size>(), rows);
  else
    copyElements<size>(out, outStride, in, inStride, rows);
}
/// Copies `rows` elements of `size` bytes from one spacing to another. The ranges must not overlap.
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

/// A copy of elements from one spacing to another.
struct StridedCopy {
  std::byte* out;
  std::size_t outStride;
  const std::byte* in;
  std::size_t inStride;
  std::size_t size;
};

/// Makes several copies of `rows` elements each, which must not overlap. The copies alternate every
/// few rows, so that structs stay in the fastest cache. Adjacent members of 4 bytes are copied
/// several at once.
void copyTogether(std::span<const StridedCopy> copies, std::size_t rows) noexcept;

} // namespace kaon::detail
