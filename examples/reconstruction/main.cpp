// A reconstruction as a framework runs it: makes tracks and clusters from hits of a toy detector,
// several events at a time. Writes a file, then reads it and prints the efficiency and the
// resolution.

#include "Clustering.h"
#include "Digitisation.h"
#include "Simulation.h"
#include "Tracking.h"
#include "TruthLinks.h"

#include <kaon/loop/EventLoop.h>

#include <cmath>
#include <cstddef>
#include <exception>
#include <iostream>
#include <string>

namespace {

constexpr std::uint64_t events = 500;

/// Counts the particles that were found. Each thread has its own instance.
struct Efficiency {
  std::size_t muons = 0, tracks = 0, photons = 0, clusters = 0;

  void operator()(const edm4hep::MCParticleCollection& particles,
                  const edm4hep::TrackMCParticleLinkCollection& trackLinks,
                  const edm4hep::ClusterMCParticleLinkCollection& clusterLinks) {
    const kaon::LinkNavigator tracksOf(trackLinks);
    const kaon::LinkNavigator clustersOf(clusterLinks);
    for (const auto particle : particles)
      if (particle.getCharge() != 0) {
        ++muons;
        tracks += tracksOf.getLinked(particle).empty() ? 0 : 1;
      } else {
        ++photons;
        clusters += clustersOf.getLinked(particle).empty() ? 0 : 1;
      }
  }
  void add(const Efficiency& other) {
    muons += other.muons;
    tracks += other.tracks;
    photons += other.photons;
    clusters += other.clusters;
  }
};

Efficiency reconstruct(const std::string& input, const std::string& output) {
  Efficiency efficiency;
  kaon::EventLoop loop;
  loop.add("TrackerDigitisation", TrackerDigitisation{.noiseHitsOfLayer = 10},
           {"SimTrackerHits", "EventHeader.eventNumber"}, {"TrackerHits", "TrackerHitLinks"});
  loop.add("CalorimeterDigitisation", CalorimeterDigitisation{.threshold = 0.05F},
           {"SimCalorimeterHits", "EventHeader.eventNumber"}, {"CaloHits", "CaloHitLinks"});
  loop.add("Tracking", Tracking(), {"TrackerHits"}, {"Tracks"});
  loop.add("Clustering", Clustering{.seedEnergy = 0.3F}, {"CaloHits"}, {"Clusters"});
  loop.add("TrackTruth", linkTracks, {"Tracks", "TrackerHitLinks"}, {"TrackMCLinks"});
  loop.add("ClusterTruth", linkClusters, {"Clusters", "CaloHitLinks"}, {"ClusterMCLinks"});
  loop.add("Efficiency",
           kaon::perThread([] { return Efficiency(); },
                           [&](const Efficiency& own) { efficiency.add(own); }),
           {"MCParticles", "TrackMCLinks", "ClusterMCLinks"});
  loop.write({.path = output,
              .keep = {"EventHeader", "MCParticles"},
              .drop = {"TrackerHitLinks", "CaloHitLinks"}});
  loop.run(kaon::Reader(input)["events"]);
  return efficiency;
}

/// The number of tracks in a file, and the resolutions of tracks and clusters.
struct Quality {
  std::size_t tracks = 0, clusters = 0;
  double pt = 0, energy = 0; ///< relative widths
};
Quality qualityOf(const std::string& path) {
  Quality quality;
  for (const kaon::Frame& event : kaon::Reader(path)["events"]) {
    quality.tracks += event.get<edm4hep::TrackCollection>("Tracks").size();
    quality.clusters += event.get<edm4hep::ClusterCollection>("Clusters").size();
    for (const auto link : event.get<edm4hep::TrackMCParticleLinkCollection>("TrackMCLinks")) {
      const auto p = link.getTo().getMomentum();
      const double omega = link.getFrom().getTrackStates(0).omega;
      const double expected =
          link.getTo().getCharge() / detector::curvatureRadius(std::hypot(p.x, p.y));
      quality.pt += std::pow(omega / expected - 1, 2);
    }
    for (const auto link : event.get<edm4hep::ClusterMCParticleLinkCollection>("ClusterMCLinks")) {
      const auto p = link.getTo().getMomentum();
      quality.energy += std::pow(link.getFrom().getEnergy() / std::hypot(p.x, p.y, p.z) - 1, 2);
    }
  }
  quality.pt = std::sqrt(quality.pt / static_cast<double>(quality.tracks));
  quality.energy = std::sqrt(quality.energy / static_cast<double>(quality.clusters));
  return quality;
}

} // namespace

int main(int argc, char** argv) try {
  const std::string output = argc > 1 ? argv[1] : "reconstruction.kaon";
  const std::string input = output + ".simulated.kaon";
  simulation::write(input, events);
  const Efficiency efficiency = reconstruct(input, output);
  const Quality quality = qualityOf(output);
  std::cout << efficiency.tracks << " of " << efficiency.muons << " muons have a track, "
            << quality.tracks << " tracks, transverse momenta to " << 100 * quality.pt << " %\n"
            << efficiency.clusters << " of " << efficiency.photons << " photons have a cluster, "
            << quality.clusters << " clusters, energies to " << 100 * quality.energy << " %\n";
  // Each layer sees 97 % of the muons. At least eight of ten layers therefore see 99.7 % of them.
  // In 0.4 % of the cases, neither pair of layers has both hits. The relative error of least
  // squares is 1.7e-3 times the transverse momentum in GeV, 1 % on average. Photons are far apart.
  const bool isGood =
      efficiency.muons == events * simulation::muons &&
      static_cast<double>(efficiency.tracks) > 0.98 * static_cast<double>(efficiency.muons) &&
      quality.tracks < efficiency.tracks + efficiency.muons / 100 && quality.pt < 0.012 &&
      efficiency.photons == events * simulation::photons &&
      efficiency.clusters == efficiency.photons && quality.clusters == efficiency.photons &&
      quality.energy < 0.07;
  return isGood ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
