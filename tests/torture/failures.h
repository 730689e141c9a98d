#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string_view>

// Allocations and system calls of this program that fail on demand.

namespace kaon::torture {

enum class Failing : std::uint8_t { allocations, systemCalls };

/// How a call fails: an error number such as EIO; or `shortened`: it reads or writes half of the
/// bytes.
inline constexpr int shortened = -1;

/// Begins to count calls of a kind, from 1, in all threads. Call number `failing` fails, 0: none.
/// It fails in the way number `way` of those that its function has.
void begin(Failing kind, std::uint64_t failing, std::size_t way = 0) noexcept;
/// Ends counting, and returns the number of calls.
std::uint64_t end() noexcept;

/// The call that failed.
struct FailedCall {
  std::string_view function; ///< "" if no call failed
  std::size_t ways = 1;      ///< the number of ways in which the function can fail
  int error = 0;             ///< an error number, or `shortened`
  /// Whether the same call succeeds if it is tried again.
  [[nodiscard]] bool isTemporary() const noexcept { return error == shortened || error == EINTR; }
};
[[nodiscard]] FailedCall failed() noexcept;

} // namespace kaon::torture
