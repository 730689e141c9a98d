// Writes events in LCIO's data model, with related objects of its types. Reads them back and
// compares them with the written ones.

#include <kaon/kaon.h>
#include <lcio/lcio.h>

#include <cmath>
#include <iostream>
#include <stdexcept>
#include <string>

namespace {

constexpr int events = 20;

void addSimulation(kaon::Frame& frame, int event) {
  lcio::MCParticleCollection particles;
  auto beam = particles.create();
  beam.setPDG(11);
  beam.setMomentum({0, 0, 125});
  auto muon = particles.create();
  muon.setPDG(13);
  muon.setCharge(-1);
  muon.setMomentum({1. + event, 2, 3});
  muon.addToParents(beam);
  beam.addToDaughters(muon);

  lcio::SimTrackerHitCollection trackerHits;
  auto crossing = trackerHits.create();
  crossing.setCellID0(event);
  crossing.setParticle(muon);

  lcio::CaloHitContributionCollection contributions;
  auto contribution = contributions.create();
  contribution.setEnergy(0.25F);
  contribution.setParticle(muon);
  lcio::SimCalorimeterHitCollection calorimeterHits;
  auto hit = calorimeterHits.create();
  hit.setEnergy(0.25F);
  hit.addToContributions(contribution);

  frame.put(std::move(particles), "MCParticle");
  frame.put(std::move(trackerHits), "SimTrackerHits");
  frame.put(std::move(contributions), "CaloHitContributions");
  frame.put(std::move(calorimeterHits), "SimCalorimeterHits");
}

void addReconstruction(kaon::Frame& frame, int event) {
  lcio::TrackerHitCollection points;
  auto point = points.create();
  point.setPosition({1, 2, 0.5 * event});
  point.addToRawHits(frame.get<lcio::SimTrackerHitCollection>("SimTrackerHits")[0]);
  lcio::TrackerHitPlaneCollection planes;
  auto plane = planes.create();
  plane.setDu(0.005F);

  lcio::TrackCollection tracks;
  auto track = tracks.create();
  track.addToTrackerHits(plane);
  track.addToTrackerHits(point);
  lcio::TrackState state;
  state.location = 1;
  state.omega = 0.001F;
  track.addToTrackStates(state);

  lcio::ReconstructedParticleCollection particles;
  auto particle = particles.create();
  particle.setEnergy(4);
  particle.addToTracks(track);
  lcio::VertexCollection vertices;
  auto vertex = vertices.create();
  vertex.setPrimary(true);
  vertex.setAlgorithmType("fit of event " + std::to_string(event));
  vertex.setAssociatedParticle(particle);
  particle.setStartVertex(vertex);

  lcio::LCRelationCollection relations;
  auto relation = relations.create();
  relation.setFrom(particle);
  relation.setTo(frame.get<lcio::MCParticleCollection>("MCParticle")[1]);
  relation.setWeight(0.5F);

  frame.put(std::move(points), "TrackerHits");
  frame.put(std::move(planes), "TrackerHitPlanes");
  frame.put(std::move(tracks), "Tracks");
  frame.put(std::move(particles), "ReconstructedParticles");
  frame.put(std::move(vertices), "Vertices");
  frame.put(std::move(relations), "RecoMCTruthLink");
}

kaon::Frame make(int event) {
  kaon::Frame frame;
  lcio::EventHeaderCollection headers;
  auto header = headers.create();
  header.setEventNumber(event);
  header.setDetectorName("ILD_l5_v02");
  frame.put(std::move(headers), "EventHeader");
  lcio::LCStrVecCollection strings;
  auto names = strings.create();
  names.addToValues("BeamCal");
  names.addToValues("");
  frame.put(std::move(strings), "SubdetectorNames");
  frame.putParameter("Process", std::string("e+e- -> mu+mu-"));
  frame.putParameter("BeamEnergies", std::vector<double>{125, 125});
  addSimulation(frame, event);
  addReconstruction(frame, event);
  return frame;
}

template <class Collection>
void compare(const kaon::Frame& read, const kaon::Frame& written, const std::string& name) {
  if (!(read.get<Collection>(name) == written.get<Collection>(name)))
    throw std::runtime_error("'" + name + "' differs from the written events");
}

void compareAll(const kaon::Frame& read, const kaon::Frame& written) {
  compare<lcio::EventHeaderCollection>(read, written, "EventHeader");
  compare<lcio::LCStrVecCollection>(read, written, "SubdetectorNames");
  compare<lcio::MCParticleCollection>(read, written, "MCParticle");
  compare<lcio::SimTrackerHitCollection>(read, written, "SimTrackerHits");
  compare<lcio::CaloHitContributionCollection>(read, written, "CaloHitContributions");
  compare<lcio::SimCalorimeterHitCollection>(read, written, "SimCalorimeterHits");
  compare<lcio::TrackerHitCollection>(read, written, "TrackerHits");
  compare<lcio::TrackerHitPlaneCollection>(read, written, "TrackerHitPlanes");
  compare<lcio::TrackCollection>(read, written, "Tracks");
  compare<lcio::ReconstructedParticleCollection>(read, written, "ReconstructedParticles");
  compare<lcio::VertexCollection>(read, written, "Vertices");
  compare<lcio::LCRelationCollection>(read, written, "RecoMCTruthLink");
  if (read.getParameter<std::vector<double>>("BeamEnergies") != std::vector<double>{125, 125})
    throw std::runtime_error("the beams' energies differ from the written events");
}

} // namespace

int main(int argc, char** argv) try {
  const std::string path = argc > 1 ? argv[1] : "lcio.kaon";
  kaon::Writer out(path);
  for (int event = 0; event < events; ++event)
    out.write(make(event), "events");
  out.finish();

  const kaon::Reader in(path);
  int event = 0;
  for (const kaon::Frame& frame : in["events"])
    compareAll(frame, make(event++));
  const kaon::Frame last = in["events"].at(events - 1);
  for (const auto relation : last.get<lcio::LCRelationCollection>("RecoMCTruthLink"))
    std::cout << "PDG " << relation.getTo().as<lcio::MCParticle>().getPDG() << " was found with "
              << relation.getFrom().as<lcio::ReconstructedParticle>().getEnergy() << " GeV\n";
  for (const auto hit : last.get<lcio::TrackCollection>("Tracks")[0].getTrackerHits())
    std::cout << (hit.isA<lcio::TrackerHitPlane>() ? "a hit in a plane" : "a hit as a point")
              << " at z = " << hit.getPosition().z << " mm\n";
  std::cout << event << " events equal the written ones\n";
  return event == events ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
