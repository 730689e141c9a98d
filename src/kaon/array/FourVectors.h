#pragma once

#include <kaon/array/ArrayFunctions.h>
#include <kaon/array/FourVector.h>

#include <type_traits>

namespace kaon {

/// The four-momenta of an entry's objects, in the type of the columns, or in the one that is named:
/// fourVectors<double>(pt, eta, phi, mass). Each is computed where it is looked at: what is looked
/// at often is better kept as an Array<FourVector<T>>.
template <class As = void, IsArray Pt, IsArray Eta, IsArray Phi, class Mass>
  requires detail::AreOperands<Pt, Mass>
[[nodiscard]] auto fourVectors(const Pt& pt, const Eta& eta, const Phi& phi, const Mass& mass) {
  using T = std::conditional_t<std::is_void_v<As>, typename Pt::value_type, As>;
  return map(
      [](auto p, auto e, auto f, auto m) {
        return FourVector<T>::ofPtEtaPhiMass(static_cast<T>(p), static_cast<T>(e),
                                             static_cast<T>(f), static_cast<T>(m));
      },
      pt, eta, phi, mass);
}

} // namespace kaon
