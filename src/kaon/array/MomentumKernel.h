#pragma once

#include <kaon/array/FourVector.h>

#include <cstddef>

namespace kaon::detail {

/// More four-vectors than are wanted, for which there has to be room behind them.
constexpr std::size_t momentumRoom = 7;

/// What FourVector<double>::ofPtEtaPhiMass() gives for each of so many particles, to the last bit,
/// by the widest vectors that the processor has. Writes up to momentumRoom further ones.
void toMomenta(const float* pt, const float* eta, const float* phi, const float* mass,
               std::size_t size, FourVector<double>* momenta) noexcept;

} // namespace kaon::detail
