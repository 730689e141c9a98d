// Writes reconstructed particles with links to the true ones. Then reads the file and measures the
// momentum resolution, following the links in both directions.

#include <edm4hep/MCParticleCollection.h>
#include <edm4hep/RecoMCParticleLinkCollection.h>
#include <edm4hep/ReconstructedParticleCollection.h>
#include <kaon/kaon.h>

#include <cmath>
#include <exception>
#include <iostream>
#include <random>
#include <string>

namespace {

constexpr int events = 200;
constexpr int particlesEach = 5;
constexpr double resolution = 0.02;

/// Returns a frame with true particles, measured ones, and links between them.
kaon::Frame reconstruct(std::mt19937& random) {
  std::exponential_distribution<double> momentum(0.1); // GeV
  std::normal_distribution<double> smearing(1, resolution);
  edm4hep::MCParticleCollection particles;
  edm4hep::ReconstructedParticleCollection reconstructed;
  edm4hep::RecoMCParticleLinkCollection links;
  for (int i = 0; i < particlesEach; ++i) {
    auto particle = particles.create();
    particle.setPDG(13);
    particle.setMomentum({momentum(random), 0, 0});
    if (i == 0)
      continue; // the first particle of each event is not reconstructed
    auto measured = reconstructed.create();
    measured.setMomentum(
        {static_cast<float>(particle.getMomentum().x * smearing(random)), 0.F, 0.F});
    auto link = links.create();
    link.setFrom(measured);
    link.setTo(particle);
    link.setWeight(1.F);
  }
  kaon::Frame frame;
  frame.put(std::move(particles), "MCParticles");
  frame.put(std::move(reconstructed), "RecoParticles");
  frame.put(std::move(links), "RecoMCLinks");
  return frame;
}

} // namespace

int main(int argc, char** argv) try {
  const std::string path = argc > 1 ? argv[1] : "reconstruction.kaon";
  std::mt19937 random(1);
  kaon::Writer out(path);
  for (int event = 0; event < events; ++event)
    out.write(reconstruct(random), "events");
  out.finish();

  std::size_t linked = 0, lost = 0;
  double sumOfSquares = 0;
  const kaon::Reader in(path);
  for (const kaon::Frame& event : in["events"]) {
    const auto& links = event.get<edm4hep::RecoMCParticleLinkCollection>("RecoMCLinks");
    const kaon::LinkNavigator navigator(links);
    for (const auto measured : event.get<edm4hep::ReconstructedParticleCollection>("RecoParticles"))
      for (const auto& [particle, weight] : navigator.getLinked(measured)) {
        const double ratio = measured.getMomentum().x / particle.getMomentum().x;
        sumOfSquares += weight * (ratio - 1) * (ratio - 1);
        ++linked;
      }
    for (const auto particle : event.get<edm4hep::MCParticleCollection>("MCParticles"))
      lost += navigator.getLinked(particle).empty() ? 1 : 0;
  }
  const double width = std::sqrt(sumOfSquares / static_cast<double>(linked));
  std::cout << linked << " particles found with a resolution of " << width << ", " << lost
            << " lost\n";
  return linked == events * (particlesEach - 1) && lost == events &&
                 std::abs(width - resolution) < 0.003
             ? 0
             : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
