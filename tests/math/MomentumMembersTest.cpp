// The names that the members of objects with four-momenta have in files of several programs.

#include <kaon/math/MomentumMembers.h>
#include <kaon/math/ParticleData.h>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace kaon::detail {
namespace {

/// Returns the components that were found, with their members: "px=Px py=Py ...".
std::string found(const std::vector<std::string>& names) {
  std::string text;
  const MomentumMembers momentum = momentumMembers(names);
  for (const auto& [component, member] : momentum.members)
    text += (text.empty() ? "" : " ") + std::string(component) + "=" + member;
  return text + (momentum.isMassless ? " massless" : "");
}

TEST(MomentumMembers, AreKnownWithTheNamesOfPrograms) {
  EXPECT_EQ(found({"pt", "eta", "phi", "mass", "charge"}), "pt=pt eta=eta phi=phi mass=mass");
  EXPECT_EQ(found({"PDG", "momentum.x", "momentum.y", "momentum.z", "mass", "vertex.x"}),
            "px=momentum.x py=momentum.y pz=momentum.z mass=mass");
  EXPECT_EQ(found({"PT", "Eta", "Phi", "Mass"}), "pt=PT eta=Eta phi=Phi mass=Mass");
  EXPECT_EQ(found({"Px", "Py", "Pz", "E"}), "px=Px py=Py pz=Pz E=E");
  EXPECT_EQ(found({"fP.fX", "fP.fY", "fP.fZ", "fE"}), "px=fP.fX py=fP.fY pz=fP.fZ E=fE");
  EXPECT_EQ(
      found({"fCoordinates.fPt", "fCoordinates.fEta", "fCoordinates.fPhi", "fCoordinates.fM"}),
      "pt=fCoordinates.fPt eta=fCoordinates.fEta phi=fCoordinates.fPhi "
      "mass=fCoordinates.fM");
  EXPECT_EQ(found({"pt", "eta", "phi", "m"}), "pt=pt eta=eta phi=phi mass=m");
}

TEST(MomentumMembers, OfTransverseEnergiesHaveNoMass) {
  EXPECT_EQ(found({"ET", "Eta", "Phi"}), "eta=Eta phi=Phi pt=ET massless");
  EXPECT_EQ(found({"ET", "Eta", "Phi", "E"}), "eta=Eta phi=Phi E=E pt=ET massless");
  EXPECT_EQ(found({"MET", "Eta", "Phi"}), "eta=Eta phi=Phi pt=MET massless");
  EXPECT_EQ(found({"PT", "Eta", "Phi", "ET"}), "pt=PT eta=Eta phi=Phi") << "a momentum is stored";
}

TEST(MomentumMembers, TakeTheMassOfTheParticleIfNoOtherIsStored) {
  EXPECT_EQ(found({"pid", "px", "py", "pz", "vx"}), "px=px py=py pz=pz particle=pid");
  EXPECT_EQ(found({"PID", "Px", "Py", "Pz", "Mass"}), "px=Px py=Py pz=Pz mass=Mass");
}

TEST(MomentumMembers, MayShareAPrefix) {
  EXPECT_EQ(found({"mu_pt", "mu_eta", "mu_phi", "mu_m", "mu_charge"}),
            "pt=mu_pt eta=mu_eta phi=mu_phi mass=mu_m");
  EXPECT_EQ(found({"jetPx", "jetPy", "jetPz", "jetE"}), "px=jetPx py=jetPy pz=jetPz E=jetE");
  EXPECT_EQ(found({"mu_pt", "mu_eta", "mu_phi", "charge"}), "") << "not a whole four-momentum";
  EXPECT_EQ(found({"a_px", "a_py", "a_pz", "a_e", "b_px", "b_py", "b_pz", "b_e"}), "")
      << "two prefixes";
  EXPECT_EQ(found({"pt", "eta", "phi", "mass", "gen_pt", "gen_eta", "gen_phi", "gen_mass"}),
            "pt=pt eta=eta phi=phi mass=mass");
}

TEST(MomentumMembers, DoNotCountIfOnlyCapitalLettersTellThemApart) {
  EXPECT_EQ(found({"pt", "PT", "Eta", "ETA", "phi"}), "pt=pt phi=phi");
}

TEST(MomentumMembers, AreNoPositions) { EXPECT_EQ(found({"x", "y", "z", "time"}), ""); }

TEST(Particles, HaveMassesAndCharges) {
  EXPECT_NEAR(particleMass(11), 0.00051099895, 1e-12);
  EXPECT_EQ(particleCharge(11), -1);
  EXPECT_EQ(particleCharge(-11), 1);
  EXPECT_DOUBLE_EQ(particleCharge(-5), 1. / 3);
  EXPECT_TRUE(std::isnan(particleCharge(0)));
  EXPECT_DOUBLE_EQ(particleMass(-211), 0.13957039);
  EXPECT_DOUBLE_EQ(particleMass(22), 0);
  EXPECT_DOUBLE_EQ(particleMass(45), particleMass(1000010020)) << "the deuteron";
  EXPECT_TRUE(std::isnan(particleMass(0)));
  EXPECT_TRUE(std::isnan(particleMass(std::nan(""))));
}

} // namespace
} // namespace kaon::detail
