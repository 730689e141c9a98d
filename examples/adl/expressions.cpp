// The eight queries of the ADL benchmark (https://github.com/iris-hep/adl-benchmarks-index) as
// expressions.
//
//   adl_expressions FILE...

#include "Histograms.h"

#include <kaon/dataset/Dataframe.h>

#include <exception>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char** argv) try {
  const auto events = kaon::dataset(std::vector<std::string>(argv + 1, argv + argc), "Events");
  const kaon::Axis missing = {100, 0, 200, "missing pT [GeV]"};

  const auto met = events.histogram(missing, "MET_pt");
  const auto jets = events.histogram({100, 15, 60, "jet pT [GeV]"}, "Jet.pt");
  const auto central = events.define("central", "Jet.pt[abs(Jet.eta) < 1]")
                           .histogram({100, 15, 60, "jet pT [GeV]"}, "central");
  const auto twoJets = events.filter("sum(Jet.pt > 40) >= 2").histogram(missing, "MET_pt");
  const auto z = events.define("pair", "combinations(Muon, 2)")
                     .filter("any(pair.first.pdgId == -pair.second.pdgId and "
                             "60 < (pair.first + pair.second).mass < 120)")
                     .histogram(missing, "MET_pt");

  const auto tops = events.filter("count(Jet) >= 3")
                        .define("triple", "combinations(Jet, 3)")
                        .define("together", "triple.first + triple.second + triple.third")
                        .define("best", "argmin(abs(together.mass - 172.5))")
                        .define("pt", "together[best].pt")
                        .define("btag", "max(triple[best].first.btag, triple[best].second.btag, "
                                        "triple[best].third.btag)");
  const auto topPt = tops.histogram({100, 15, 40, "three jets' pT [GeV]"}, "pt");
  const auto btag = tops.histogram({100, 0, 1, "best b-tag"}, "btag");

  const auto leptons = events.define("Lepton", "concatenate(Muon, Electron)");
  const auto isolated =
      leptons
          .define("ht", "sum(Jet.pt[Jet.pt > 30 and "
                        "all(deltaR(pairs(Jet, Lepton[Lepton.pt > 10])) >= 0.4)])")
          .histogram({100, 15, 200, "sum of jet pT [GeV]"}, "ht");

  const auto besideZ =
      leptons.filter("count(Lepton) >= 3")
          .define("pair", "combinations(Lepton, 2)")
          .define("isPair", "pair.first.pdgId == -pair.second.pdgId")
          .filter("any(isPair)")
          .define("mass", "(pair.first + pair.second).mass")
          .define("z", "pair[argmin(where(isPair, abs(mass - 91.2), 1e9))]")
          .define("other", "Lepton[index(Lepton) not in (index(z.first), index(z.second))]")
          .define("mt", "transverseMass(other[argmax(other.pt)].pt, other[argmax(other.pt)].phi, "
                        "MET_pt, MET_phi)")
          .histogram({100, 0, 200, "transverse mass [GeV]"}, "mt");

  adl::print({{"1", *met},
              {"2", *jets},
              {"3", *central},
              {"4", *twoJets},
              {"5", *z},
              {"6a", *topPt},
              {"6b", *btag},
              {"7", *isolated},
              {"8", *besideZ}});
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
