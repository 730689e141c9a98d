#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/codec/Codec.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace kaon::hipo {

/// A record that is ready to be written, except for its number.
struct EncodedRecord {
  std::uint32_t events = 0;
  std::uint64_t tag = 0;
  Buffer bytes;
};

/// The variable parts of a file's header; see HipoFileHeader.
struct HeaderFields {
  std::uint32_t dictionaryBytes = 0; ///< reserved for the dictionary
  std::uint64_t trailer = 0;         ///< 0: not finished
};

/// Writes the header of a file, headerBytes long.
void putFileHeader(const HeaderFields& places, std::span<std::byte> out);

/// Returns the compression that HIPO's writers support for `how`: none, LZ4 or gzip. zstd becomes
/// LZ4. Throws Error(usage) for LZMA.
[[nodiscard]] Compression compressionOfRecords(Compression how);

/// Encodes a record of events. `payload` has the 32-bit length of each event, then the events.
[[nodiscard]] EncodedRecord encodeRecord(std::span<const std::byte> payload, std::uint32_t events,
                                         std::uint64_t tag, Compression how);

/// Sets the number of a record.
void setRecordNumber(EncodedRecord& record, std::uint32_t number) noexcept;

} // namespace kaon::hipo
