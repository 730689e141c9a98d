#pragma once

#include <kaon/base/Buffer.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace kaon::hipo {

/// The compression of a record's bytes.
enum class RecordCodec : std::uint8_t { none, lz4, gzip, zstd };
/// The contents of the streams of a record. The last two are oxihipo's
/// (https://github.com/mathieuouillon/oxihipo, 0.9).
enum class RecordForm : std::uint8_t {
  whole,  ///< one stream with all events
  banks,  ///< one stream for each bank
  columns ///< one stream for each column of a bank
};

struct RecordEncoding {
  RecordCodec codec = RecordCodec::none;
  RecordForm form = RecordForm::whole;
};
/// Returns nothing for a number that kaon does not know.
[[nodiscard]] std::optional<RecordEncoding> recordType(std::uint32_t number) noexcept;
/// Returns "LZ4", "gzip", ...
[[nodiscard]] const char* codecName(RecordCodec codec) noexcept;

/// The number of zero bytes behind decompressed data, which may be read.
inline constexpr std::size_t bytesBehind = 64;

/// Throws Error(corrupt) if a stream cannot decompress to `bytes` bytes, or if these are 2 GiB or
/// more. `where` names the place in the message.
void checkGrowth(RecordCodec codec, std::size_t stored, std::uint64_t bytes,
                 const std::string& where);

/// Decompresses one stream into `out`, which then has `bytes` bytes and bytesBehind zeros.
/// Additional bytes of the stream are dropped. Throws Error(corrupt) for shorter streams, and like
/// checkGrowth(). Any thread may call this.
void decompress(RecordCodec codec, std::span<const std::byte> stored, std::uint64_t bytes,
                Buffer& out, const std::string& where);

/// Decompresses only the first bytes of a stream and fills `out`. With LZ4, this takes
/// proportionally less time. Returns false for other codecs. Throws Error(corrupt) for shorter
/// streams.
[[nodiscard]] bool decompressFirst(RecordCodec codec, std::span<const std::byte> stored,
                                   std::span<std::byte> out, const std::string& where);

} // namespace kaon::hipo
