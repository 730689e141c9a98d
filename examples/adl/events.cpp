// Generates collision events for the queries.
//
//   adl_events FILE [EVENTS [SEED]]      FILE ends in .kaon or .root (an RNTuple), or in .tree.root
//   (a TTree)

#include "Generator.h"

#include <cstddef>
#include <cstdlib>
#include <exception>
#include <iostream>

int main(int argc, char** argv) try {
  if (argc < 2) {
    std::cerr << "Usage: adl_events FILE [EVENTS [SEED]]\n";
    return 2;
  }
  const std::size_t events = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 100'000;
  adl::Generator generator(argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 1);
  for (std::size_t event = 0; event < events; ++event)
    generator.addEvent();
  generator.write(argv[1]);
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
