// The programs of docs/dataframe.md, on two files of a run and a ROOT file with more events:
//
//     dataframe_tour     reads events.kaon, run7/*.kaon and more.root in the current folder

#include <kaon/dataset/Dataframe.h> // needs Boost.Histogram (Debian: libboost-dev)
#include <kaon/kaon.h>

#include <cstdint>
#include <exception>
#include <iostream>

namespace {

/// Returns the number of events with two muons of opposite charges.
int countPairs() {
  int pairs = 0;
  const kaon::Reader reader("events.kaon");
  for (auto [pt, charge] : reader["events"].each<kaon::Array<float>, kaon::Array<std::int32_t>>(
           "Muon.pt", "Muon.charge"))
    if (pt.size() == 2 && charge[0] != charge[1])
      ++pairs;
  return pairs;
}

float sumMissing() {
  const kaon::Reader reader("events.kaon");
  const auto& events = reader["events"];
  float total = 0;
  events.each<float>("MET_pt").forEach([&](float met) { total += met; });
  return total;
}

} // namespace

int main() try {
  std::cout << countPairs() << " pairs, " << sumMissing() << " GeV\n";

  auto events = kaon::dataset({"run7/*.kaon", "more.root"}, "events");
  auto pairs =
      events.filter("count(Muon[Muon.pt > 20]) == 2", "two muons")
          .define("leading", [](kaon::Array<float> pt) { return max(pt, 0.F); }, {"Muon.pt"});
  auto spectrum = pairs.histogram({100, 0, 200, "leading pT [GeV]"}, "leading");
  auto cuts = pairs.report();
  kaon::run(spectrum, cuts); // one pass over the files; reading one result does the same
  std::cout << cuts << spectrum->at(17).value() << '\n';

  auto muons = events.explode("Muon").filter("Muon.pt > 20").define("share", "Muon.pt / MET_pt");
  auto shares = muons.histogram({100, 0, 200}, "Muon.pt", "share");
  auto again = muons.implode().filter("count(Muon) == 2");
  std::cout << shares->at(17).value() << ' ' << *again.count() << '\n';

  auto some = pairs.snapshot("some.kaon", {"Muon", "MET_pt", "leading"});
  std::cout << *some->count() << '\n';
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
