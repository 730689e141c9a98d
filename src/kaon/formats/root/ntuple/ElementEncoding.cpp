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
  NTupleColumnType plain, split;
};

/// The types of columns for each scalar.
constexpr std::array<Types, detail::scalarKinds> types{{
    {NTupleColumnType::Bit, NTupleColumnType::Bit},
    {NTupleColumnType::Int8, NTupleColumnType::Int8},
    {NTupleColumnType::UInt8, NTupleColumnType::UInt8},
    {NTupleColumnType::Int16, NTupleColumnType::SplitInt16},
    {NTupleColumnType::UInt16, NTupleColumnType::SplitUInt16},
    {NTupleColumnType::Int32, NTupleColumnType::SplitInt32},
    {NTupleColumnType::UInt32, NTupleColumnType::SplitUInt32},
    {NTupleColumnType::Int64, NTupleColumnType::SplitInt64},
    {NTupleColumnType::UInt64, NTupleColumnType::SplitUInt64},
    {NTupleColumnType::Real32, NTupleColumnType::SplitReal32},
    {NTupleColumnType::Real64, NTupleColumnType::SplitReal64},
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

NTupleColumnType columnTypeFor(Scalar type, bool isCompressed) noexcept {
  const Types& both = types[static_cast<std::size_t>(type)];
  return isCompressed ? both.split : both.plain;
}

NTupleColumnType indexTypeFor(bool isCompressed, bool isWide) noexcept {
  if (isWide)
    return isCompressed ? NTupleColumnType::SplitIndex64 : NTupleColumnType::Index64;
  return isCompressed ? NTupleColumnType::SplitIndex32 : NTupleColumnType::Index32;
}

std::uint16_t bitsOf(NTupleColumnType type) noexcept {
  switch (type) {
  case NTupleColumnType::Bit:
    return 1;
  case NTupleColumnType::Int16:
  case NTupleColumnType::UInt16:
  case NTupleColumnType::SplitInt16:
  case NTupleColumnType::SplitUInt16:
    return 16;
  case NTupleColumnType::Int32:
  case NTupleColumnType::UInt32:
  case NTupleColumnType::Real32:
  case NTupleColumnType::Index32:
  case NTupleColumnType::SplitInt32:
  case NTupleColumnType::SplitUInt32:
  case NTupleColumnType::SplitReal32:
  case NTupleColumnType::SplitIndex32:
    return 32;
  case NTupleColumnType::Int64:
  case NTupleColumnType::UInt64:
  case NTupleColumnType::Real64:
  case NTupleColumnType::Index64:
  case NTupleColumnType::SplitInt64:
  case NTupleColumnType::SplitUInt64:
  case NTupleColumnType::SplitReal64:
  case NTupleColumnType::SplitIndex64:
    return 64;
  default:
    return 8;
  }
}

void encodeElements(NTupleColumnType type, const std::byte* values, std::size_t count,
                    std::byte* scratch, std::byte* out) noexcept {
  const std::size_t size = bitsOf(type) / 8;
  switch (type) {
  case NTupleColumnType::Bit:
    return encodeBits(values, count, out);
  case NTupleColumnType::SplitInt16:
    encodeZigzag<std::uint16_t>(values, count, scratch);
    return codec::splitBytes(size, scratch, count, out);
  case NTupleColumnType::SplitInt32:
    encodeZigzag<std::uint32_t>(values, count, scratch);
    return codec::splitBytes(size, scratch, count, out);
  case NTupleColumnType::SplitInt64:
    encodeZigzag<std::uint64_t>(values, count, scratch);
    return codec::splitBytes(size, scratch, count, out);
  case NTupleColumnType::SplitIndex32:
    encodeDifferences(values, count, scratch);
    return codec::splitBytes(size, scratch, count, out);
  case NTupleColumnType::Index64:
    return widen(values, count, out);
  case NTupleColumnType::SplitIndex64:
    encodeDifferences(values, count, scratch);
    widen(scratch, count, scratch);
    return codec::splitBytes(size, scratch, count, out);
  case NTupleColumnType::SplitUInt16:
  case NTupleColumnType::SplitUInt32:
  case NTupleColumnType::SplitUInt64:
  case NTupleColumnType::SplitReal32:
  case NTupleColumnType::SplitReal64:
    return codec::splitBytes(size, values, count, out);
  default:
    std::memcpy(out, values, count * size);
  }
}

} // namespace kaon::root
