#include "common/Particles.h"

#include "common/Harness.h"
#include "common/Random.h"

#include <kaon/kaon.h>

#include <algorithm>
#include <array>

namespace bench {
namespace {

const std::string collection = "MCParticles";

/// Sets a member of particles from a column of the file, which may have any type of number.
template <class Set>
void loadMember(const kaon::Batch& batch, const std::string& member, std::span<MCParticleData> out,
                Set set) {
  const kaon::Schema& schema = batch.schema();
  const std::uint32_t table = schema.tableNamed(collection);
  const kaon::Members members = schema.table(table).members;
  const std::uint32_t number = members.find(member);
  if (number == members.size())
    return;
  const auto load = [&]<class T>(T) {
    if (members[number].type != kaon::scalarOf<T>())
      return;
    const auto values = batch.values<T>(collection + "." + member);
    for (std::size_t i = 0; i < out.size(); ++i)
      set(out[i], values[i]);
  };
  load(std::int8_t{});
  load(std::int16_t{});
  load(std::int32_t{});
  load(float{});
  load(double{});
}

template <auto member>
void loadNumber(const kaon::Batch& batch, const std::string& name, std::span<MCParticleData> out) {
  loadMember(batch, name, out, [](MCParticleData& particle, auto value) {
    auto& target = particle.*member;
    target = static_cast<std::remove_reference_t<decltype(target)>>(value);
  });
}

template <auto member>
void loadVector(const kaon::Batch& batch, const std::string& name, std::span<MCParticleData> out) {
  const auto load = [&]<class Axis>(const char* axisName, Axis axis) {
    loadMember(batch, name + axisName, out, [axis](MCParticleData& particle, auto value) {
      particle.*member.*axis = static_cast<double>(value);
    });
  };
  load(".x", &Vector3d::x);
  load(".y", &Vector3d::y);
  load(".z", &Vector3d::z);
}

void loadLinks(const kaon::Batch& batch, const std::string& name, Links& links) {
  const auto offsets = batch.offsets(collection + "." + name);
  const auto targets = batch.values<std::int32_t>(collection + "." + name + ".index");
  const std::size_t before = links.targets.size();
  for (const std::uint32_t end : offsets.subspan(1))
    links.offsets.push_back(before + end);
  for (const std::int32_t target : targets)
    links.targets.push_back(static_cast<std::uint32_t>(target));
}

void load(const kaon::Batch& batch, Particles& particles) {
  const std::size_t before = particles.size();
  const auto offsets = batch.offsets(collection);
  for (const std::uint32_t end : offsets.subspan(1))
    particles.offsets.push_back(before + end);
  particles.values.resize(before + offsets.back());
  const auto out = std::span(particles.values).subspan(before);
  loadNumber<&MCParticleData::PDG>(batch, "PDG", out);
  loadNumber<&MCParticleData::generatorStatus>(batch, "generatorStatus", out);
  loadNumber<&MCParticleData::simulatorStatus>(batch, "simulatorStatus", out);
  loadNumber<&MCParticleData::charge>(batch, "charge", out);
  loadNumber<&MCParticleData::time>(batch, "time", out);
  loadNumber<&MCParticleData::mass>(batch, "mass", out);
  loadVector<&MCParticleData::vertex>(batch, "vertex", out);
  loadVector<&MCParticleData::endpoint>(batch, "endpoint", out);
  loadVector<&MCParticleData::momentum>(batch, "momentum", out);
  loadVector<&MCParticleData::momentumAtEndpoint>(batch, "momentumAtEndpoint", out);
  loadNumber<&MCParticleData::helicity>(batch, "helicity", out);
  loadLinks(batch, "parents", particles.parents);
  loadLinks(batch, "daughters", particles.daughters);
}

/// Computes the daughters of an event from the parents of its particles.
void addDaughters(Particles& particles, std::size_t first) {
  std::vector<std::vector<std::uint32_t>> daughters(particles.size() - first);
  for (std::size_t i = first; i < particles.size(); ++i)
    for (const std::uint32_t parent : particles.parents.of(i))
      daughters[parent].push_back(static_cast<std::uint32_t>(i - first));
  for (const auto& list : daughters) {
    particles.daughters.targets.insert(particles.daughters.targets.end(), list.begin(), list.end());
    particles.daughters.offsets.push_back(particles.daughters.targets.size());
  }
}

MCParticleData makeParticle(Random& random) {
  struct Kind {
    std::int32_t pdg;
    float charge;
    double mass;
  };
  constexpr std::array<Kind, 8> kinds{{{22, 0, 0},
                                       {22, 0, 0},
                                       {211, 1, 0.13957},
                                       {-211, -1, 0.13957},
                                       {111, 0, 0.13498},
                                       {321, 1, 0.49368},
                                       {2212, 1, 0.93827},
                                       {21, 0, 0}}};
  const Kind& kind = kinds[random.below(kinds.size())];
  const bool isFinal = random.below(100) < 55;
  MCParticleData particle;
  particle.PDG = kind.pdg;
  particle.generatorStatus = isFinal ? 1 : static_cast<std::int32_t>(21 + random.below(70));
  particle.charge = kind.charge;
  particle.mass = rounded(kind.mass);
  particle.momentum = {rounded(random.normal()), rounded(random.normal()),
                       rounded(10 * random.normal() * random.normal())};
  if (random.below(100) < 25) { // from a decay away from the collision
    particle.time = static_cast<float>(random.uniform());
    particle.vertex = {rounded(0.1 * random.normal()), rounded(0.1 * random.normal()),
                       rounded(random.normal())};
  }
  if (!isFinal)
    particle.endpoint = particle.vertex;
  return particle;
}

} // namespace

Particles loadParticles(const std::string& path, std::size_t events) {
  Particles particles;
  const kaon::Reader reader(path);
  const kaon::Category category = reader["events"];
  expect(category.size() > 0, path + " has events");
  while (particles.events() < events)
    for (const kaon::Batch& batch :
         category.batches({collection}, {0, events - particles.events()}))
      load(batch, particles);
  return particles;
}

Particles makeParticles(std::size_t events) {
  Particles particles;
  Random random;
  for (std::size_t event = 0; event < events; ++event) {
    const std::size_t first = particles.size();
    const std::uint32_t size = 381 + random.below(801);
    for (std::uint32_t i = 0; i < size; ++i) {
      particles.values.push_back(makeParticle(random));
      const std::uint32_t parents = i == 0 ? 0 : random.below(100) < 80 ? 1 : 3;
      for (std::uint32_t k = 0; k < parents; ++k)
        particles.parents.targets.push_back(random.below(i));
      particles.parents.offsets.push_back(particles.parents.targets.size());
    }
    addDaughters(particles, first);
    particles.offsets.push_back(particles.size());
  }
  return particles;
}

} // namespace bench
