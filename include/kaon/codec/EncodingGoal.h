#pragma once

#include <cstdint>
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
