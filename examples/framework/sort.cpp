// A plugin that chooses the output of an event, by its cluster with the highest energy.
#include "Algorithm.h"

#include "detector/ClusterCollection.h"

#include <algorithm>
#include <memory>

namespace {

class Sorting : public Algorithm {
public:
  void process(kaon::Frame& event) const override {
    float most = 0;
    for (const auto& cluster : event.get<detector::ClusterCollection>("Clusters"))
      most = std::max(most, cluster.getEnergy());
    event.putParameter("output", static_cast<int>(most));
  }
};

} // namespace

extern "C" void addAlgorithms(Algorithms& algorithms) {
  algorithms.push_back(std::make_unique<Sorting>());
}
