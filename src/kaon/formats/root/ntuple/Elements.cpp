#include <kaon/formats/root/ntuple/Elements.h>

#include <kaon/base/Bytes.h>
#include <kaon/codec/BytePlanes.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

namespace kaon::root {
namespace {

enum class Coding : std::uint8_t { plain, split, bit, half, truncated, quantised, index, choice };

/// The properties of a type of column.
struct Form {
  Coding coding;
  std::uint8_t bytes; ///< of an element; 0 if its bits give the size
  std::optional<Scalar> scalar;
  bool isZigzag = false;
  std::uint8_t leastBits = 0, mostBits = 0; ///< for types of variable size
};

constexpr std::array<Form, columnTypes> forms{{
    {Coding::bit, 0, Scalar::Bool, false, 1, 1},
    {Coding::plain, 1, Scalar::UInt8},
    {Coding::plain, 1, Scalar::Int8},
    {Coding::plain, 1, Scalar::Int8},
    {Coding::plain, 1, Scalar::UInt8},
    {Coding::plain, 2, Scalar::Int16},
    {Coding::plain, 2, Scalar::UInt16},
    {Coding::plain, 4, Scalar::Int32},
    {Coding::plain, 4, Scalar::UInt32},
    {Coding::plain, 8, Scalar::Int64},
    {Coding::plain, 8, Scalar::UInt64},
    {Coding::half, 2, Scalar::Float32},
    {Coding::plain, 4, Scalar::Float32},
    {Coding::plain, 8, Scalar::Float64},
    {Coding::index, 4, std::nullopt},
    {Coding::index, 8, std::nullopt},
    {Coding::choice, 12, std::nullopt},
    {Coding::split, 2, Scalar::Int16, true},
    {Coding::split, 2, Scalar::UInt16},
    {Coding::split, 4, Scalar::Int32, true},
    {Coding::split, 4, Scalar::UInt32},
    {Coding::split, 8, Scalar::Int64, true},
    {Coding::split, 8, Scalar::UInt64},
    {Coding::half, 2, Scalar::Float32}, // decodeHalves() merges the planes
    {Coding::split, 4, Scalar::Float32},
    {Coding::split, 8, Scalar::Float64},
    {Coding::index, 4, std::nullopt}, // split differences
    {Coding::index, 8, std::nullopt},
    {Coding::truncated, 0, Scalar::Float32, false, 10, 31},
    {Coding::quantised, 0, Scalar::Float64, false, 1, 32},
}};

bool isKnown(NTupleColumnType type) noexcept {
  return static_cast<std::size_t>(type) < columnTypes;
}
const Form& formOf(NTupleColumnType type) noexcept { return forms[static_cast<std::size_t>(type)]; }

/// Merges planes into values of `size` bytes. Each plane has one byte of every value.
void mergePlanes(const Elements& page, std::size_t size, std::size_t first, std::size_t count,
                 std::byte* out) noexcept {
  std::array<const std::byte*, 8> planes{};
  for (std::size_t plane = 0; plane < size; ++plane)
    planes[plane] = page.bytes.data() + plane * page.count + first;
  codec::mergeBytes(size, planes.data(), count, out);
}

template <class T>
void undoZigzag(std::span<T> values) noexcept {
  for (T& value : values)
    value = static_cast<T>((value >> 1) ^ (T{0} - (value & 1)));
}

void undoZigzag(std::size_t size, std::span<std::byte> out) noexcept {
  const std::size_t count = out.size() / size;
  if (size == 2)
    undoZigzag(std::span(detail::valuesAt<std::uint16_t>(out.data()), count));
  else if (size == 4)
    undoZigzag(std::span(detail::valuesAt<std::uint32_t>(out.data()), count));
  else
    undoZigzag(std::span(detail::valuesAt<std::uint64_t>(out.data()), count));
}

/// Converts from IEEE half precision. A multiplication adjusts the exponent, which handles
/// denormals correctly.
float fromHalf(std::uint16_t half) noexcept {
  constexpr float scale = std::bit_cast<float>(std::uint32_t{(127 + 112) << 23});
  const std::uint32_t magnitude = half & 0x7FFFU, sign = half & 0x8000U;
  const std::uint32_t finite =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude << 13) * scale);
  const std::uint32_t other = magnitude << 13 | 0x7F800000U; // infinity or NaN
  return std::bit_cast<float>((magnitude >= 0x7C00U ? other : finite) | sign << 16);
}

