#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kaon::codec {

// The kernels of this layer are compiled for several instruction sets. The best one that the
// processor supports is used.

/// Returns the names of the supported ones, best first.
[[nodiscard]] std::vector<std::string> instructionSets();

/// Restricts all threads to one of them, for tests and measurements; an empty name ends the
/// restriction. Not while kernels run.
void useInstructionSet(std::string_view name);

} // namespace kaon::codec
