#pragma once

#include <kaon/expression/ElementwiseKernel.h>
#include <kaon/expression/Graph.h>

namespace kaon::expression {

/// The loop for a square root or a formula of kinematics by the widest vectors that the processor
/// has, with the results of FourVector.h to the last bit. Null: it is none of those, or of others
/// than doubles; square roots and deltaR are of floats, too.
[[nodiscard]] ElementwiseKernel formulaKernel(Operation operation, Scalar type);

} // namespace kaon::expression