void decodeHalves(const StoredColumn& column, const Elements& page, std::size_t first,
                  std::span<float> out) noexcept {
  const std::byte* const bytes = page.bytes.data();
  if (column.type == NTupleColumnType::SplitReal16)
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = fromHalf(static_cast<std::uint16_t>(
          std::to_integer<unsigned>(bytes[first + i]) |
          std::to_integer<unsigned>(bytes[page.count + first + i]) << 8));
  else
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = fromHalf(detail::loadAs<std::uint16_t>(bytes + 2 * (first + i)));
}

/// Calls `use` with each of some packed elements of `bits` bits.
template <class Use>
void forEachPacked(const Elements& page, unsigned bits, std::size_t first, std::size_t count,
                   Use use) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = (first + i) * bits;
    const std::size_t byte = begin / 8;
    std::uint64_t word = 0;
    if (byte + sizeof(word) <= page.bytes.size())
      word = detail::loadAs<std::uint64_t>(page.bytes.data() + byte);
    else
      std::memcpy(&word, page.bytes.data() + byte, page.bytes.size() - byte);
    use(i, word >> begin % 8 & mask);
  }
}

/// Unpacks eight bits at once from the next byte boundary on. Each byte of a word keeps one bit,
/// which becomes 0 or 1.
void decodeBits(const Elements& page, std::size_t first, std::span<std::byte> out) noexcept {
  const auto bitAt = [&](std::size_t i) { return page.bytes[i / 8] >> i % 8 & std::byte{1}; };
  std::size_t i = 0;
  for (; i < out.size() && (first + i) % 8 != 0; ++i)
    out[i] = bitAt(first + i);
  for (; i + 8 <= out.size(); i += 8) {
    const auto byte = std::to_integer<std::uint64_t>(page.bytes[(first + i) / 8]);
    const std::uint64_t bits = byte * 0x0101010101010101U & 0x8040201008040201U;
    const std::uint64_t bools = (bits + 0x7F7F7F7F7F7F7F7FU) >> 7 & 0x0101010101010101U;
    std::memcpy(out.data() + i, &bools, sizeof(bools));
  }
  for (; i < out.size(); ++i)
    out[i] = bitAt(first + i);
}

template <class T>
std::span<T> as(std::span<std::byte> bytes) noexcept {
  return {detail::valuesAt<T>(bytes.data()), bytes.size() / sizeof(T)};
}

/// Decodes values without converting their type.
void decodeAsIs(const StoredColumn& column, const Elements& page, std::size_t first,
                std::span<std::byte> out) {
  const Form& form = formOf(column.type);
  switch (form.coding) {
  case Coding::plain:
    std::memcpy(out.data(), page.bytes.data() + first * form.bytes, out.size());
    return;
  case Coding::split:
    mergePlanes(page, form.bytes, first, out.size() / form.bytes, out.data());
    if (form.isZigzag)
      undoZigzag(form.bytes, out);
    return;
  case Coding::bit:
    return decodeBits(page, first, out);
  case Coding::half:
    return decodeHalves(column, page, first, as<float>(out));
  case Coding::truncated: {
    const auto values = as<std::uint32_t>(out);
    forEachPacked(page, column.bits, first, values.size(), [&](std::size_t i, std::uint64_t bits) {
      values[i] = static_cast<std::uint32_t>(bits) << (32U - column.bits);
    });
    return;
  }
  case Coding::quantised: {
    const auto values = as<double>(out);
    const double steps = static_cast<double>((std::uint64_t{1} << column.bits) - 1);
    const double step = (column.high - column.low) / steps;
    forEachPacked(page, column.bits, first, values.size(), [&](std::size_t i, std::uint64_t bits) {
      values[i] = column.low + static_cast<double>(bits) * step;
    });
    return;
  }
  case Coding::index:
  case Coding::choice:
    return; // have no scalar
  }
}

/// Converts values. Returns whether all fit.
template <class From, class To>
bool convert(std::span<const From> values, To* out) noexcept {
  bool isOutside = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    out[i] = static_cast<To>(values[i]);
    if constexpr (std::is_integral_v<From> && std::is_integral_v<To>)
      isOutside |= !std::in_range<To>(values[i]);
  }
  return !isOutside;
}

/// Returns the type of a column's values before conversion. Characters and bytes adopt the
/// requested type if it has one byte.
Scalar ownScalar(const StoredColumn& column, Scalar wanted) noexcept {
  const bool isByte =
      column.type == NTupleColumnType::Byte || column.type == NTupleColumnType::Char;
  const bool isWanted = wanted == Scalar::Int8 || wanted == Scalar::UInt8;
  return isByte && isWanted ? wanted : *scalarOf(column);
}

