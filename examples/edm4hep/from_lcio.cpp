// Converts events of LCIO to EDM4hep: particles, simulated hits, hits, tracks, reconstructed
// particles, and links from these to simulated particles. Any file format that holds frames will
// do.

#include <edm4hep/edm4hep.h>
#include <kaon/kaon.h>
#include <lcio/lcio.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iostream>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace {

template <class From>
std::uint64_t cellOf(const From& hit) {
  return static_cast<std::uint32_t>(hit.getCellID0()) |
         static_cast<std::uint64_t>(static_cast<std::uint32_t>(hit.getCellID1())) << 32;
}
template <class To, class From>
To vectorOf(const From& from) {
  using T = decltype(To{}.x);
  return {static_cast<T>(from.x), static_cast<T>(from.y), static_cast<T>(from.z)};
}

/// The converted objects, by the LCIO object that each one was made from.
template <class To>
class Origins {
public:
  template <class From>
  void add(const From& from, const To& to) {
    m_converted.insert_or_assign(key(from), to);
  }
  /// Returns null if the object was not converted.
  template <class From>
  const To* find(const From& from) const {
    const auto place = from.isAvailable() ? m_converted.find(key(from)) : m_converted.end();
    return place == m_converted.end() ? nullptr : &place->second;
  }

private:
  template <class From>
  static std::pair<std::uint32_t, int> key(const From& from) {
    return {from.getObjectID().collectionID, from.getObjectID().index};
  }
  std::map<std::pair<std::uint32_t, int>, To> m_converted;
};

class Conversion {
public:
  explicit Conversion(const kaon::Frame& from) : m_from(from) {}

  kaon::Frame convert() {
    putHeader();
    forAll<lcio::MCParticleCollection, edm4hep::MCParticleCollection>(m_particles, addParticle);
    putFamilies();
    forAll<lcio::SimTrackerHitCollection, edm4hep::SimTrackerHitCollection>(
        m_simTrackerHits, [this](const auto& hit, auto to) { addSimTrackerHit(hit, to); });
    putSimCalorimeterHits();
    forAll<lcio::TrackerHitCollection, edm4hep::TrackerHit3DCollection>(
        m_points, [](const auto& hit, auto to) {
          addTrackerHit(hit, to);
          to.setCovMatrix({hit.getCovMatrix()});
        });
    forAll<lcio::TrackerHitPlaneCollection, edm4hep::TrackerHitPlaneCollection>(
        m_planes, [](const auto& hit, auto to) {
          addTrackerHit(hit, to);
          to.setU({hit.getU()[0], hit.getU()[1]});
          to.setV({hit.getV()[0], hit.getV()[1]});
          to.setDu(hit.getDu());
          to.setDv(hit.getDv());
        });
    forAll<lcio::TrackCollection, edm4hep::TrackCollection>(
        m_tracks, [this](const auto& track, auto to) { addTrack(track, to); });
    forAll<lcio::ReconstructedParticleCollection, edm4hep::ReconstructedParticleCollection>(
        m_reconstructed, [this](const auto& particle, auto to) { addReconstructed(particle, to); });
    putLinks();
    return std::move(m_to);
  }

private:
  /// Converts all collections of a type and keeps their names.
  template <class From, class To, class Fill>
  void forAll(Origins<typename To::mutable_type>& origins, Fill fill) {
    for (const std::string& name : m_from.getCollectionsOfType<From>()) {
      const From& all = m_from.get<From>(name);
      if (all.isSubsetCollection())
        continue;
      To converted;
      for (const auto from : all) {
        auto to = converted.create();
        origins.add(from, to);
        fill(from, to);
      }
      m_to.put(std::move(converted), name);
    }
  }

  void putHeader() {
    edm4hep::EventHeaderCollection headers;
    auto header = headers.create();
    header.setEventNumber(
        static_cast<std::uint64_t>(m_from.getParameter<int>("eventNumber").value()));
    header.setRunNumber(static_cast<std::uint32_t>(m_from.getParameter<int>("runNumber").value()));
    header.setTimeStamp(
        static_cast<std::uint64_t>(m_from.getParameter<std::int64_t>("timeStamp").value()));
    header.setWeight(m_from.getParameter<double>("weight").value());
    m_to.put(std::move(headers), "EventHeader");
  }

