// A plugin that makes the hits of an event.
#include "Algorithm.h"

#include "detector/HitCollection.h"

#include <memory>
#include <random>
#include <utility>

namespace {

class Simulation : public Algorithm {
public:
  void process(kaon::Frame& event) const override {
    std::mt19937 random(static_cast<unsigned>(event.getParameter<int>("event").value()));
    std::bernoulli_distribution isHit(0.4);
    std::exponential_distribution<float> energy(1);
    detector::HitCollection hits;
    for (int cell = 0; cell < numCells; ++cell)
      if (isHit(random))
        hits.create(cell, energy(random));
    event.put(std::move(hits), "Hits");
  }

private:
  static constexpr int numCells = 100;
};

} // namespace

extern "C" void addAlgorithms(Algorithms& algorithms) {
  algorithms.push_back(std::make_unique<Simulation>());
}
