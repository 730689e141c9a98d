#pragma once

#include <kaon/detail/expression/Graph.h>
#include <kaon/expression/ElementwiseKernel.h>

namespace kaon::expression {

/// Returns the loop for a function or a formula of kinematics, with the widest vectors of the
/// processor. Results equal those of FourVector.h to the last bit. Exponentials, logarithms, sines,
/// cosines and angles of floats are computed as double and rounded. Returns null for other
/// operations.
[[nodiscard]] ElementwiseKernel formulaKernel(Operation operation, Scalar type);

} // namespace kaon::expression