  static void addParticle(const lcio::MCParticle& from, edm4hep::MutableMCParticle to) {
    to.setPDG(from.getPDG());
    to.setGeneratorStatus(from.getGeneratorStatus());
    to.setSimulatorStatus(from.getSimulatorStatus());
    to.setCharge(from.getCharge());
    to.setTime(from.getTime());
    to.setMass(from.getMass());
    to.setVertex(vectorOf<edm4hep::Vector3d>(from.getVertex()));
    to.setEndpoint(vectorOf<edm4hep::Vector3d>(from.getEndpoint()));
    to.setMomentum(vectorOf<edm4hep::Vector3d>(from.getMomentum()));
    to.setMomentumAtEndpoint(vectorOf<edm4hep::Vector3d>(from.getMomentumAtEndpoint()));
  }

  /// Adds relations of particles, and subsets. Needs all particles converted.
  void putFamilies() {
    for (const std::string& name : m_from.getCollectionsOfType<lcio::MCParticleCollection>()) {
      const auto& all = m_from.get<lcio::MCParticleCollection>(name);
      if (all.isSubsetCollection()) {
        edm4hep::MCParticleCollection some;
        some.setSubsetCollection();
        for (const auto from : all)
          some.push_back(*m_particles.find(from));
        m_to.put(std::move(some), name);
        continue;
      }
      for (const auto from : all) {
        edm4hep::MutableMCParticle to = *m_particles.find(from);
        for (const auto parent : from.getParents())
          to.addToParents(*m_particles.find(parent));
        for (const auto daughter : from.getDaughters())
          to.addToDaughters(*m_particles.find(daughter));
      }
    }
  }

  void addSimTrackerHit(const lcio::SimTrackerHit& from, edm4hep::MutableSimTrackerHit to) const {
    to.setCellID(cellOf(from));
    to.setEDep(from.getEDep());
    to.setTime(from.getTime());
    to.setPathLength(from.getPathLength());
    to.setQuality(from.getQuality());
    to.setPosition(vectorOf<edm4hep::Vector3d>(from.getPosition()));
    to.setMomentum(vectorOf<edm4hep::Vector3f>(from.getMomentum()));
    if (const auto* const particle = m_particles.find(from.getParticle()))
      to.setParticle(*particle);
  }

  void putSimCalorimeterHits() {
    for (const std::string& name :
         m_from.getCollectionsOfType<lcio::SimCalorimeterHitCollection>()) {
      edm4hep::SimCalorimeterHitCollection hits;
      edm4hep::CaloHitContributionCollection contributions;
      for (const auto from : m_from.get<lcio::SimCalorimeterHitCollection>(name)) {
        auto hit = hits.create();
        hit.setCellID(cellOf(from));
        hit.setEnergy(from.getEnergy());
        hit.setPosition(vectorOf<edm4hep::Vector3f>(from.getPosition()));
        for (const auto each : from.getContributions()) {
          auto contribution = contributions.create();
          contribution.setPDG(each.getPDG());
          contribution.setEnergy(each.getEnergy());
          contribution.setTime(each.getTime());
          contribution.setStepLength(each.getLength());
          contribution.setStepPosition(vectorOf<edm4hep::Vector3f>(each.getStepPosition()));
          if (const auto* const particle = m_particles.find(each.getParticle()))
            contribution.setParticle(*particle);
          hit.addToContributions(contribution);
        }
      }
      m_to.put(std::move(hits), name);
      m_to.put(std::move(contributions), name + "_contributions");
    }
  }

  template <class From, class To>
  static void addTrackerHit(const From& from, To& to) {
    to.setCellID(cellOf(from));
    to.setType(from.getType());
    to.setQuality(from.getQuality());
    to.setTime(from.getTime());
    to.setEDep(from.getEDep());
    to.setEDepError(from.getEDepError());
    to.setPosition(vectorOf<edm4hep::Vector3d>(from.getPosition()));
  }

