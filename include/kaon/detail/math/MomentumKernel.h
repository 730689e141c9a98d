#pragma once

#include <kaon/math/FourVector.h>

#include <cstddef>

namespace kaon::detail {

/// Additional four-vectors for which `momenta` must have space.
constexpr std::size_t momentumRoom = 7;

/// Computes FourVector<double>::ofPtEtaPhiMass() of `size` particles, to the last bit, with the
/// processor's widest vectors. Writes up to momentumRoom additional ones.
void toMomenta(const float* pt, const float* eta, const float* phi, const float* mass,
               std::size_t size, FourVector<double>* momenta) noexcept;

} // namespace kaon::detail
