#pragma once

#include "Detector.h"

#include <edm4hep/CalorimeterHitCollection.h>
#include <edm4hep/ClusterCollection.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <unordered_map>
#include <vector>

/// Makes clusters of adjacent cells around cells with much energy.
struct Clustering {
  float seedEnergy = 0.3F;

  edm4hep::ClusterCollection operator()(const edm4hep::CalorimeterHitCollection& hits) const {
    std::unordered_map<std::uint64_t, std::size_t> free; // hits by their cells
    for (std::size_t i = 0; i < hits.size(); ++i)
      free.emplace(hits[i].getCellID(), i);
    std::vector<std::size_t> byEnergy(hits.size());
    std::iota(byEnergy.begin(), byEnergy.end(), std::size_t{0});
    const auto energy = [&](std::size_t i) { return hits[i].getEnergy(); };
    std::ranges::stable_sort(byEnergy, std::ranges::greater(), energy);
    edm4hep::ClusterCollection clusters;
    for (const std::size_t seed : byEnergy)
      if (energy(seed) >= seedEnergy && free.erase(hits[seed].getCellID()) > 0)
        addCluster(clusters.create(), hits, seed, free);
    return clusters;
  }

private:
  static void addCluster(edm4hep::MutableCluster cluster,
                         const edm4hep::CalorimeterHitCollection& hits, std::size_t seed,
                         std::unordered_map<std::uint64_t, std::size_t>& free) {
    std::vector<std::size_t> members{seed};
    for (std::size_t next = 0; next < members.size(); ++next) {
      const auto cell = detector::Cell::ofId(hits[members[next]].getCellID());
      for (int phi = -1; phi <= 1; ++phi)
        for (int z = -1; z <= 1; ++z)
          if (const detector::Cell near = cell.moved(phi, z); near.isThere())
            if (const auto hit = free.extract(near.id()); !hit.empty())
              members.push_back(hit.mapped());
    }
    float energy = 0;
    edm4hep::Vector3f position{0, 0, 0};
    for (const std::size_t member : members) {
      const auto hit = hits[member];
      cluster.addToHits(hit);
      energy += hit.getEnergy();
      position.x += hit.getEnergy() * hit.getPosition().x;
      position.y += hit.getEnergy() * hit.getPosition().y;
      position.z += hit.getEnergy() * hit.getPosition().z;
    }
    cluster.setEnergy(energy);
    cluster.setPosition({position.x / energy, position.y / energy, position.z / energy});
  }
};
