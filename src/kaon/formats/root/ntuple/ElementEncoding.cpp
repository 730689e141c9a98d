#include <kaon/formats/root/ntuple/ElementEncoding.h>

#include <kaon/base/Bytes.h>
#include <kaon/codec/BytePlanes.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace kaon::root {
namespace {

struct Types {
  ColumnType plain, split;
};

/// The types of columns for each scalar.
constexpr std::array<Types, detail::scalarKinds> types{{
    {ColumnType::Bit, ColumnType::Bit},
    {ColumnType::Int8, ColumnType::Int8},
    {ColumnType::UInt8, ColumnType::UInt8},
    {ColumnType::Int16, ColumnType::SplitInt16},
    {ColumnType::UInt16, ColumnType::SplitUInt16},
    {ColumnType::Int32, ColumnType::SplitInt32},
    {ColumnType::UInt32, ColumnType::SplitUInt32},
    {ColumnType::Int64, ColumnType::SplitInt64},
    {ColumnType::UInt64, ColumnType::SplitUInt64},
    {ColumnType::Real32, ColumnType::SplitReal32},
    {ColumnType::Real64, ColumnType::SplitReal64},
}};

/// Stores `change(before, value)` for each value. Neither input nor output needs alignment.
template <class T, class Change>
void changeEach(const std::byte* values, std::size_t count, std::byte* out,
                Change change) noexcept {
  T before{0};
  for (std::size_t i = 0; i < count; ++i) {
    const T value = detail::loadAs<T>(values + i * sizeof(T));
    const T changed = change(before, value);
    std::memcpy(out + i * sizeof(T), &changed, sizeof(T));
    before = value;
  }
}

/// Zigzag encoding: small signed numbers become small unsigned ones.
template <class T>
void encodeZigzag(const std::byte* values, std::size_t count, std::byte* out) noexcept {
  changeEach<T>(values, count, out, [](T, T value) {
    using Signed = std::make_signed_t<T>;
    constexpr int signBit = 8 * sizeof(T) - 1;
    return static_cast<T>(static_cast<T>(value << 1) ^
                          static_cast<T>(static_cast<Signed>(value) >> signBit));
  });
}

void encodeDifferences(const std::byte* values, std::size_t count, std::byte* out) noexcept {
  changeEach<std::uint32_t>(
      values, count, out, [](std::uint32_t before, std::uint32_t value) { return value - before; });
}

/// Widens 32-bit values to 64 bits. `values` may be the beginning of `out`.
void widen(const std::byte* values, std::size_t count, std::byte* out) noexcept {
  for (std::size_t i = count; i-- > 0;) {
    const std::uint64_t value = detail::loadAs<std::uint32_t>(values + i * sizeof(std::uint32_t));
    std::memcpy(out + i * sizeof value, &value, sizeof value);
  }
}

/// Packs eight values at once: the multiplication collects the lowest bit of each byte in the
/// highest byte.
void encodeBits(const std::byte* values, std::size_t count, std::byte* out) noexcept {
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8)
    out[i / 8] = static_cast<std::byte>(
        detail::loadAs<std::uint64_t>(values + i) * std::uint64_t{0x0102040810204080} >> 56);
  for (std::size_t bit = i; bit < count; ++bit) {
    if (bit == i)
      out[i / 8] = std::byte{0};
    out[i / 8] |= values[bit] << (bit - i);
  }
}

} // namespace

ColumnType columnTypeFor(Scalar type, bool isCompressed) noexcept {
  const Types& both = types[static_cast<std::size_t>(type)];
  return isCompressed ? both.split : both.plain;
}

ColumnType indexTypeFor(bool isCompressed, bool isWide) noexcept {
  if (isWide)
    return isCompressed ? ColumnType::SplitIndex64 : ColumnType::Index64;
  return isCompressed ? ColumnType::SplitIndex32 : ColumnType::Index32;
}

std::uint16_t bitsOf(ColumnType type) noexcept {
  switch (type) {
  case ColumnType::Bit:
    return 1;
  case ColumnType::Int16:
  case ColumnType::UInt16:
  case ColumnType::SplitInt16:
  case ColumnType::SplitUInt16:
    return 16;
  case ColumnType::Int32:
  case ColumnType::UInt32:
  case ColumnType::Real32:
  case ColumnType::Index32:
  case ColumnType::SplitInt32:
  case ColumnType::SplitUInt32:
  case ColumnType::SplitReal32:
  case ColumnType::SplitIndex32:
    return 32;
  case ColumnType::Int64:
  case ColumnType::UInt64:
  case ColumnType::Real64:
  case ColumnType::Index64:
  case ColumnType::SplitInt64:
  case ColumnType::SplitUInt64:
  case ColumnType::SplitReal64:
  case ColumnType::SplitIndex64:
    return 64;
  default:
    return 8;
  }
}

void encodeElements(ColumnType type, const std::byte* values, std::size_t count, std::byte* scratch,
                    std::byte* out) noexcept {
  const std::size_t size = bitsOf(type) / 8;
  switch (type) {
  case ColumnType::Bit:
    return encodeBits(values, count, out);
  case ColumnType::SplitInt16:
    encodeZigzag<std::uint16_t>(values, count, scratch);
    return codec::splitBytes(size, scratch, count, out);
  case ColumnType::SplitInt32:
    encodeZigzag<std::uint32_t>(values, count, scratch);
    return codec::splitBytes(size, scratch, count, out);
  case ColumnType::SplitInt64:
    encodeZigzag<std::uint64_t>(values, count, scratch);
    return codec::splitBytes(size, scratch, count, out);
  case ColumnType::SplitIndex32:
    encodeDifferences(values, count, scratch);
    return codec::splitBytes(size, scratch, count, out);
  case ColumnType::Index64:
    return widen(values, count, out);
  case ColumnType::SplitIndex64:
    encodeDifferences(values, count, scratch);
    widen(scratch, count, scratch);
    return codec::splitBytes(size, scratch, count, out);
  case ColumnType::SplitUInt16:
  case ColumnType::SplitUInt32:
  case ColumnType::SplitUInt64:
  case ColumnType::SplitReal32:
  case ColumnType::SplitReal64:
    return codec::splitBytes(size, values, count, out);
  default:
    std::memcpy(out, values, count * size);
  }
}

} // namespace kaon::root
