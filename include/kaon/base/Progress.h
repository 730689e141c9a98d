#pragma once

#include <functional>

namespace kaon {

/// Called with the fraction done, 0 to 1, from any thread but never concurrently. An exception ends
/// the work and reaches the caller.
using Progress = std::function<void(double done)>;

} // namespace kaon
