#pragma once

#include <kaon/codec/BitPacking.h>
#include <kaon/codec/BitPlanes.h>
#include <kaon/codec/Rounding.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

/// The kernels of this layer, computed bit by bit and value by value as their layouts are
/// described: for tests, and for authors of other readers.
namespace kaon::codec::reference {

using Values = std::vector<std::uint64_t>; ///< unsigned numbers of up to 8 bytes

inline Values load(unsigned size, const std::byte* bytes, std::size_t count) {
  Values values(count);
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(&values[i], bytes + i * size, size);
  return values;
}
inline void store(unsigned size, const Values& values, std::byte* bytes) {
  for (std::size_t i = 0; i < values.size(); ++i)
    std::memcpy(bytes + i * size, &values[i], size);
}
inline std::uint64_t maskOf(unsigned bits) {
  return bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits);
}
inline std::uint64_t rotatedLeft(unsigned size, std::uint64_t value) {
  return (value << 1 | value >> (8 * size - 1)) & maskOf(8 * size);
}
inline std::uint64_t rotatedRight(unsigned size, std::uint64_t value) {
  return (value >> 1 | value << (8 * size - 1)) & maskOf(8 * size);
}

inline Values transformed(unsigned size, const Packing& packing, const Values& values) {
  Values out = values;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (packing.transform == Transform::rotated)
      out[i] = rotatedLeft(size, values[i]);
    else if (packing.transform == Transform::delta)
      out[i] = i == 0 ? packing.base : (values[i] - values[i - 1]) & maskOf(8 * size);
  return out;
}

/// Returns the position of bit `k` of value `i` among the packed bits of a block.
inline std::size_t placeOf(unsigned size, std::size_t count, unsigned width, std::size_t i,
                           unsigned k) {
  const std::size_t lanes = rowBytes / size;
  const std::size_t bits = 8 * std::size_t{size};
  const std::size_t rows = count < leastInRows ? 0 : count / lanes;
  const std::size_t words = (rows * width + bits - 1) / bits;
  if (i >= rows * lanes)
    return words * rowBytes * 8 + (i - rows * lanes) * width + k;
  const std::size_t inLane = i / lanes * width + k;
  return inLane / bits * rowBytes * 8 + i % lanes * bits + inLane % bits;
}

inline void packBlock(unsigned size, const Packing& packing, const std::byte* values,
                      std::size_t count, std::byte* packed) {
  const Values numbers = transformed(size, packing, load(size, values, count));
  std::fill_n(packed, packedBlockSize(size, count, packing.width), std::byte{0});
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = ((numbers[i] - packing.base) & maskOf(8 * size)) >> packing.shift;
    for (unsigned k = 0; k < packing.width; ++k) {
      const std::size_t place = placeOf(size, count, packing.width, i, k);
      packed[place / 8] |= static_cast<std::byte>((bits >> k & 1) << place % 8);
    }
  }
}

inline void unpackBlock(unsigned size, const Packing& packing, const std::byte* packed,
                        std::size_t count, std::byte* values) {
  Values numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t bits = 0;
    for (unsigned k = 0; k < packing.width; ++k) {
      const std::size_t place = placeOf(size, count, packing.width, i, k);
      bits |= (std::to_integer<std::uint64_t>(packed[place / 8]) >> place % 8 & 1) << k;
    }
    numbers[i] = ((bits << packing.shift) + packing.base) & maskOf(8 * size);
    if (packing.transform == Transform::rotated)
      numbers[i] = rotatedRight(size, numbers[i]);
    else if (packing.transform == Transform::delta)
      numbers[i] = (i == 0 ? packing.first : numbers[i] + numbers[i - 1]) & maskOf(8 * size);
  }
  store(size, numbers, values);
}

inline void splitBytes(std::size_t size, const std::byte* values, std::size_t count,
                       std::byte* planes) {
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t byte = 0; byte < size; ++byte)
      planes[byte * count + i] = values[i * size + byte];
}

inline void splitBits(const std::byte* bytes, std::size_t count, std::byte* planes) {
  const std::size_t planeSize = bitPlaneSize(count);
  std::fill_n(planes, 8 * planeSize, std::byte{0});
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t piece = i / 1024;
    const std::size_t inPiece = i % 1024;
    const std::size_t lanes = bitPlaneSize(piece < count / 1024 ? 1024 : count % 1024);
    for (std::size_t k = 0; k < 8; ++k)
      planes[k * planeSize + piece * 128 + inPiece % lanes] |=
          static_cast<std::byte>((std::to_integer<unsigned>(bytes[i]) >> k & 1) << inPiece / lanes);
  }
}

/// Returns the bits of a float with only the highest `bits` of its mantissa, rounded.
inline std::uint64_t roundMantissa(unsigned size, unsigned bits, std::uint64_t value) {
  const unsigned mantissa = size == 4 ? 23 : 52;
  const std::uint64_t exponent = maskOf(8 * size - 1) & ~maskOf(mantissa);
  const std::uint64_t unit = std::uint64_t{1} << (mantissa - bits);
  const std::uint64_t below = value & ~(unit - 1);
  const std::uint64_t above = below + unit;
  if ((value & exponent) == exponent || (above & exponent) == exponent)
    return (value & exponent) == exponent ? value : below;
  if (value - below != above - value)
    return value - below < above - value ? below : above;
  return (below & unit) == 0 ? below : above;
}

/// Returns a step in the value's type; the product is rounded before the sum.
template <class T>
T stepAt(const Steps& steps, double number) {
  const volatile double product = steps.step * number;
  return static_cast<T>(steps.low + product);
}

template <class T>
T roundToStep(const Steps& steps, T value) {
  const double distance = (static_cast<double>(value) - steps.low) / steps.step;
  const double most = steps.most;
  if (!(distance >= -0.5 && distance <= most + 0.5))
    return value;
  return stepAt<T>(steps, std::min(std::nearbyint(distance), most));
}

} // namespace kaon::codec::reference
