#pragma once

#include <cstdint>

namespace kaon {

/// Returns the bytes that this process can still allocate without swapping, at most the limit of
/// its control group. Returns all bytes of the machine's memory if the system does not state them.
[[nodiscard]] std::uint64_t availableMemory();

} // namespace kaon