  void addTrack(const lcio::Track& from, edm4hep::MutableTrack to) const {
    to.setType(from.getType());
    to.setChi2(from.getChi2());
    to.setNdf(from.getNdf());
    to.setNholes(from.getNholes());
    for (const int number : from.getSubdetectorHitNumbers())
      to.addToSubdetectorHitNumbers(number);
    for (const int number : from.getSubdetectorHoleNumbers())
      to.addToSubdetectorHoleNumbers(number);
    for (const lcio::TrackState& state : from.getTrackStates()) {
      edm4hep::TrackState copy{};
      std::tie(copy.location, copy.D0, copy.phi, copy.omega, copy.Z0, copy.tanLambda) =
          std::tie(state.location, state.D0, state.phi, state.omega, state.Z0, state.tanLambda);
      copy.referencePoint = vectorOf<edm4hep::Vector3f>(state.referencePoint);
      // Time is the last row; the other values keep their positions.
      std::ranges::copy(state.covMatrix, copy.covMatrix.values.begin());
      to.addToTrackStates(copy);
    }
    for (const auto hit : from.getTrackerHits())
      if (const auto* const point = m_points.find(hit))
        to.addToTrackerHits(*point);
      else if (const auto* const plane = m_planes.find(hit))
        to.addToTrackerHits(*plane);
  }

  void addReconstructed(const lcio::ReconstructedParticle& from,
                        edm4hep::MutableReconstructedParticle to) const {
    if (from.getParticleIDUsed().isAvailable())
      to.setPDG(from.getParticleIDUsed().getPDG());
    to.setEnergy(static_cast<float>(from.getEnergy()));
    to.setMomentum(vectorOf<edm4hep::Vector3f>(from.getMomentum()));
    to.setReferencePoint(vectorOf<edm4hep::Vector3f>(from.getReferencePoint()));
    to.setCharge(from.getCharge());
    to.setMass(static_cast<float>(from.getMass()));
    to.setGoodnessOfPID(from.getGoodnessOfPID());
    to.setCovMatrix({from.getCovMatrix()});
    for (const auto track : from.getTracks())
      if (const auto* const converted = m_tracks.find(track))
        to.addToTracks(*converted);
  }

  /// Finds the relations that lead from reconstructed to simulated particles. LCIO states only in
  /// the collection's parameters which objects a relation connects, so this looks at the objects.
  void putLinks() {
    for (const std::string& name : m_from.getCollectionsOfType<lcio::LCRelationCollection>()) {
      edm4hep::RecoMCParticleLinkCollection links;
      for (const auto from : m_from.get<lcio::LCRelationCollection>(name)) {
        const auto* const reconstructed = m_reconstructed.find(from.getFrom());
        const auto* const particle = m_particles.find(from.getTo());
        if (!reconstructed || !particle)
          continue;
        auto link = links.create();
        link.setFrom(*reconstructed);
        link.setTo(*particle);
        link.setWeight(from.getWeight());
      }
      if (!links.empty())
        m_to.put(std::move(links), name);
    }
  }

  const kaon::Frame& m_from;
  kaon::Frame m_to;
  Origins<edm4hep::MutableMCParticle> m_particles;
  Origins<edm4hep::MutableSimTrackerHit> m_simTrackerHits;
  Origins<edm4hep::MutableTrackerHit3D> m_points;
  Origins<edm4hep::MutableTrackerHitPlane> m_planes;
  Origins<edm4hep::MutableTrack> m_tracks;
  Origins<edm4hep::MutableReconstructedParticle> m_reconstructed;
};

} // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "from_lcio IN.slcio OUT.kaon\n";
    return 2;
  }
  const kaon::Reader in(argv[1]);
  kaon::Writer out(argv[2]);
  std::size_t events = 0;
  for (const kaon::Frame& event : in["events"]) {
    out.write(Conversion(event).convert(), "events");
    ++events;
  }
  out.finish();
  std::cout << events << " events\n";
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
