// The C++ programs of docs/coming-from-lcio.md, unchanged. They write an LCIO file, read it and
// read its hits again, without LCIO.
//
//     lcio_migration FILE.slcio

#include <kaon/kaon.h>
#include <lcio/lcio.h>

#include <cstdint>
#include <exception>
#include <iostream>
#include <string>
#include <utility>

namespace {

void write(const std::string& path) {
  kaon::Writer writer(path);
  for (int number = 0; number < 10; ++number) {
    kaon::Frame event;
    event.putParameter("runNumber", 7);
    event.putParameter("eventNumber", number);
    lcio::MCParticleCollection particles;
    auto muon = particles.create();
    muon.setPDG(13);
    muon.setGeneratorStatus(1);
    muon.setMomentum({1, 2, 0.5 * number});
    lcio::SimTrackerHitCollection hits;
    auto hit = hits.create();
    hit.setCellID0(number << 5 | 3); // module and layer
    hit.setParticle(muon);
    lcio::ReconstructedParticleCollection reconstructed;
    auto candidate = reconstructed.create();
    candidate.setEnergy(4.5);
    lcio::LCRelationCollection links;
    links.create(candidate, muon, 0.9F);
    event.put(std::move(particles), "MCParticle");
    event.put(std::move(hits), "VXDHits");
    event.put(std::move(reconstructed), "PandoraPFOs");
    event.put(std::move(links), "RecoMCTruthLink");
    event.putParameter("VXDHits__CellIDEncoding", std::string("layer:5,module:16"));
    writer.write(event, "events");
  }
  writer.finish();
}

void loop(const std::string& path) {
  double sum = 0;
  int count = 0;
  const auto fill = [&](double pz) {
    sum += pz;
    ++count;
  };
  const kaon::Reader reader(path);
  for (const kaon::Frame& event : reader["events"])
    for (const auto particle : event.get<lcio::MCParticleCollection>("MCParticle"))
      if (particle.getGeneratorStatus() == 1)
        fill(particle.getMomentum().z);
  std::cout << count << " stable particles, sum of pz " << sum << " GeV\n";
}

void followRelations(const std::string& path) {
  const kaon::Reader reader(path);
  const kaon::Frame event = reader["events"].at(3);
  const auto& links = event.get<lcio::LCRelationCollection>("RecoMCTruthLink");
  const kaon::LinkNavigator navigator{links};
  for (const auto candidate : event.get<lcio::ReconstructedParticleCollection>("PandoraPFOs"))
    for (const auto& [truth, weight] : navigator.getLinkedTo(lcio::LCObject(candidate)))
      std::cout << "PDG " << truth.as<lcio::MCParticle>().getPDG() << " by " << weight << '\n';
  for (const auto hit : event.get<lcio::SimTrackerHitCollection>("VXDHits"))
    std::cout << "a hit of PDG " << hit.getParticle().getPDG() << ", cell " << hit.getCellID0()
              << " of " << *event.getParameter<std::string>("VXDHits__CellIDEncoding") << '\n';
}

void readColumns(const std::string& path) {
  std::size_t muons = 0;
  const kaon::Reader reader(path);
  for (auto [pdg] : reader["events"].each<kaon::Array<std::int32_t>>("MCParticle.PDG"))
    muons += kaon::count(pdg == 13);
  std::cout << muons << " muons\n";
}

} // namespace

int main(int argc, char** argv) try {
  const std::string path = argc > 1 ? argv[1] : "migration.slcio";
  write(path);
  loop(path);
  followRelations(path);
  readColumns(path);
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
