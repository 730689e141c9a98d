#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// The header of the records of SIO files (https://github.com/iLCSoft/SIO, 0.2):
//
//   u32 bytes of the header, u32 0xabadcafe, u32 options, u32 bytes of the data as they are stored,
//   u32 as they are decompressed, u32 characters of the name; the name
//
// Numbers are big-endian. All parts begin at multiples of four bytes. podio's files end with a
// little-endian u64 behind the last record. Its upper half is a mark. Its lower half is the
// position of the record with the places of the others.

namespace kaon::sio {

inline constexpr std::uint32_t recordMark = 0xABADCAFE, blockMark = 0xDEADBEEF;
inline constexpr std::uint64_t podioEndMark = 0xC001FEA7;
inline constexpr std::size_t recordHeaderBytes = 24; ///< without the name
inline constexpr std::size_t blockHeaderBytes = 16;  ///< without the name
inline constexpr std::size_t mostNameBytes = 64;

// Limits of files that kaon reads and writes.
inline constexpr std::size_t mostRecordNames = 1000;   ///< different ones
inline constexpr std::size_t mostCollections = 10'000; ///< of different names, in a category
/// Returns the reason why items beyond the limit are not written.
[[nodiscard]] std::string reasonForSurplus(std::size_t most, std::string_view ofWhat);

struct SioRecordHeader {
  std::uint32_t headerBytes = 0; ///< with the name
  std::uint32_t storedBytes = 0;
  std::uint32_t bytes = 0; ///< decompressed
  bool isCompressed = false;
  std::string_view name; ///< in the bytes that were read

  /// The size up to the next record.
  [[nodiscard]] std::uint64_t wholeBytes() const noexcept { return (bytesInFile() + 3) / 4 * 4; }
  /// The size without padding at the end.
  [[nodiscard]] std::uint64_t bytesInFile() const noexcept {
    return std::uint64_t{headerBytes} + storedBytes;
  }
};

/// Reads the header at the beginning of the bytes. Returns nothing if it is invalid.
[[nodiscard]] std::optional<SioRecordHeader> readRecordHeader(std::span<const std::byte> bytes);

/// Whether `firstBytes` are the beginning of a SIO file.
[[nodiscard]] bool isSioFile(std::span<const std::byte> firstBytes);

/// Returns the version of a block, major and minor, as one number.
[[nodiscard]] constexpr std::uint32_t blockVersion(std::uint32_t major, std::uint32_t minor) {
  return major << 16 | minor;
}

} // namespace kaon::sio
