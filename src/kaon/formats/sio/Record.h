#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// What the records of SIO files (https://github.com/iLCSoft/SIO, 0.2) begin with:
//
//   u32 bytes of the header, u32 0xabadcafe, u32 options, u32 bytes of the data as they are stored,
//   u32 as they are decompressed, u32 characters of the name; the name
//
// All is big-endian and begins at multiples of four bytes. Behind the last record of podio's files
// is a u64, little-endian: above, a mark; below, where the record with the places of the others
// begins.

namespace kaon::sio {

inline constexpr std::uint32_t recordMark = 0xABADCAFE, blockMark = 0xDEADBEEF;
inline constexpr std::uint64_t podioEndMark = 0xC001FEA7;
inline constexpr std::size_t recordHeaderBytes = 24; ///< without the name
inline constexpr std::size_t blockHeaderBytes = 16;  ///< likewise
inline constexpr std::size_t mostNameBytes = 64;

// What kaon reads of a file at most, and so writes.
inline constexpr std::size_t mostRecordNames = 1000;   ///< different ones
inline constexpr std::size_t mostCollections = 10'000; ///< of different names, in a category
/// Why what comes behind so many of something is not written.
[[nodiscard]] std::string reasonForSurplus(std::size_t most, std::string_view ofWhat);

struct RecordHeader {
  std::uint32_t headerBytes = 0; ///< with the name
  std::uint32_t storedBytes = 0;
  std::uint32_t bytes = 0; ///< decompressed
  bool isCompressed = false;
  std::string_view name; ///< in the bytes that were read

  /// From its beginning to that of the next one.
  [[nodiscard]] std::uint64_t wholeBytes() const noexcept { return (bytesInFile() + 3) / 4 * 4; }
  /// The same without the bytes that fill it up.
  [[nodiscard]] std::uint64_t bytesInFile() const noexcept {
    return std::uint64_t{headerBytes} + storedBytes;
  }
};

/// Reads the header that these bytes begin with; nothing if there is none, or it contradicts
/// itself.
[[nodiscard]] std::optional<RecordHeader> readRecordHeader(std::span<const std::byte> bytes);

/// Whether a file that begins so is one of SIO.
[[nodiscard]] bool isSioFile(std::span<const std::byte> firstBytes);

/// The version of a block, major and minor, as one number.
[[nodiscard]] constexpr std::uint32_t blockVersion(std::uint32_t major, std::uint32_t minor) {
  return major << 16 | minor;
}

} // namespace kaon::sio
