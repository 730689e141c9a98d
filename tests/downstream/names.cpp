// Programs may use names of kaon and of the standard library unqualified.
#include <algorithm>
#include <any>
#include <array>
#include <filesystem>
#include <functional>
#include <iostream>
#include <list>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "all.h"

using namespace kaon;
using namespace std;

int countMuons(const string& path) {
  vector<float> momenta;
  set<string> names;
  optional<pair<string, size_t>> first;
  list<tuple<int, string_view>> rows;
  for (const auto& [pt] : Reader(path)["events"].each<Array<float>>("Muon.pt")) {
    for (const float value : pt)
      momenta.push_back(max(value, 0.F));
    if (any_of(momenta.begin(), momenta.end(), [](float value) { return value > 10; }))
      rows.emplace_back(static_cast<int>(count(pt > 10.F)), "Muon");
  }
  sort(momenta.begin(), momenta.end());
  const function<float(span<const float>)> sumOf = [](span<const float> values) {
    return accumulate(values.begin(), values.end(), 0.F);
  };
  names.insert(to_string(sumOf(momenta)));
  for (const string& name : names)
    cout << name << ' ' << sqrt(2.) << ' ' << abs(-1) << '\n';
  return static_cast<int>(ranges::count(momenta, 0.F));
}
