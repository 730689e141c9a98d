#pragma once

#include <cstdint>

namespace kaon::python {

/// The bytes that a process can still take without others having to be swapped out, and that its
/// group is allowed to. The most there are where the system does not say.
[[nodiscard]] std::uint64_t availableMemory();

} // namespace kaon::python
