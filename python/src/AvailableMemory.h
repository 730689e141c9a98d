#pragma once

#include <cstdint>

namespace kaon::python {

/// Returns the bytes that this process can still allocate without swapping, at most the limit of
/// its control group. Returns the largest number if the system states neither.
[[nodiscard]] std::uint64_t availableMemory();

} // namespace kaon::python
