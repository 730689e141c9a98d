#pragma once

#include "Detector.h"

#include <edm4hep/CaloHitContributionCollection.h>
#include <edm4hep/EventHeaderCollection.h>
#include <edm4hep/MCParticleCollection.h>
#include <edm4hep/SimCalorimeterHitCollection.h>
#include <edm4hep/SimTrackerHitCollection.h>
#include <kaon/kaon.h>

#include <cmath>
#include <random>
#include <string>

// Simulates muons, which leave hits in the tracker, and photons, which end in the calorimeter far
// from each other.

namespace simulation {

inline constexpr int muons = 5;
inline constexpr int photons = 3;

/// Adds a hit where a circle through the origin crosses each layer, except in inefficient layers.
inline void cross(const edm4hep::MutableMCParticle& muon, double phi, double pt, double slope,
                  std::mt19937_64& random, edm4hep::SimTrackerHitCollection& hits) {
  const double curvature = detector::curvatureRadius(pt);
  std::bernoulli_distribution isSeen(detector::efficiency);
  for (int layer = 0; layer < detector::layers; ++layer) {
    const double radius = detector::radius(layer);
    const double turn = std::asin(radius / (2 * curvature));
    const double direction = phi - muon.getCharge() * turn;
    if (!isSeen(random))
      continue;
    auto hit = hits.create();
    hit.setCellID(static_cast<std::uint64_t>(layer));
    hit.setEDep(1e-4F);
    hit.setPosition(
        {radius * std::cos(direction), radius * std::sin(direction), slope * 2 * curvature * turn});
    hit.setParticle(muon);
  }
}

/// Adds a shower of three by three cells.
inline void shower(const edm4hep::MutableMCParticle& photon, detector::Cell centre, double energy,
                   edm4hep::SimCalorimeterHitCollection& hits,
                   edm4hep::CaloHitContributionCollection& contributions) {
  constexpr double shares[] = {0.1, 0.8, 0.1};
  for (int phi = -1; phi <= 1; ++phi)
    for (int z = -1; z <= 1; ++z) {
      const detector::Cell cell = centre.moved(phi, z);
      const auto share = static_cast<float>(energy * shares[phi + 1] * shares[z + 1]);
      auto contribution = contributions.create();
      contribution.setEnergy(share);
      contribution.setParticle(photon);
      auto hit = hits.create();
      hit.setCellID(cell.id());
      hit.setEnergy(share);
      hit.setPosition({static_cast<float>(detector::calorimeterRadius * std::cos(cell.centrePhi())),
                       static_cast<float>(detector::calorimeterRadius * std::sin(cell.centrePhi())),
                       static_cast<float>(cell.centreZ())});
      hit.addToContributions(contribution);
    }
}

inline kaon::Frame event(std::uint64_t number) {
  std::mt19937_64 random(number);
  std::uniform_real_distribution<double> transverse(1, 10), anyPhi(0, 2 * std::numbers::pi),
      anySlope(-1, 1), withinSector(-0.4, 0.4);
  edm4hep::MCParticleCollection particles;
  edm4hep::SimTrackerHitCollection trackerHits;
  edm4hep::SimCalorimeterHitCollection calorimeterHits;
  edm4hep::CaloHitContributionCollection contributions;
  const auto create = [&](int pdg, int charge, double pt, double phi, double slope) {
    auto particle = particles.create();
    particle.setPDG(pdg);
    particle.setGeneratorStatus(1);
    particle.setCharge(static_cast<float>(charge));
    particle.setMomentum({pt * std::cos(phi), pt * std::sin(phi), pt * slope});
    return particle;
  };
  for (int i = 0; i < muons; ++i) {
    const double pt = transverse(random), phi = anyPhi(random), slope = anySlope(random);
    const int charge = i % 2 == 0 ? 1 : -1;
    cross(create(-13 * charge, charge, pt, phi, slope), phi, pt, slope, random, trackerHits);
  }
  for (int i = 0; i < photons; ++i) {
    const double pt = transverse(random), slope = anySlope(random);
    const double phi = (i + withinSector(random)) * 2 * std::numbers::pi / photons;
    shower(create(22, 0, pt, phi, slope),
           detector::Cell::at(phi, slope * detector::calorimeterRadius),
           pt * std::sqrt(1 + slope * slope), calorimeterHits, contributions);
  }
  edm4hep::EventHeaderCollection header;
  header.create().setEventNumber(number);
  kaon::Frame frame;
  frame.put(std::move(header), "EventHeader");
  frame.put(std::move(particles), "MCParticles");
  frame.put(std::move(trackerHits), "SimTrackerHits");
  frame.put(std::move(calorimeterHits), "SimCalorimeterHits");
  frame.put(std::move(contributions), "CaloHitContributions");
  return frame;
}

inline void write(const std::string& path, std::uint64_t events) {
  kaon::Writer out(path);
  for (std::uint64_t number = 0; number < events; ++number)
    out.write(event(number), "events");
  out.finish();
}

} // namespace simulation
