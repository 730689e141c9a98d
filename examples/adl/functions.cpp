// The eight queries as C++ functions, in one pass over the files.
//
//   adl_functions FILE...

#include "Histograms.h"
#include "Queries.h"

#include <exception>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char** argv) try {
  const auto events = kaon::dataset(std::vector<std::string>(argv + 1, argv + argc), "Events");
  const auto met = adl::missingMomentum(events), all = adl::jets(events),
             central = adl::centralJets(events), twoJets = adl::withTwoJets(events),
             z = adl::withZ(events), isolated = adl::isolatedJets(events),
             mt = adl::besideZ(events);
  const auto tops = adl::topQuarks(events);
  adl::print({{"1", *met},
              {"2", *all},
              {"3", *central},
              {"4", *twoJets},
              {"5", *z},
              {"6a", *tops[0]},
              {"6b", *tops[1]},
              {"7", *isolated},
              {"8", *mt}});
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
