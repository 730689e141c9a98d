#pragma once

#include <kaon/formats/root/container/BigEndian.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace kaon::root {

/// What a record of a ROOT file begins with: TKey.
struct Key {
  std::uint64_t position = 0;    ///< of the record in the file
  std::uint32_t recordBytes = 0; ///< of the whole record as it is stored, with the key
  std::uint32_t objectBytes = 0; ///< of the payload when it is decompressed; of no use for RBlobs
  std::uint16_t keyBytes = 0;    ///< of the key: where the payload begins in the record
  std::uint16_t cycle = 0;       ///< the greater, the newer
  std::uint64_t folder = 0;      ///< the position of the folder (TDirectory) that it lies in
  std::string className, name, title;

  /// The bytes of the payload as it is stored.
  [[nodiscard]] std::uint32_t storedBytes() const noexcept { return recordBytes - keyBytes; }
  /// Whether the payload is compressed.
  [[nodiscard]] bool isCompressed() const noexcept { return objectBytes > storedBytes(); }
};

/// Reads a key and checks that its sizes fit each other. The reader stands behind it then, or, in a
/// basket, at what TBasket adds. Throws Error(corrupt).
[[nodiscard]] Key readKey(BigEndianReader& reader);

/// The most bytes of a key: ROOT has 16 bits for them, with a sign.
inline constexpr std::size_t mostKeyBytes = 0x7FFF;
/// The most bytes of a name that kaon writes, as the keys of folders and baskets have two; and of
/// the name of a column in which those of all that it lies in are repeated.
inline constexpr std::size_t mostNameBytes = 16'000;

/// The bytes of a key as kaon writes it, in its wide form.
[[nodiscard]] std::size_t keyBytesOf(const Key& key) noexcept;

/// Writes a key in its wide form, which readers take wherever in a file it is.
void putKey(BigEndianWriter& writer, const Key& key);

/// A time as ROOT packs it: since 1995, to the second.
[[nodiscard]] std::uint32_t packedTimeNow();

} // namespace kaon::root
