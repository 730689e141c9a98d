// The eight queries of the ADL benchmark (https://github.com/iris-hep/adl-benchmarks-index). Each
// is a plain loop over the columns that it needs.
//
//   adl_loops FILE...

#include "Histograms.h"

#include <kaon/array/FourVectors.h>
#include <kaon/kaon.h>

#include <cmath>
#include <cstdint>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

namespace {

using kaon::Array;
using kaon::Category;
using kaon::Histogram;
using Floats = Array<float>;
using Ids = Array<std::int32_t>;
// Uses double, like ROOT: floats are too imprecise if momenta nearly cancel.
using Momentum = kaon::FourVector<double>;
using Momenta = Array<Momentum>;

/// 1: the missing transverse momentum of all events.
void missingMomentum(const Category& events, Histogram& met) {
  for (auto [pt] : events.each<float>("MET_pt"))
    met(pt);
}

/// 2: the transverse momenta of all jets.
void jets(const Category& events, Histogram& pts) {
  for (auto [pt] : events.each<Floats>("Jet.pt"))
    for (const float value : pt)
      pts(value);
}

/// 3: the transverse momenta of jets in the middle of the detector.
void centralJets(const Category& events, Histogram& pts) {
  for (auto [pt, eta] : events.each<Floats, Floats>("Jet.pt", "Jet.eta"))
    for (std::size_t i = 0; i < pt.size(); ++i)
      if (std::abs(eta[i]) < 1)
        pts(pt[i]);
}

/// 4: the missing momentum of events with two hard jets.
void withTwoJets(const Category& events, Histogram& mets) {
  for (auto [pt, met] : events.each<Floats, float>("Jet.pt", "MET_pt"))
    if (count(pt > 40) >= 2)
      mets(met);
}

/// 5: the missing momentum of events with two muons that may come from a Z boson.
void withZ(const Category& events, Histogram& mets) {
  const auto isZ = [](const Momentum& a, const Momentum& b) {
    const double mass = (a + b).mass();
    return mass > 60 && mass < 120;
  };
  for (auto [pt, eta, phi, mass, id, met] : events.each<Floats, Floats, Floats, Floats, Ids, float>(
           "Muon.pt", "Muon.eta", "Muon.phi", "Muon.mass", "Muon.pdgId", "MET_pt")) {
    const Momenta muons = kaon::fourVectors<double>(pt, eta, phi, mass);
    bool hasZ = false;
    for (std::size_t j = 1; j < muons.size() && !hasZ; ++j)
      for (std::size_t i = 0; i < j && !hasZ; ++i)
        hasZ = id[i] == -id[j] && isZ(muons[i], muons[j]);
    if (hasZ)
      mets(met);
  }
}

/// 6: the momentum and best b-tag of the three jets whose mass is closest to the top quark's.
void topQuarks(const Category& events, Histogram& pts, Histogram& tags) {
  for (auto [pt, eta, phi, mass, btag] : events.each<Floats, Floats, Floats, Floats, Floats>(
           "Jet.pt", "Jet.eta", "Jet.phi", "Jet.mass", "Jet.btag")) {
    const Momenta momenta = kaon::fourVectors<double>(pt, eta, phi, mass);
    double least = 1e9;
    Momentum top;
    float best = 0;
    for (const auto& [i, j, k] : kaon::combinations<3>(places(pt))) {
      const Momentum together = momenta[i] + momenta[j] + momenta[k];
      const double distance = std::abs(together.mass() - 172.5);
      if (distance >= least)
        continue;
      least = distance;
      top = together;
      best = std::max({btag[i], btag[j], btag[k]});
    }
    if (pt.size() < 3)
      continue;
    pts(top.pt());
    tags(best);
  }
}

/// 7: the sum of the transverse momenta of jets without a lepton nearby.
void isolatedJets(const Category& events, Histogram& sums) {
  const auto isClose = [](float jetEta, float jetPhi, Floats pt, Floats eta, Floats phi) {
    for (std::size_t i = 0; i < pt.size(); ++i) // rarer condition first: its branch predicts well
      if (kaon::deltaR(jetEta, jetPhi, eta[i], phi[i]) < 0.4F && pt[i] > 10)
        return true;
    return false;
  };
  for (auto [pt, eta, phi, muonPt, muonEta, muonPhi, electronPt, electronEta, electronPhi] :
       events.each<Floats, Floats, Floats, Floats, Floats, Floats, Floats, Floats, Floats>(
           "Jet.pt", "Jet.eta", "Jet.phi", "Muon.pt", "Muon.eta", "Muon.phi", "Electron.pt",
           "Electron.eta", "Electron.phi")) {
    double sum = 0;
    for (std::size_t i = 0; i < pt.size(); ++i)
      if (pt[i] > 30 && !isClose(eta[i], phi[i], muonPt, muonEta, muonPhi) &&
          !isClose(eta[i], phi[i], electronPt, electronEta, electronPhi))
        sum += pt[i];
    sums(sum);
  }
}

/// 8: the transverse mass of the missing momentum and the hardest lepton that is not from the Z
/// boson.
void besideZ(const Category& events, Histogram& masses) {
  for (auto [mPt, mEta, mPhi, mMass, mId, ePt, eEta, ePhi, eMass, eId, met, metPhi] :
       events.each<Floats, Floats, Floats, Floats, Ids, Floats, Floats, Floats, Floats, Ids, float,
                   float>("Muon.pt", "Muon.eta", "Muon.phi", "Muon.mass", "Muon.pdgId",
                          "Electron.pt", "Electron.eta", "Electron.phi", "Electron.mass",
                          "Electron.pdgId", "MET_pt", "MET_phi")) {
    const Momenta leptons = concatenate(Momenta(kaon::fourVectors<double>(mPt, mEta, mPhi, mMass)),
                                        Momenta(kaon::fourVectors<double>(ePt, eEta, ePhi, eMass)));
    const Ids id = concatenate(mId, eId);
    double least = 1e9;
    std::array<std::uint32_t, 2> z{};
    for (const auto& pair : kaon::combinations<2>(places(id)))
      if (const double distance = std::abs((leptons[pair[0]] + leptons[pair[1]]).mass() - 91.2);
          id[pair[0]] == -id[pair[1]] && distance < least) {
        least = distance;
        z = pair;
      }
    if (id.size() < 3 || least == 1e9)
      continue;
    const Floats pt = concatenate(mPt, ePt), phi = concatenate(mPhi, ePhi);
    const Array<std::uint32_t> all = places(pt);
    const Array<std::uint32_t> others = all[all != z[0] && all != z[1]];
    const std::uint32_t hardest = others[*argmax(pt[others])];
    masses(kaon::transverseMass(pt[hardest], phi[hardest], met, metPhi));
  }
}

Histogram histogram(const kaon::Axis& axis) { return Histogram(Histogram::axes_type{axis.axis}); }

} // namespace

int main(int argc, char** argv) try {
  Histogram met = histogram({100, 0, 200}), twoJets = met, z = met, mt = met;
  Histogram jet = histogram({100, 15, 60}), central = jet, isolated = histogram({100, 15, 200});
  Histogram topPt = histogram({100, 15, 40}), btag = histogram({100, 0, 1});
  for (int i = 1; i < argc; ++i) {
    const Category events = kaon::Reader(argv[i])["Events"];
    missingMomentum(events, met);
    jets(events, jet);
    centralJets(events, central);
    withTwoJets(events, twoJets);
    withZ(events, z);
    topQuarks(events, topPt, btag);
    isolatedJets(events, isolated);
    besideZ(events, mt);
  }
  adl::print({{"1", met},
              {"2", jet},
              {"3", central},
              {"4", twoJets},
              {"5", z},
              {"6a", topPt},
              {"6b", btag},
              {"7", isolated},
              {"8", mt}});
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
