#pragma once

#include <algorithm>
#include <vector>

namespace kaon {

/// Sorts values and removes duplicates.
template <class T>
void sortUnique(std::vector<T>& values) {
  std::ranges::sort(values);
  const auto repeated = std::ranges::unique(values);
  values.erase(repeated.begin(), repeated.end());
}

} // namespace kaon
