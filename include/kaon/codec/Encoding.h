#pragma once

#include <kaon/detail/codec/EncodingNumber.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace kaon {

/// The weight of speed if one encoding takes fewer bytes, and another decodes faster.
///   size     only bytes count
///   balance  a nanosecond per decoded byte is worth 30 % more stored bytes, in rows 100 %
///   speed    a nanosecond per decoded byte is worth 150 % more stored bytes, in rows 500 %
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

} // namespace kaon::codec
