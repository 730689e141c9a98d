#pragma once

#include <kaon/dataset/Histogram.h>

#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace adl {

/// Prints the values of all bins, one histogram per line, for plots.py and the tests.
inline void print(const std::vector<std::pair<std::string, kaon::Histogram>>& histograms) {
  for (const auto& [name, histogram] : histograms) {
    std::cout << name;
    for (int bin = -1; bin <= histogram.axis(0).size(); ++bin) // underflow and overflow, too
      std::cout << ' ' << histogram.at(bin).value();
    std::cout << '\n';
  }
}

} // namespace adl
