#pragma once

#include <kaon/kaon.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace adl {

/// Particles of one kind of all events, with the first particle of each event.
struct Particles {
  std::vector<std::uint32_t> begins{0};
  std::vector<float> pt, eta, phi, mass;

  void add(float momentum, float direction, float azimuth, float heaviness) {
    pt.push_back(momentum);
    eta.push_back(direction);
    phi.push_back(azimuth);
    mass.push_back(heaviness);
  }
  void endEvent() { begins.push_back(static_cast<std::uint32_t>(pt.size())); }
};

/// Generates collision events like NanoAOD's with simplified physics: jets, muons, electrons and
/// missing momentum. Equal seeds give equal events.
class Generator {
public:
  explicit Generator(std::uint64_t seed) : m_random(seed) {}

  void addEvent() {
    m_met.push_back(exponential(25));
    m_metPhi.push_back(azimuth());
    // 40 % of the events have a Z boson that decays into muons or electrons.
    if (uniform() < 0.4)
      addZ(uniform() < 0.5);
    addLeptons(m_muons, m_muonIds, 13, 0.106F);
    addLeptons(m_electrons, m_electronIds, 11, 0.000511F);
    for (unsigned jet = poisson(3.5F); jet > 0; --jet) {
      m_jets.add(15 + exponential(30), 2.2F * normal(), azimuth(), 3 + exponential(6));
      m_btag.push_back(uniform() < 0.1 ? 1 - 0.3F * uniform() : 0.4F * uniform());
    }
    m_jets.endEvent();
    m_muons.endEvent();
    m_electrons.endEvent();
  }

  /// Writes a file in the format of the path's suffix; ".tree.root" means a TTree.
  void write(const std::string& path) const {
    const bool isTree = path.ends_with(".tree.root");
    kaon::BatchWriter writer =
        kaon::batchWriter(path, {.codec = kaon::zstd(1), .format = isTree ? "ttree" : ""});
    kaon::Columns columns(m_met.size());
    columns.add("MET_pt", m_met, "GeV");
    columns.add("MET_phi", m_metPhi);
    add(columns, "Muon", m_muons, m_muonIds);
    add(columns, "Electron", m_electrons, m_electronIds);
    columns.add("Jet", m_jets.begins,
                {{"pt", m_jets.pt, "GeV"},
                 {"eta", m_jets.eta},
                 {"phi", m_jets.phi},
                 {"mass", m_jets.mass, "GeV"},
                 {"btag", m_btag}});
    writer.write("Events", columns.batch());
    writer.finish();
  }

private:
  static void add(kaon::Columns& columns, std::string_view name, const Particles& leptons,
                  const std::vector<std::int32_t>& ids) {
    columns.add(name, leptons.begins,
                {{"pt", leptons.pt, "GeV"},
                 {"eta", leptons.eta},
                 {"phi", leptons.phi},
                 {"mass", leptons.mass, "GeV"},
                 {"pdgId", ids}});
  }

  void addLeptons(Particles& leptons, std::vector<std::int32_t>& ids, std::int32_t id, float mass) {
    for (unsigned lepton = poisson(0.5F); lepton > 0; --lepton) {
      leptons.add(3 + exponential(15), 2.4F * (2 * uniform() - 1), azimuth(), mass);
      ids.push_back(uniform() < 0.5 ? id : -id);
    }
  }

  /// Adds two leptons whose mass is near that of the Z boson.
  void addZ(bool isOfMuons) {
    Particles& leptons = isOfMuons ? m_muons : m_electrons;
    std::vector<std::int32_t>& ids = isOfMuons ? m_muonIds : m_electronIds;
    const float mass = isOfMuons ? 0.106F : 0.000511F;
    const float zMass = 91.2F + 2.5F * normal();
    const float eta = normal(), difference = normal(), phi = azimuth();
    const float pt = zMass / std::sqrt(2 * (std::cosh(difference) + 1)); // back to back
    const float share = 0.7F + 0.6F * uniform();
    leptons.add(pt * share, eta, phi, mass);
    leptons.add(pt / share, eta + difference,
                phi > 0 ? phi - std::numbers::pi_v<float> : phi + std::numbers::pi_v<float>, mass);
    ids.push_back(isOfMuons ? 13 : 11);
    ids.push_back(-ids.back());
  }

  // Formulas instead of std distributions, so that every standard library gives the same events.
  float uniform() { return static_cast<float>(m_random() >> 40) / static_cast<float>(1 << 24); }
  float exponential(float mean) { return -mean * std::log(1 - uniform()); }
  unsigned poisson(float mean) {
    unsigned number = 0;
    for (float product = uniform(); product > std::exp(-mean); product *= uniform())
      ++number;
    return number;
  }
  float azimuth() { return std::numbers::pi_v<float> * (2 * uniform() - 1); }
  float normal() {
    return std::sqrt(-2 * std::log(1 - uniform())) *
           std::cos(2 * std::numbers::pi_v<float> * uniform());
  }

  std::mt19937_64 m_random;
  std::vector<float> m_met, m_metPhi, m_btag;
  Particles m_muons, m_electrons, m_jets;
  std::vector<std::int32_t> m_muonIds, m_electronIds;
};

} // namespace adl
