// A plugin that joins the hits of neighbouring cells.
#include "Algorithm.h"

#include "detector/ClusterCollection.h"
#include "detector/HitCollection.h"

#include <memory>
#include <utility>

namespace {

class Clustering : public Algorithm {
public:
  void process(kaon::Frame& event) const override {
    detector::ClusterCollection clusters;
    int last = -2; // cell of the hit before
    for (const auto& hit : event.get<detector::HitCollection>("Hits")) {
      if (hit.getCell() != last + 1)
        clusters.create();
      last = hit.getCell();
      auto cluster = clusters.back();
      cluster.addToHits(hit);
      cluster.setEnergy(cluster.getEnergy() + hit.getEnergy());
    }
    event.put(std::move(clusters), "Clusters");
  }
};

} // namespace

extern "C" void addAlgorithms(Algorithms& algorithms) {
  algorithms.push_back(std::make_unique<Clustering>());
}
