#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace kaon {

/// Returns XXH3-64 with seed 0 (https://github.com/Cyan4973/xxHash), the checksum of kaon's files.
[[nodiscard]] std::uint64_t checksum(std::span<const std::byte> bytes) noexcept;

} // namespace kaon
