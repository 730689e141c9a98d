#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/codec/Codec.h>
#include <kaon/detail/codec/Element.h>
#include <kaon/detail/codec/EncodingNumber.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kaon {

/// The weight of speed if one encoding takes fewer bytes, and another decodes faster.
///   size     only bytes count
///   balance  a nanosecond per decoded byte is worth 30 % more stored bytes, in rows 100 %
///   speed    a nanosecond per decoded byte is worth five times as many
enum class EncodingGoal : std::uint8_t { balance, size, speed };

/// Returns the goal of this name. Throws Error(name) with a suggestion.
[[nodiscard]] EncodingGoal goalNamed(std::string_view name);

} // namespace kaon

namespace kaon::codec {

/// Returns "raw", "constant", ...; "?" for an unknown number.
[[nodiscard]] std::string_view encodingName(Encoding encoding) noexcept;
/// Returns "packed", "packed:delta", ...
[[nodiscard]] std::string schemeName(const Scheme& scheme);
/// Returns the scheme of this name. Throws Error(name) with a suggestion, also for a transform that
/// the encoding does not have.
[[nodiscard]] Scheme schemeNamed(std::string_view name);
/// Whether names for users include the codec, as in "parts+zstd", because most stored bytes are the
/// codec's output.
[[nodiscard]] bool isNamedWithCodec(Encoding encoding) noexcept;

// A page can be decoded from its stored bytes, the encoding, the element and the number of values;
// no other data are needed. All encodings but raw need at least one value. All but raw and constant
// accept less than 2 GiB of values; the headers of the encodings rely on it.

/// Appends whole values as `scheme` stores them. Returns false and leaves `out` unchanged if that
/// is impossible or would not be smaller. Only the codec of `how` is used; but bytes that LZMA does
/// not make clearly smaller than Zstandard are stored with Zstandard. Any thread.
[[nodiscard]] bool encode(const Scheme& scheme, Element element, std::span<const std::byte> values,
                          Compression how, Buffer& out);

/// Fills `values`, whole ones. Returns false, for any bytes, if they do not decode to exactly as
/// many; `values` may then be overwritten.
[[nodiscard]] bool decode(Encoding encoding, Element element, std::span<const std::byte> stored,
                          std::span<std::byte> values) noexcept;

/// Decodes offsets.size() - 1 counts of 32 bits and adds them up: offsets[0] is 0, the last offset
/// is the sum. Also returns false if the sum does not fit; `total` is the true sum.
[[nodiscard]] bool decodeCounts(Encoding encoding, std::span<const std::byte> stored,
                                std::span<std::uint32_t> offsets, std::uint64_t& total) noexcept;

} // namespace kaon::codec
