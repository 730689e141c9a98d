#pragma once

#include "Detector.h"

#include <edm4hep/CaloHitSimCaloHitLinkCollection.h>
#include <edm4hep/CalorimeterHitCollection.h>
#include <edm4hep/SimCalorimeterHitCollection.h>
#include <edm4hep/SimTrackerHitCollection.h>
#include <edm4hep/TrackerHit3DCollection.h>
#include <edm4hep/TrackerHitSimTrackerHitLinkCollection.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <tuple>
#include <utility>

/// Makes measured tracker hits, with noise, and links to the true ones. The random numbers depend
/// only on the event's number, not on the thread.
struct TrackerDigitisation {
  double noiseHitsOfLayer = 10;

  using Result =
      std::tuple<edm4hep::TrackerHit3DCollection, edm4hep::TrackerHitSimTrackerHitLinkCollection>;
  Result operator()(const edm4hep::SimTrackerHitCollection& simulated,
                    std::uint64_t eventNumber) const {
    std::mt19937_64 random(eventNumber + 1);
    edm4hep::TrackerHit3DCollection hits;
    edm4hep::TrackerHitSimTrackerHitLinkCollection links;
    const auto measure = [&](int layer, double phi, double z) {
      auto hit = hits.create();
      hit.setCellID(static_cast<std::uint64_t>(layer));
      const double radius = detector::radius(layer);
      hit.setPosition({radius * std::cos(phi), radius * std::sin(phi), z});
      return hit;
    };
    std::normal_distribution<double> smearing;
    for (const auto truth : simulated) {
      const auto layer = static_cast<int>(truth.getCellID());
      const auto position = truth.getPosition();
      const double shift = detector::resolution * smearing(random) / detector::radius(layer);
      auto link = links.create();
      link.setFrom(measure(layer, std::atan2(position.y, position.x) + shift,
                           position.z + detector::resolutionZ * smearing(random)));
      link.setTo(truth);
    }
    std::uniform_real_distribution<double> anyPhi(0, 2 * std::numbers::pi), anyWhere(-1, 1);
    std::poisson_distribution<int> number(noiseHitsOfLayer);
    for (int layer = 0; layer < detector::layers; ++layer)
      for (int i = number(random); i > 0; --i)
        (void)measure(layer, anyPhi(random), detector::radius(layer) * anyWhere(random));
    return {std::move(hits), std::move(links)};
  }
};

/// Makes hits of the cells above a threshold, and links to their true energies.
struct CalorimeterDigitisation {
  float threshold = 0.05F;

  using Result =
      std::tuple<edm4hep::CalorimeterHitCollection, edm4hep::CaloHitSimCaloHitLinkCollection>;
  Result operator()(const edm4hep::SimCalorimeterHitCollection& simulated,
                    std::uint64_t eventNumber) const {
    std::mt19937_64 random(eventNumber + 2);
    std::normal_distribution<float> smearing;
    edm4hep::CalorimeterHitCollection hits;
    edm4hep::CaloHitSimCaloHitLinkCollection links;
    for (const auto truth : simulated) {
      const float energy = truth.getEnergy();
      const float width = static_cast<float>(
          std::hypot(detector::stochasticTerm * std::sqrt(energy), detector::noise));
      const float measured = energy + width * smearing(random);
      if (measured < threshold)
        continue;
      auto hit = hits.create();
      hit.setCellID(truth.getCellID());
      hit.setEnergy(measured);
      hit.setEnergyError(width);
      hit.setPosition(truth.getPosition());
      auto link = links.create();
      link.setFrom(hit);
      link.setTo(truth);
    }
    return {std::move(hits), std::move(links)};
  }
};
