#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kaon::codec {

// The kernels of this layer are compiled for several instruction sets; the best that the processor
// has is used.

/// Names of those that there are here, best first.
[[nodiscard]] std::vector<std::string> instructionSets();

/// Restricts all threads to one of them, or with an empty name to none, for tests and measurements.
/// Not while kernels run.
void useInstructionSet(std::string_view name);

} // namespace kaon::codec
