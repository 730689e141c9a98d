#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

// What HIPO files and their records begin with. The format has no specification of its own: this is
// what its C++ library (https://github.com/gavalian/hipo, 4.2) and its Java library write.

namespace kaon::hipo {

/// Both headers have so many bytes, and 4 further ones for each word that they say to be longer.
inline constexpr std::size_t headerBytes = 56;
/// Stands in both of them, and tells the order of bytes.
inline constexpr std::uint32_t magic = 0xC0DA0100;
/// What files begin with: "HIPO".
inline constexpr std::uint32_t fileId = 0x4F504948;

/// What a file begins with.
struct FileHeader {
  bool isSwapped = false;            ///< all numbers are in the other byte order
  std::uint64_t dictionary = 0;      ///< position of the record with it
  std::uint64_t dictionaryBytes = 0; ///< that are kept for it; 0: there is none
  std::uint64_t firstRecord = 0;     ///< position of the first record with events
  std::uint64_t trailer = 0;         ///< position of the record with the index; 0: not finished
};

/// Whether these first bytes of a file are those of a HIPO file.
[[nodiscard]] bool isHipoFile(std::span<const std::byte> firstBytes) noexcept;

/// Throws Error(corrupt), Error(version); `name` is the file's, for messages.
[[nodiscard]] FileHeader readFileHeader(std::span<const std::byte> bytes, const std::string& name);

/// What a record begins with.
struct RecordHeader {
  bool isSwapped = false;
  std::uint64_t bytes = 0;       ///< of the record, with its header
  std::uint64_t payload = 0;     ///< where its payload begins in it
  std::uint64_t storedBytes = 0; ///< of the payload as it lies in the file
  std::uint32_t events = 0;
  std::uint64_t eventsBegin = 0;  ///< in the decompressed payload, which begins with their lengths
  std::uint64_t decodedBytes = 0; ///< of the decompressed payload
  std::uint32_t compression = 0;  ///< the number of its type
  std::uint64_t tag = 0;          ///< of all its events; 0: none

  [[nodiscard]] std::uint64_t lengthsBytes() const noexcept { return std::uint64_t{4} * events; }
};

/// Nothing if the bytes, at least headerBytes, are not the header of a record, or it contradicts
/// itself.
[[nodiscard]] std::optional<RecordHeader> readRecordHeader(std::span<const std::byte> bytes);

/// Whether so many bytes can hold so many events: to be asked before room is made for them.
[[nodiscard]] constexpr bool canHoldEvents(std::uint64_t bytes, std::uint64_t events) noexcept {
  constexpr std::uint64_t most = 64; // in a byte: an event has 20 at least, gzip shrinks to 1/1032
  return events / most <= bytes;
}

} // namespace kaon::hipo
