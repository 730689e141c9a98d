#pragma once

#include <kaon/array/ArrayFunctions.h>
#include <kaon/array/FourVector.h>

namespace kaon {

/// The four-momenta of an entry's objects. Each is computed where it is looked at: what is looked
/// at often is better kept as an Array<FourVector<T>>.
template <IsArray Pt, IsArray Eta, IsArray Phi, class Mass>
  requires detail::AreOperands<Pt, Mass>
[[nodiscard]] auto fourVectors(const Pt& pt, const Eta& eta, const Phi& phi, const Mass& mass) {
  using T = typename Pt::value_type;
  return map([](T p, T e, T f,
                auto m) { return FourVector<T>::ofPtEtaPhiMass(p, e, f, static_cast<T>(m)); },
             pt, eta, phi, mass);
}

} // namespace kaon
