#pragma once

#include <kaon/array/ArrayFunctions.h>
#include <kaon/detail/math/MomentumKernel.h>
#include <kaon/math/FourVector.h>

#include <span>
#include <type_traits>

namespace kaon {

namespace detail {

template <class T>
struct ToFourVector {
  template <class... N>
  FourVector<T> operator()(N... number) const {
    return FourVector<T>::ofPtEtaPhiMass(static_cast<T>(number)...);
  }
};

/// Computes all momenta of floats at once.
[[nodiscard]] inline std::span<const FourVector<double>>
valuesOf(std::type_identity<FourVector<double>>,
         const Computed<ToFourVector<double>, Array<float>, Array<float>, Array<float>,
                        Array<float>>& computed) {
  const std::size_t size = computed.size();
  if (size == 0)
    return {};
  const auto room = Arena::ofThread().allocate<FourVector<double>>(size + momentumRoom);
  const auto& [pt, eta, phi, mass] = computed.operands();
  toMomenta(pt.data(), eta.data(), phi.data(), mass.data(), size, room.data());
  return room.first(size);
}

} // namespace detail

/// Returns the four-momenta of an entry's objects, in the type of the columns or a given one:
/// fourVectors<double>(pt, eta, phi, mass). Each is computed on access. To use them repeatedly,
/// store them as an Array<FourVector<T>>. Those of doubles, from columns of floats, are then
/// computed several at a time, with the processor's widest vectors.
template <class As = void, IsArray Pt, IsArray Eta, IsArray Phi, class Mass>
  requires detail::AreOperands<Pt, Mass>
[[nodiscard, gnu::always_inline]] inline auto fourVectors(const Pt& pt, const Eta& eta,
                                                          const Phi& phi, const Mass& mass) {
  using T = std::conditional_t<std::is_void_v<As>, typename Pt::value_type, As>;
  return map(detail::ToFourVector<T>(), pt, eta, phi, mass);
}

} // namespace kaon
