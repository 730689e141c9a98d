#pragma once

#include <kaon/detail/expression/Graph.h>
#include <kaon/expression/ElementwiseKernel.h>

namespace kaon::expression {

/// The loop for a function or a formula of kinematics by the widest vectors that the processor has,
/// with the results of FourVector.h and of what it includes, to the last bit; exponentials,
/// logarithms, sines, cosines and angles of floats are those of doubles, rounded. Null: there is
/// none.
[[nodiscard]] ElementwiseKernel formulaKernel(Operation operation, Scalar type);

} // namespace kaon::expression
