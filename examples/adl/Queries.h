#pragma once

#include <kaon/array/FourVectors.h>
#include <kaon/dataset/Dataframe.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

// The eight queries of the ADL benchmark (https://github.com/iris-hep/adl-benchmarks-index) as C++
// functions.

namespace adl {

using kaon::Array;
using kaon::Dataframe;
using kaon::Histogram;
using kaon::Result;
using Floats = Array<float>;
using Ids = Array<std::int32_t>;
// Uses double, like ROOT: floats are too imprecise if momenta nearly cancel.
using Momentum = kaon::FourVector<double>;
using Momenta = Array<Momentum>;

/// 1: the missing transverse momentum of all events.
inline Result<Histogram> missingMomentum(const Dataframe& events) {
  return events.histogram({100, 0, 200, "missing pT [GeV]"}, "MET_pt");
}

/// 2: the transverse momenta of all jets.
inline Result<Histogram> jets(const Dataframe& events) {
  return events.histogram({100, 15, 60, "jet pT [GeV]"}, "Jet.pt");
}

/// 3: the transverse momenta of jets in the middle of the detector.
inline Result<Histogram> centralJets(const Dataframe& events) {
  const auto central = [](Floats pt, Floats eta) { return pt[abs(eta) < 1]; };
  return events.define("central", central, {"Jet.pt", "Jet.eta"})
      .histogram({100, 15, 60, "jet pT [GeV]"}, "central");
}

/// 4: the missing momentum of events with two hard jets.
inline Result<Histogram> withTwoJets(const Dataframe& events) {
  return events.filter([](Floats pt) { return count(pt > 40) >= 2; }, {"Jet.pt"})
      .histogram({100, 0, 200, "missing pT [GeV]"}, "MET_pt");
}

/// 5: the missing momentum of events with two muons that may come from a Z boson.
inline Result<Histogram> withZ(const Dataframe& events) {
  const auto hasZ = [](Floats pt, Floats eta, Floats phi, Floats mass, Ids id) {
    if (pt.size() < 2) // most events; skips their momenta
      return false;
    const Momenta muons = kaon::fourVectors<double>(pt, eta, phi, mass);
    for (const auto& [i, j] : kaon::combinations<2>(places(muons)))
      if (id[i] == -id[j])
        if (const double m = (muons[i] + muons[j]).mass(); m > 60 && m < 120)
          return true;
    return false;
  };
  return events.filter(hasZ, {"Muon.pt", "Muon.eta", "Muon.phi", "Muon.mass", "Muon.pdgId"})
      .histogram({100, 0, 200, "missing pT [GeV]"}, "MET_pt");
}

/// 6: the momentum and best b-tag of the three jets whose mass is closest to the top quark's.
inline std::vector<Result<Histogram>> topQuarks(const Dataframe& events) {
  const auto find = [](Floats pt, Floats eta, Floats phi, Floats mass, Floats btag) {
    const Momenta momenta = kaon::fourVectors<double>(pt, eta, phi, mass);
    const auto triples = kaon::combinations<3>(places(momenta));
    const auto together = [&](const auto& t) {
      return momenta[t[0]] + momenta[t[1]] + momenta[t[2]];
    };
    const auto distances =
        kaon::map([&](const auto& t) { return std::abs(together(t).mass() - 172.5); }, triples);
    const auto best = triples[*argmin(distances)];
    return std::array{static_cast<float>(together(best).pt()),
                      std::max({btag[best[0]], btag[best[1]], btag[best[2]]})};
  };
  const auto tops =
      events.filter([](Floats pt) { return pt.size() >= 3; }, {"Jet.pt"})
          .define("top", find, {"Jet.pt", "Jet.eta", "Jet.phi", "Jet.mass", "Jet.btag"})
          .define("pt", "top[0]")
          .define("btag", "top[1]");
  return {tops.histogram({100, 15, 40, "three jets' pT [GeV]"}, "pt"),
          tops.histogram({100, 0, 1, "best b-tag"}, "btag")};
}

/// 7: the sum of the transverse momenta of jets without a lepton nearby.
inline Result<Histogram> isolatedJets(const Dataframe& events) {
  const auto isClose = [](float jetEta, float jetPhi, Floats pt, Floats eta, Floats phi) {
    for (std::size_t i = 0; i < pt.size(); ++i) // rarer condition first: its branch predicts well
      if (kaon::deltaR(jetEta, jetPhi, eta[i], phi[i]) < 0.4F && pt[i] > 10)
        return true;
    return false;
  };
  const auto sum = [isClose](Floats pt, Floats eta, Floats phi, Floats muonPt, Floats muonEta,
                             Floats muonPhi, Floats electronPt, Floats electronEta,
                             Floats electronPhi) {
    double total = 0;
    for (std::size_t i = 0; i < pt.size(); ++i) // arrays cannot skip the second condition
      if (pt[i] > 30 && !isClose(eta[i], phi[i], muonPt, muonEta, muonPhi) &&
          !isClose(eta[i], phi[i], electronPt, electronEta, electronPhi))
        total += pt[i];
    return total;
  };
  return events
      .define("ht", sum,
              {"Jet.pt", "Jet.eta", "Jet.phi", "Muon.pt", "Muon.eta", "Muon.phi", "Electron.pt",
               "Electron.eta", "Electron.phi"})
      .histogram({100, 15, 200, "sum of jet pT [GeV]"}, "ht");
}

/// 8: the transverse mass of the missing momentum and the hardest lepton that is not from the Z
/// boson.
inline Result<Histogram> besideZ(const Dataframe& events) {
  const auto find = [](Floats pt, Floats eta, Floats phi, Floats mass, Ids id, float met,
                       float metPhi) {
    const Momenta leptons = kaon::fourVectors<double>(pt, eta, phi, mass);
    const auto pairs = kaon::combinations<2>(places(leptons));
    const auto distances = kaon::map(
        [&](const auto& pair) {
          return id[pair[0]] == -id[pair[1]]
                     ? std::abs((leptons[pair[0]] + leptons[pair[1]]).mass() - 91.2)
                     : std::numeric_limits<double>::infinity();
        },
        pairs);
    const auto best = argmin(distances);
    if (!best || std::isinf(distances[*best]))
      return -1.F; // outside of the histogram
    const auto [i, j] = pairs[*best];
    const auto others = kaon::map(
        [=](std::uint32_t k, float x) { return k == i || k == j ? 0.F : x; }, places(pt), pt);
    const std::size_t hardest = *argmax(others);
    return kaon::transverseMass(pt[hardest], phi[hardest], met, metPhi);
  };
  return events.define("Lepton", "concatenate(Muon, Electron)")
      .filter("count(Lepton) >= 3")
      .define("mt", find,
              {"Lepton.pt", "Lepton.eta", "Lepton.phi", "Lepton.mass", "Lepton.pdgId", "MET_pt",
               "MET_phi"})
      .filter([](float mt) { return mt >= 0; }, {"mt"})
      .histogram({100, 0, 200, "transverse mass [GeV]"}, "mt");
}

} // namespace adl
