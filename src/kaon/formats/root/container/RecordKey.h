#pragma once

#include <kaon/formats/root/container/BigEndian.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace kaon::root {

/// The key (TKey) at the beginning of a record of a ROOT file.
struct RecordKey {
  std::uint64_t position = 0;    ///< of the record in the file
  std::uint32_t recordBytes = 0; ///< stored size of the whole record, with the key
  /// Size of the decompressed payload; not meaningful for RBlobs.
  std::uint32_t objectBytes = 0;
  std::uint16_t keyBytes = 0; ///< size of the key: the payload begins here in the record
  std::uint16_t cycle = 0;    ///< higher cycles are newer
  std::uint64_t folder = 0;   ///< position of the folder (TDirectory) that lists the object
  bool isWide = false;        ///< whether positions have eight bytes, for files above 2 GB
  std::string className, name, title;

  /// The size of the payload as it is stored.
  [[nodiscard]] std::uint32_t storedBytes() const noexcept { return recordBytes - keyBytes; }
  /// Whether the payload is compressed.
  [[nodiscard]] bool isCompressed() const noexcept { return objectBytes > storedBytes(); }
};

/// Reads a key and checks that its sizes agree. Afterwards the reader is behind the key. In a
/// basket, the members of TBasket follow there. Throws Error(corrupt).
[[nodiscard]] RecordKey readKey(BigEndianReader& reader);

/// The largest size of a key in bytes: ROOT has a signed 16-bit number for it.
inline constexpr std::size_t mostKeyBytes = 0x7FFF;
/// The longest name that kaon writes, in bytes. Keys of folders and baskets contain two names. The
/// limit holds for full names of columns, too, which repeat the names of all structures around
/// them.
inline constexpr std::size_t mostNameBytes = 16'000;

/// The size in bytes of a key.
[[nodiscard]] std::size_t keyBytesOf(const RecordKey& key) noexcept;

/// Writes a key. Its positions must be below 4 GB unless it is wide. Readers accept wide keys
/// everywhere in a file, but programs that update a file expect short keys below 2 GB.
void putKey(BigEndianWriter& writer, const RecordKey& key);

/// The present time in ROOT's packed form: years since 1995, down to seconds.
[[nodiscard]] std::uint32_t packedTimeNow();

} // namespace kaon::root
