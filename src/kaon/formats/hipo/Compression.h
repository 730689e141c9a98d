#pragma once

#include <kaon/base/Buffer.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace kaon::hipo {

/// What shrinks the bytes of a record.
enum class RecordCodec : std::uint8_t { none, lz4, gzip, zstd };
/// Of what the streams of a record are. The last two are those of oxihipo
/// (https://github.com/mathieuouillon/oxihipo, 0.9).
enum class RecordForm : std::uint8_t {
  whole,  ///< one of all events
  banks,  ///< one for each bank
  columns ///< one for each column of a bank
};

struct RecordType {
  RecordCodec codec = RecordCodec::none;
  RecordForm form = RecordForm::whole;
};
/// Nothing for a number that kaon does not know.
[[nodiscard]] std::optional<RecordType> recordType(std::uint32_t number) noexcept;
/// "LZ4", "gzip", ...
[[nodiscard]] const char* codecName(RecordCodec codec) noexcept;

/// So many bytes behind decompressed ones may be read, too: they are 0.
inline constexpr std::size_t bytesBehind = 64;

/// Throws Error(corrupt) for a stream that cannot become so many bytes, which are less than 2 GiB
/// else; `where` names the place in the message.
void checkGrowth(RecordCodec codec, std::size_t stored, std::uint64_t bytes,
                 const std::string& where);

/// Decompresses one stream into `out`, which then has `bytes` of it, and bytesBehind. What writers
/// put behind these is dropped. Throws Error(corrupt) for streams that have fewer, and as
/// checkGrowth(). Any thread.
void decompress(RecordCodec codec, std::span<const std::byte> stored, std::uint64_t bytes,
                Buffer& out, const std::string& where);

/// Decompresses only the first bytes of such a stream into memory of their size: of one of LZ4 in
/// as much less time, of others not at all: false. Throws Error(corrupt) where they have fewer.
[[nodiscard]] bool decompressFirst(RecordCodec codec, std::span<const std::byte> stored,
                                   std::span<std::byte> out, const std::string& where);

} // namespace kaon::hipo
