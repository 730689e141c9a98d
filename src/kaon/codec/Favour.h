#pragma once

#include <cstdint>
#include <string_view>

namespace kaon {

/// What counts more where an encoding takes fewer bytes than another that decodes faster.
///   size     bytes alone
///   balance  a nanosecond for each byte decoded is worth 30 % more bytes stored, in rows 100 %
///   speed    it is worth five times as many
enum class Favour : std::uint8_t { balance, size, speed };

/// The one of this name. Throws Error(name) with a suggestion.
[[nodiscard]] Favour favourNamed(std::string_view name);

} // namespace kaon
