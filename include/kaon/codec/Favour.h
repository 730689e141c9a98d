#pragma once

#include <cstdint>
#include <string_view>

namespace kaon {

/// The weight of speed if one encoding takes fewer bytes, and another decodes faster.
///   size     only bytes count
///   balance  a nanosecond per decoded byte is worth 30 % more stored bytes, in rows 100 %
///   speed    a nanosecond per decoded byte is worth five times as many
enum class Favour : std::uint8_t { balance, size, speed };

/// Returns the favour of this name. Throws Error(name) with a suggestion.
[[nodiscard]] Favour favourNamed(std::string_view name);

} // namespace kaon
