#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/codec/Codec.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace kaon::hipo {

/// A record as it will be written; but for its number.
struct EncodedRecord {
  std::uint32_t events = 0;
  std::uint64_t tag = 0;
  Buffer bytes;
};

/// What a HIPO file begins with; see FileHeader.
struct FilePlaces {
  std::uint32_t dictionaryBytes = 0; ///< that are kept for the dictionary
  std::uint64_t trailer = 0;         ///< 0: not finished
};

/// The header of a file: headerBytes.
void putFileHeader(const FilePlaces& places, std::span<std::byte> out);

/// How HIPO's writers can store what `how` says: plain, LZ4 or gzip, where zstd, which they do not
/// have, is LZ4. Throws Error(usage) for LZMA.
[[nodiscard]] Compression compressionOfRecords(Compression how);

/// A record of events. `payload` has the length of each event, 32 bits, and then the events.
[[nodiscard]] EncodedRecord encodeRecord(std::span<const std::byte> payload, std::uint32_t events,
                                         std::uint64_t tag, Compression how);

/// Sets the number of a record.
void setRecordNumber(EncodedRecord& record, std::uint32_t number) noexcept;

} // namespace kaon::hipo
