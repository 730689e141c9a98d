#pragma once

#include <cstdint>
#include <string_view>

namespace kaon {

/// When a writer makes its bytes durable, so that they survive a loss of power. All policies keep
/// bytes that were written when the program alone is killed.
enum class Sync : std::uint8_t {
  never,   ///< The system decides. The finished file may be empty or cut after a loss of power.
  finish,  ///< When the file is finished, before it replaces the one at its path.
  cluster, ///< Also each cluster, as soon as it is written.
  flush    ///< Also at each flush() of the writer.
};

/// Returns the policy of this name. Throws Error(name) with a suggestion.
[[nodiscard]] Sync syncNamed(std::string_view name);

} // namespace kaon
