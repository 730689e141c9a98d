#pragma once

#include <cstdint>
#include <string_view>

// Allocations and system calls of this program that fail on demand.

namespace kaon::torture {

enum class Failing : std::uint8_t { allocations, systemCalls };

/// Begins to count calls of a kind, from 1, in all threads. Call number `failing` fails; 0: none.
void begin(Failing kind, std::uint64_t failing) noexcept;
/// Ends counting, and returns the number of calls.
std::uint64_t end() noexcept;
/// The name of the function that failed, or "".
[[nodiscard]] std::string_view failed() noexcept;

} // namespace kaon::torture
