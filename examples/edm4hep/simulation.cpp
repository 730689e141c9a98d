// Writes simulated hits: particles cross a tracker and end in a calorimeter. Then reads the file
// and prints the energy that the calorimeter saw of each kind of particle.

#include <edm4hep/CaloHitContributionCollection.h>
#include <edm4hep/MCParticleCollection.h>
#include <edm4hep/SimCalorimeterHitCollection.h>
#include <edm4hep/SimTrackerHitCollection.h>
#include <kaon/kaon.h>

#include <cmath>
#include <exception>
#include <iostream>
#include <map>
#include <numbers>
#include <string>

namespace {

constexpr int events = 100;
constexpr int layers = 6;

/// Returns a frame with a pion, a photon that it radiated, and their hits in the detector.
kaon::Frame simulate(int event) {
  edm4hep::MCParticleCollection particles;
  edm4hep::SimTrackerHitCollection trackerHits;
  edm4hep::SimCalorimeterHitCollection calorimeterHits;
  edm4hep::CaloHitContributionCollection contributions;

  const double phi = 2 * std::numbers::pi * event / events;
  const double energy = 10 + event % 7;
  auto pion = particles.create();
  pion.setPDG(211);
  pion.setGeneratorStatus(1);
  pion.setCharge(1);
  pion.setMomentum({energy * std::cos(phi), energy * std::sin(phi), 0});
  auto photon = particles.create();
  photon.setPDG(22);
  photon.setMomentum({0.1 * energy * std::cos(phi), 0.1 * energy * std::sin(phi), 0});
  photon.addToParents(pion);
  pion.addToDaughters(photon);

  for (int layer = 0; layer < layers; ++layer) {
    const double radius = 50. * (layer + 1); // mm
    auto hit = trackerHits.create();
    hit.setCellID(static_cast<std::uint64_t>(layer));
    hit.setEDep(1e-4F);
    hit.setPosition({radius * std::cos(phi), radius * std::sin(phi), 0});
    hit.setParticle(pion);
  }
  for (const auto& [particle, share] : {std::pair{pion, 0.9}, std::pair{photon, 0.1}}) {
    auto hit = calorimeterHits.create();
    hit.setEnergy(static_cast<float>(share * energy));
    hit.setPosition({1800.F * static_cast<float>(std::cos(phi)),
                     1800.F * static_cast<float>(std::sin(phi)), 0});
    auto contribution = contributions.create();
    contribution.setEnergy(hit.getEnergy());
    contribution.setParticle(particle);
    hit.addToContributions(contribution);
  }

  kaon::Frame frame;
  frame.put(std::move(particles), "MCParticles");
  frame.put(std::move(trackerHits), "TrackerHits");
  frame.put(std::move(calorimeterHits), "CalorimeterHits");
  frame.put(std::move(contributions), "Contributions");
  frame.putParameter("seed", event);
  return frame;
}

} // namespace

int main(int argc, char** argv) try {
  const std::string path = argc > 1 ? argv[1] : "simulation.kaon";
  kaon::Writer out(path);
  for (int event = 0; event < events; ++event)
    out.write(simulate(event), "events");
  out.finish();

  std::map<int, double> energies; // by PDG code
  std::size_t trackerHits = 0;
  const kaon::Reader in(path);
  for (const kaon::Frame& event : in["events"]) {
    for (const auto hit : event.get<edm4hep::SimCalorimeterHitCollection>("CalorimeterHits"))
      for (const auto contribution : hit.getContributions())
        energies[contribution.getParticle().getPDG()] += contribution.getEnergy();
    for (const auto hit : event.get<edm4hep::SimTrackerHitCollection>("TrackerHits"))
      trackerHits += hit.getParticle().getCharge() != 0 ? 1 : 0;
  }
  for (const auto& [pdg, energy] : energies)
    std::cout << "PDG " << pdg << ": " << energy << " GeV in the calorimeter\n";
  std::cout << trackerHits << " tracker hits of charged particles\n";
  return trackerHits == events * layers && energies.size() == 2 ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
