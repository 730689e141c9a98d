#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

// The headers of HIPO files and their records. The format has no specification. This follows its
// C++ library (https://github.com/gavalian/hipo, 4.2) and its Java library.

namespace kaon::hipo {

/// The size of both headers. They may be longer by whole words; they store their length.
inline constexpr std::size_t headerBytes = 56;
/// A word in both headers that shows the byte order.
inline constexpr std::uint32_t magic = 0xC0DA0100;
/// The first bytes of a file: "HIPO".
inline constexpr std::uint32_t fileId = 0x4F504948;

/// The header of a file.
struct HipoFileHeader {
  bool isSwapped = false;            ///< Whether numbers are in the other byte order.
  std::uint64_t dictionary = 0;      ///< Position of the dictionary's record.
  std::uint64_t dictionaryBytes = 0; ///< Reserved for the dictionary; 0 if it is missing.
  std::uint64_t firstRecord = 0;     ///< Position of the first record with events.
  std::uint64_t trailer = 0;         ///< Position of the index's record; 0: not finished.
};

/// Whether these first bytes belong to a HIPO file.
[[nodiscard]] bool isHipoFile(std::span<const std::byte> firstBytes) noexcept;

/// Throws Error(corrupt), Error(version). `name` is the file's, for messages.
[[nodiscard]] HipoFileHeader readFileHeader(std::span<const std::byte> bytes,
                                            const std::string& name);

/// The header of a record.
struct HipoRecordHeader {
  bool isSwapped = false;
  std::uint64_t bytes = 0;       ///< Of the record, with its header.
  std::uint64_t payload = 0;     ///< Where its payload begins in it.
  std::uint64_t storedBytes = 0; ///< Of the stored payload.
  std::uint32_t events = 0;
  /// Position in the decompressed payload, behind the lengths of events.
  std::uint64_t eventsBegin = 0;
  std::uint64_t decodedBytes = 0; ///< of the decompressed payload
  std::uint32_t compression = 0;  ///< the number of its type
  std::uint64_t tag = 0;          ///< of all its events; 0 without a tag

  [[nodiscard]] std::uint64_t lengthsBytes() const noexcept { return std::uint64_t{4} * events; }
};

/// Returns nothing if the bytes, at least headerBytes, are not a valid header of a record.
[[nodiscard]] std::optional<HipoRecordHeader> readRecordHeader(std::span<const std::byte> bytes);

/// Returns whether `bytes` bytes can hold `events` events. Call this before allocating memory for
/// them.
[[nodiscard]] constexpr bool canHoldEvents(std::uint64_t bytes, std::uint64_t events) noexcept {
  // The most events in a stored byte: events have at least 20 bytes, and gzip shrinks to 1/1032.
  constexpr std::uint64_t most = 64;
  return events / most <= bytes;
}

} // namespace kaon::hipo
