// W7 with ROOT's RDataFrame, compiled, on the RNTuple that bench/queries.cpp leaves in the
// directory.

#include "common/Harness.h"

#include <Math/Vector4D.h>
#include <ROOT/RDataFrame.hxx>
#include <ROOT/RVec.hxx>
#include <TH1D.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace bench {
namespace {

using Floats = ROOT::RVec<float>;
using Ids = ROOT::RVec<std::int32_t>;
using Momentum = ROOT::Math::PxPyPzEVector;
using Frame = ROOT::RDF::RNode;

ROOT::RVec<Momentum> momenta(const Floats& pt, const Floats& eta, const Floats& phi,
                             const Floats& mass) {
  ROOT::RVec<Momentum> result;
  result.reserve(pt.size());
  for (std::size_t i = 0; i < pt.size(); ++i)
    result.emplace_back(ROOT::Math::PtEtaPhiMVector(pt[i], eta[i], phi[i], mass[i]));
  return result;
}

float deltaR(float eta1, float phi1, float eta2, float phi2) {
  return ROOT::VecOps::DeltaR(eta1, eta2, phi1, phi2);
}

auto missingMomentum(Frame events) {
  return events.Histo1D<float>({"", "", 100, 0, 200}, "MET_pt");
}
auto jets(Frame events) { return events.Histo1D<Floats>({"", "", 100, 15, 60}, "Jet.pt"); }

auto centralJets(Frame events) {
  const auto central = [](const Floats& pt, const Floats& eta) { return Floats(pt[abs(eta) < 1]); };
  return events.Define("central", central, {"Jet.pt", "Jet.eta"})
      .Histo1D<Floats>({"", "", 100, 15, 60}, "central");
}

auto withTwoJets(Frame events) {
  return events.Filter([](const Floats& pt) { return Sum(pt > 40) >= 2; }, {"Jet.pt"})
      .Histo1D<float>({"", "", 100, 0, 200}, "MET_pt");
}

auto withZ(Frame events) {
  const auto hasZ = [](const Floats& pt, const Floats& eta, const Floats& phi, const Floats& mass,
                       const Ids& id) {
    if (pt.size() < 2)
      return false;
    const auto muons = momenta(pt, eta, phi, mass);
    for (std::size_t j = 1; j < muons.size(); ++j)
      for (std::size_t i = 0; i < j; ++i)
        if (id[i] == -id[j]) {
          const double m = (muons[i] + muons[j]).M();
          if (m > 60 && m < 120)
            return true;
        }
    return false;
  };
  return events.Filter(hasZ, {"Muon.pt", "Muon.eta", "Muon.phi", "Muon.mass", "Muon.pdgId"})
      .Histo1D<float>({"", "", 100, 0, 200}, "MET_pt");
}

auto topQuarks(Frame events) {
  const auto find = [](const Floats& pt, const Floats& eta, const Floats& phi, const Floats& mass,
                       const Floats& btag) {
    const auto four = momenta(pt, eta, phi, mass);
    double least = 1e9;
    Floats best(2);
    for (std::size_t i = 0; i + 2 < four.size(); ++i)
      for (std::size_t j = i + 1; j + 1 < four.size(); ++j)
        for (std::size_t k = j + 1; k < four.size(); ++k) {
          const Momentum together = four[i] + four[j] + four[k];
          const double distance = std::abs(together.M() - 172.5);
          if (distance >= least)
            continue;
          least = distance;
          best[0] = static_cast<float>(together.Pt());
          best[1] = std::max({btag[i], btag[j], btag[k]});
        }
    return best;
  };
  auto tops = events.Filter([](const Floats& pt) { return pt.size() >= 3; }, {"Jet.pt"})
                  .Define("top", find, {"Jet.pt", "Jet.eta", "Jet.phi", "Jet.mass", "Jet.btag"})
                  .Define("toppt", [](const Floats& top) { return top[0]; }, {"top"})
                  .Define("topbtag", [](const Floats& top) { return top[1]; }, {"top"});
  auto btag = tops.Histo1D<float>({"", "", 100, 0, 1}, "topbtag");
  auto pt = tops.Histo1D<float>({"", "", 100, 15, 40}, "toppt");
  (void)btag->GetEntries(); // computes both
  return pt;
}

auto isolatedJets(Frame events) {
  const auto isClose = [](float jetEta, float jetPhi, const Floats& pt, const Floats& eta,
                          const Floats& phi) {
    // The test that few pairs pass comes first, so that its branch is well predicted.
    for (std::size_t i = 0; i < pt.size(); ++i)
      if (deltaR(jetEta, jetPhi, eta[i], phi[i]) < 0.4F && pt[i] > 10)
        return true;
    return false;
  };
  const auto sum = [isClose](const Floats& pt, const Floats& eta, const Floats& phi,
                             const Floats& mPt, const Floats& mEta, const Floats& mPhi,
                             const Floats& ePt, const Floats& eEta, const Floats& ePhi) {
    double total = 0;
    for (std::size_t i = 0; i < pt.size(); ++i)
      if (pt[i] > 30 && !isClose(eta[i], phi[i], mPt, mEta, mPhi) &&
          !isClose(eta[i], phi[i], ePt, eEta, ePhi))
        total += pt[i];
    return total;
  };
  return events
      .Define("ht", sum,
              {"Jet.pt", "Jet.eta", "Jet.phi", "Muon.pt", "Muon.eta", "Muon.phi", "Electron.pt",
               "Electron.eta", "Electron.phi"})
      .Histo1D<double>({"", "", 100, 15, 200}, "ht");
}

auto besideZ(Frame events) {
  const auto join = [](const Floats& a, const Floats& b) { return Concatenate(a, b); };
  const auto find = [](const Floats& pt, const Floats& eta, const Floats& phi, const Floats& mass,
                       const Ids& id, float met, float metPhi) {
    const auto leptons = momenta(pt, eta, phi, mass);
    double least = 1e9;
    std::size_t first = 0, second = 0;
    for (std::size_t i = 0; i < leptons.size(); ++i)
      for (std::size_t j = i + 1; j < leptons.size(); ++j)
        if (const double distance = std::abs((leptons[i] + leptons[j]).M() - 91.2);
            id[i] == -id[j] && distance < least) {
          least = distance;
          first = i;
          second = j;
        }
    if (least == 1e9)
      return -1.F;
    std::size_t hardest = leptons.size();
    for (std::size_t i = 0; i < leptons.size(); ++i)
      if (i != first && i != second && (hardest == leptons.size() || pt[i] > pt[hardest]))
        hardest = i;
    return std::sqrt(2 * pt[hardest] * met * (1 - std::cos(phi[hardest] - metPhi)));
  };
  return events
      .Filter([](const Floats& m, const Floats& e) { return m.size() + e.size() >= 3; },
              {"Muon.pt", "Electron.pt"})
      .Define("leppt", join, {"Muon.pt", "Electron.pt"})
      .Define("lepeta", join, {"Muon.eta", "Electron.eta"})
      .Define("lepphi", join, {"Muon.phi", "Electron.phi"})
      .Define("lepmass", join, {"Muon.mass", "Electron.mass"})
      .Define("lepid", [](const Ids& a, const Ids& b) { return Concatenate(a, b); },
              {"Muon.pdgId", "Electron.pdgId"})
      .Define("mt", find, {"leppt", "lepeta", "lepphi", "lepmass", "lepid", "MET_pt", "MET_phi"})
      .Filter([](float mt) { return mt >= 0; }, {"mt"})
      .Histo1D<float>({"", "", 100, 0, 200}, "mt");
}

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  return runWorkload(argc, argv, 1'000'000, [](const Options& options) {
    Report report("queries", options);
    const Unit perMillion{"s/million events", 1e6 / static_cast<double>(options.count)};
    const auto measure = [&](const char* query, auto ask) {
      report.time({query, "ROOT RDataFrame", "zstd", Role::peer}, perMillion, [&] {
        auto histogram = ask(ROOT::RDataFrame("Events", options.directory + "/queries.kept.root"));
        expect(histogram->GetEntries() > 0, "a histogram");
      });
    };
    measure("1 missing momentum", [](Frame f) { return missingMomentum(f); });
    measure("2 jets", [](Frame f) { return jets(f); });
    measure("3 central jets", [](Frame f) { return centralJets(f); });
    measure("4 two jets", [](Frame f) { return withTwoJets(f); });
    measure("5 Z bosons", [](Frame f) { return withZ(f); });
    measure("6 top quarks", [](Frame f) { return topQuarks(f); });
    measure("7 isolated jets", [](Frame f) { return isolatedJets(f); });
    measure("8 beside Z bosons", [](Frame f) { return besideZ(f); });
    report.save();
  });
}
