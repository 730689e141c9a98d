#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::detail {

/// A component of four-momenta, and the member of objects that holds it.
struct MomentumMember {
  /// "px", "py", "pz", "pt", "eta", "phi", "E" or "mass"; "particle": the particle's PDG number.
  std::string_view component;
  std::string member; ///< for example "pt", "PT", "momentum.x" or "fP.fX"
};

/// The members of objects that hold components of four-momenta. Arrays and expressions use them.
struct MomentumMembers {
  std::vector<MomentumMember> members;
  /// Whether the momentum comes from a transverse energy, which makes objects without mass.
  bool isMassless = false;

  /// Returns the member that holds a component; empty if no member does.
  [[nodiscard]] std::string_view of(std::string_view component) const noexcept;
};

/// Finds the components of four-momenta among the members of objects. Members of components have
/// dots: "momentum.x". The exact name of a component counts first. Then come the spellings of other
/// programs, in small or capital letters:
///
/// - `px py pz`, EDM4hep's and LCIO's `momentum.x`, and ROOT's TLorentzVector (`fP.fX`) and
///   LorentzVector (`fCoordinates.fX`);
/// - `pt eta phi`, and of Delphes `ET` and `MET` of objects without mass;
/// - `E`, `energy`; `mass`, `m`;
/// - `pid`, `pdgId`, `PDG` of objects without mass and energy: the mass follows from the particle.
///
/// Without those, a prefix counts that all members of one complete four-momentum share, as in
/// `mu_pt mu_eta mu_phi mu_m` or `jetPx jetPy jetPz jetE`. Two members that differ only in capital
/// letters do not count, and neither do two prefixes.
[[nodiscard]] MomentumMembers momentumMembers(std::span<const std::string> names);

} // namespace kaon::detail