/// Decodes elements of an index column without adding differences.
template <class Unsigned>
void decodeUnsigned(NTupleColumnType type, const Elements& page, std::size_t first,
                    std::span<Unsigned> out) noexcept {
  const auto bytes = std::as_writable_bytes(out);
  if (isSplit(type))
    mergePlanes(page, sizeof(Unsigned), first, out.size(), bytes.data());
  else
    std::memcpy(bytes.data(), page.bytes.data() + first * sizeof(Unsigned), bytes.size());
}

bool areBools(std::span<const std::byte> values) noexcept {
  std::byte bits{0};
  for (const std::byte value : values)
    bits |= value;
  return bits <= std::byte{1};
}

} // namespace

std::uint64_t pageBytes(const StoredColumn& column, std::uint64_t elements) noexcept {
  if (!isKnown(column.type))
    return 0;
  const Form& form = formOf(column.type);
  return form.bytes > 0 ? elements * form.bytes : (elements * column.bits + 7) / 8;
}

std::optional<Scalar> scalarOf(const StoredColumn& column) noexcept {
  if (!isKnown(column.type))
    return std::nullopt;
  const Form& form = formOf(column.type);
  const bool isReadable = form.bytes > 0
                              ? column.bits == 8 * form.bytes
                              : column.bits >= form.leastBits && column.bits <= form.mostBits;
  return isReadable ? form.scalar : std::nullopt;
}

bool isIndex(NTupleColumnType type) noexcept {
  return isKnown(type) && formOf(type).coding == Coding::index;
}

bool isSplit(NTupleColumnType type) noexcept {
  return type >= NTupleColumnType::SplitInt16 && type <= NTupleColumnType::SplitIndex64;
}

bool isPlain(const StoredColumn& column, Scalar wanted) noexcept {
  return formOf(column.type).coding == Coding::plain && ownScalar(column, wanted) == wanted;
}

bool canConvert(Scalar from, Scalar wanted) noexcept { return isFloat(from) == isFloat(wanted); }

bool decodeElements(const StoredColumn& column, const Elements& page, std::size_t first,
                    Scalar wanted, std::span<std::byte> out) {
  const Scalar own = ownScalar(column, wanted);
  if (own == wanted) {
    decodeAsIs(column, page, first, out);
    return true;
  }
  constexpr std::size_t most = 1024; // values at once, to stay in the cache
  alignas(8) std::array<std::byte, most * 8> some;
  const std::size_t size = sizeOf(wanted), count = out.size() / size;
  bool fits = true;
  for (std::size_t done = 0; done < count; done += most) {
    const std::size_t n = std::min(most, count - done);
    decodeAsIs(column, page, first + done, std::span(some).first(n * sizeOf(own)));
    std::byte* const to = out.data() + done * size;
    fits &= withScalar(own, [&](auto from) {
      using From = decltype(from);
      const std::span<const From> values(detail::valuesAt<From>(some.data()), n);
      return withScalar(wanted, [&](auto value) {
        using To = decltype(value);
        if constexpr (std::is_floating_point_v<From> == std::is_floating_point_v<To>)
          return convert(values, detail::valuesAt<To>(to));
        else
          return false;
      });
    });
  }
  return fits && (wanted != Scalar::Bool || areBools(out));
}

void decodeIndexes(NTupleColumnType type, const Elements& page,
                   std::span<std::uint64_t> ends) noexcept {
  constexpr std::size_t most = 1024; // values at once, to stay in the cache
  std::array<std::uint32_t, most> narrow;
  std::uint64_t end = 0;
  for (std::size_t first = 0; first < ends.size(); first += most) {
    const auto some = ends.subspan(first, std::min(most, ends.size() - first));
    if (type == NTupleColumnType::Index64 || type == NTupleColumnType::SplitIndex64) {
      decodeUnsigned(type, page, first, some);
    } else {
      decodeUnsigned(type, page, first, std::span(narrow).first(some.size()));
      std::copy_n(narrow.begin(), some.size(), some.begin());
    }
    if (isSplit(type)) // the elements are differences
      for (std::uint64_t& each : some) {
        end += each;
        each = end;
      }
  }
}

Choice choiceAt(const Elements& page, std::size_t element) noexcept {
  constexpr std::size_t bytes = 12;
  const std::byte* const at = page.bytes.data() + element * bytes;
  return {detail::loadAs<std::uint64_t>(at),
          detail::loadAs<std::uint32_t>(at + sizeof(std::uint64_t))};
}

} // namespace kaon::root
