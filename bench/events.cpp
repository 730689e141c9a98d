// W3: whole events of related particles: created in memory, written, and read back through handles.

#include "common/Harness.h"
#include "common/KaonFiles.h"
#include "common/Particles.h"

#include <kaon/kaon.h>
#include <mcparticle/mcparticle.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <iostream>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace bench {
namespace {

/// A number that depends on all values, but not on their order.
class Sum {
public:
  void add(std::int32_t value) { m_value += static_cast<std::uint64_t>(value); }
  void add(float value) { m_value += std::bit_cast<std::uint32_t>(value); }
  void add(double value) { m_value += std::bit_cast<std::uint64_t>(value); }
  void add(const Vector3d& value) {
    add(value.x);
    add(value.y);
    add(value.z);
  }
  /// Adds a relation of two particles.
  void addLink(std::int32_t from, std::int32_t to) { add(from * 5 + to); }
  friend bool operator==(const Sum&, const Sum&) = default;

private:
  std::uint64_t m_value = 0;
};

/// Sums all members. Members of the struct have the names of a handle's accessors.
Sum sumOf(const Particles& particles) {
  Sum sum;
  for (std::size_t event = 0; event < particles.events(); ++event) {
    const std::size_t first = particles.offsets[event];
    for (std::size_t i = first; i < particles.offsets[event + 1]; ++i) {
      const MCParticleData& particle = particles.values[i];
      sum.add(particle.PDG);
      sum.add(particle.generatorStatus);
      sum.add(particle.simulatorStatus);
      sum.add(particle.charge);
      sum.add(particle.time);
      sum.add(particle.mass);
      sum.add(particle.vertex);
      sum.add(particle.endpoint);
      sum.add(particle.momentum);
      sum.add(particle.momentumAtEndpoint);
      sum.add(particle.helicity);
      for (const std::uint32_t parent : particles.parents.of(i))
        sum.addLink(particle.PDG, particles.values[first + parent].PDG);
      for (const std::uint32_t daughter : particles.daughters.of(i))
        sum.addLink(particles.values[first + daughter].PDG, particle.PDG);
    }
  }
  return sum;
}

/// Sums frames of a loop, or frames that are requested by number, as podio's readers do.
Sum sumOf(const std::string& path, bool isByNumber = false) {
  Sum sum;
  const kaon::Reader reader(path);
  const kaon::Category events = reader["events"];
  kaon::Category::Iterator loop = events.begin();
  kaon::Frame own;
  for (std::uint64_t entry = 0; entry < events.size(); ++entry) {
    if (isByNumber)
      own = events.at(entry);
    const kaon::Frame& frame = isByNumber ? own : *loop;
    for (const MCParticle particle : frame.get<MCParticleCollection>("MCParticles")) {
      sum.add(particle.PDG());
      sum.add(particle.generatorStatus());
      sum.add(particle.simulatorStatus());
      sum.add(particle.charge());
      sum.add(particle.time());
      sum.add(particle.mass());
      sum.add(particle.vertex());
      sum.add(particle.endpoint());
      sum.add(particle.momentum());
      sum.add(particle.momentumAtEndpoint());
      sum.add(particle.helicity());
      for (const MCParticle parent : particle.parents())
        sum.addLink(particle.PDG(), parent.PDG());
      for (const MCParticle daughter : particle.daughters())
        sum.addLink(daughter.PDG(), particle.PDG());
    }
    if (!isByNumber)
      ++loop;
  }
  return sum;
}

/// Momenta of some events in plain arrays.
struct Momenta {
  std::vector<std::size_t> offsets; // as in Particles
  std::vector<double> x, y, z;
};

double sumOfMomenta(const Momenta& momenta) {
  double sum = 0;
  for (std::size_t event = 0; event + 1 < momenta.offsets.size(); ++event)
    for (std::size_t i = momenta.offsets[event]; i < momenta.offsets[event + 1]; ++i)
      sum += std::sqrt(momenta.x[i] * momenta.x[i] + momenta.y[i] * momenta.y[i] +
                       momenta.z[i] * momenta.z[i]);
  return sum;
}

double sumOfMomenta(std::span<const MCParticleData> particles) {
  double sum = 0;
  for (const MCParticleData& particle : particles) {
    const Vector3d& p = particle.momentum;
    sum += std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
  }
  return sum;
}

double sumOfMomenta(const std::vector<kaon::Frame>& frames) {
  double sum = 0;
  for (const kaon::Frame& frame : frames)
    for (const MCParticle particle : frame.get<MCParticleCollection>("MCParticles")) {
      const Vector3d p = particle.momentum();
      sum += std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    }
  return sum;
}

/// Sums the columns of the collection, which are looked up once an event.
double sumOfColumns(const std::vector<kaon::Frame>& frames) {
  double sum = 0;
  for (const kaon::Frame& frame : frames) {
    const auto& particles = frame.get<MCParticleCollection>("MCParticles");
    const auto x = particles.column(&MCParticleData::momentum, &Vector3d::x);
    const auto y = particles.column(&MCParticleData::momentum, &Vector3d::y);
    const auto z = particles.column(&MCParticleData::momentum, &Vector3d::z);
    for (std::size_t i = 0; i < x.size(); ++i)
      sum += std::sqrt(x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
  }
  return sum;
}

/// Reads a file, then prints the peak memory, and the memory without files.
void readOnly(const std::string& path) {
  expect(sumOf(path) != Sum(), "there is something in the file");
  const Memory used = memory();
  std::cout << used.peak << " " << used.anonymous << "\n";
}

class Events {
public:
  explicit Events(const Options& options)
      : m_options(options), m_report("events", options),
        m_particles(options.input.empty() ? makeParticles(options.count)
                                          : loadParticles(options.input, options.count)),
        m_sum(sumOf(m_particles)), m_path(options.directory + "/events.kaon"),
        m_per2000{"s/2000 events", 2e3 / static_cast<double>(options.count)} {
    for (const MCParticleData& particle : m_particles.values) {
      m_sumOfTwo.add(particle.PDG);
      m_sumOfTwo.add(particle.momentum.x);
    }
    std::cout << m_particles.events() << " events, " << m_particles.size() << " particles, "
              << m_particles.parents.targets.size() << " links to parents\n";
  }

  void run() {
    const Unit perParticle{"ns/particle", 1e9 / static_cast<double>(m_particles.size())};
    m_report.time({"create and link", "kaon, create() and setters"}, perParticle,
                  [&] { makeAll([](auto& particles, const auto& in) { set(particles, in); }); });
    m_report.time({"create and link", "kaon, create(all members)"}, perParticle,
                  [&] { makeAll([](auto& particles, const auto& in) { create(particles, in); }); });
    m_report.time({"read all members and relations", "structs in memory", "", Role::limit},
                  m_per2000, [&] { expect(sumOf(m_particles) == m_sum, "the sum over memory"); });
    for (const kaon::Layout layout : {kaon::Layout::split, kaon::Layout::member, kaon::Layout::row})
      for (const kaon::Compression compression : codecs)
        if (m_report.wants(variant(layout, compression)))
          run(layout, compression);
    for (const kaon::Layout layout : {kaon::Layout::split, kaon::Layout::row})
      if (m_report.wants(std::string(layoutName(layout))))
        loop(layout);
    m_report.save();
  }

private:
  static void create(MCParticleCollection& particles, const MCParticleData& in) {
    particles.create(in.PDG, in.generatorStatus, in.simulatorStatus, in.charge, in.time, in.mass,
                     in.vertex, in.endpoint, in.momentum, in.momentumAtEndpoint, in.helicity);
  }
  static void set(MCParticleCollection& particles, const MCParticleData& in) {
    MutableMCParticle particle = particles.create();
    particle.PDG(in.PDG);
    particle.generatorStatus(in.generatorStatus);
    particle.simulatorStatus(in.simulatorStatus);
    particle.charge(in.charge);
    particle.time(in.time);
    particle.mass(in.mass);
    particle.vertex(in.vertex);
    particle.endpoint(in.endpoint);
    particle.momentum(in.momentum);
    particle.momentumAtEndpoint(in.momentumAtEndpoint);
    particle.helicity(in.helicity);
  }

  template <class Add>
  [[nodiscard]] MCParticleCollection make(std::size_t event, Add add) const {
    MCParticleCollection particles;
    const std::size_t first = m_particles.offsets[event];
    const std::size_t last = m_particles.offsets[event + 1];
    for (std::size_t i = first; i < last; ++i)
      add(particles, m_particles.values[i]);
    for (std::size_t i = first; i < last; ++i) {
      MutableMCParticle particle = particles[i - first];
      for (const std::uint32_t parent : m_particles.parents.of(i))
        particle.addparents(particles[parent]);
      for (const std::uint32_t daughter : m_particles.daughters.of(i))
        particle.adddaughters(particles[daughter]);
    }
    return particles;
  }

  /// Creates and destroys one event after another.
  template <class Add>
  void makeAll(Add add) const {
    std::size_t size = 0;
    for (std::size_t event = 0; event < m_particles.events(); ++event)
      size += make(event, add).size();
    expect(size == m_particles.size(), "the particles made");
  }

  void run(kaon::Layout layout, kaon::Compression compression) {
    const std::string name = variant(layout, compression);
    m_report.time({"write", "kaon frames", name}, m_per2000, [&] { write(layout, compression); });
    m_report.add({"size", "kaon", name}, "bytes/particle",
                 sizeOf(m_path) / static_cast<double>(m_particles.size()));
    verify();
    m_report.time({"read all members and relations", "kaon frames", name}, m_per2000,
                  [&] { expect(sumOf(m_path) == m_sum, "the sum over frames"); });
    m_report.time({"read all members and relations", "kaon frames by number", name}, m_per2000,
                  [&] { expect(sumOf(m_path, true) == m_sum, "the sum over frames"); });
    m_report.time({"read two members", "kaon batches", name}, m_per2000, [&] { readTwo(); });
    measureMemory(name);
    std::filesystem::remove(m_path);
  }

  void write(kaon::Layout layout, kaon::Compression compression) const {
    kaon::Writer writer(m_path, {.codec = compression, .layout = layout});
    for (std::size_t event = 0; event < m_particles.events(); ++event) {
      kaon::Frame frame;
      frame.put(make(event, [](auto& particles, const auto& in) { set(particles, in); }),
                "MCParticles");
      writer.write(frame, "events");
    }
    writer.finish();
  }

  void readTwo() const {
    Sum sum;
    const kaon::Reader reader(m_path);
    for (const kaon::Batch& batch :
         reader["events"].batches({"MCParticles.PDG", "MCParticles.momentum.x"})) {
      for (const std::int32_t pdg : batch.values<std::int32_t>("MCParticles.PDG"))
        sum.add(pdg);
      for (const double x : batch.values<double>("MCParticles.momentum.x"))
        sum.add(x);
    }
    expect(sum == m_sumOfTwo, "the sum over two members");
  }

  /// Measures the cost of handles in a loop, compared with arrays: a few decoded events, again and
  /// again.
  void loop(kaon::Layout layout) {
    const std::string name{layoutName(layout)};
    const std::size_t events = std::min<std::size_t>(m_particles.events(), 32);
    const std::size_t particles = m_particles.offsets[events];
    constexpr int times = 100;
    const Unit unit{"ns/particle", 1e9 / static_cast<double>(particles * times)};
    write(layout, kaon::lz4());
    const kaon::Reader reader(m_path);
    std::vector<kaon::Frame> frames;
    for (std::size_t event = 0; event < events; ++event)
      frames.push_back(reader["events"].at(event));
    const double sum = sumOfMomenta(frames);
    const auto measure = [&](const char* program, Role role, auto sumAll) {
      m_report.time({"loop over momenta", program, name, role}, unit, [&] {
        for (int i = 0; i < times; ++i)
          expect(sumAll() == sum, "the sum of momenta");
      });
    };
    measure("kaon handles", Role::kaon, [&] { return sumOfMomenta(frames); });
    measure("kaon columns", Role::kaon, [&] { return sumOfColumns(frames); });
    const auto structs = std::span(m_particles.values).first(particles);
    const Momenta arrays = momentaOf(events);
    if (layout == kaon::Layout::row)
      measure("structs in memory", Role::limit, [&] { return sumOfMomenta(structs); });
    else
      measure("arrays in memory", Role::limit, [&] { return sumOfMomenta(arrays); });
    std::filesystem::remove(m_path);
  }
  [[nodiscard]] Momenta momentaOf(std::size_t events) const {
    Momenta momenta;
    momenta.offsets.assign(m_particles.offsets.begin(),
                           m_particles.offsets.begin() + static_cast<std::ptrdiff_t>(events) + 1);
    for (std::size_t i = 0; i < momenta.offsets.back(); ++i) {
      const Vector3d& momentum = m_particles.values[i].momentum;
      momenta.x.push_back(momentum.x);
      momenta.y.push_back(momentum.y);
      momenta.z.push_back(momentum.z);
    }
    return momenta;
  }

  /// Measures memory in a process that does nothing else.
  void measureMemory(const std::string& name) {
    std::istringstream output(runSelf("--read-only '" + m_path + "'"));
    Memory used;
    output >> used.peak >> used.anonymous;
    expect(!output.fail(), "the memory that reading takes");
    m_report.add({"memory", "kaon frames, peak with the mapped file", name}, "MB", used.peak);
    m_report.add({"memory", "kaon frames, without the file", name}, "MB", used.anonymous);
  }

  /// Checks that each value and link is correct.
  void verify() const {
    const Particles read = loadParticles(m_path, m_particles.events());
    expect(read.offsets == m_particles.offsets && read.values == m_particles.values,
           "the particles are those written");
    expect(read.parents.offsets == m_particles.parents.offsets &&
               read.parents.targets == m_particles.parents.targets &&
               read.daughters.offsets == m_particles.daughters.offsets &&
               read.daughters.targets == m_particles.daughters.targets,
           "the links are those written");
  }

  Options m_options;
  Report m_report;
  Particles m_particles;
  Sum m_sum, m_sumOfTwo;
  std::string m_path;
  Unit m_per2000;
};

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  return bench::runWorkload(argc, argv, 2'000, [](const bench::Options& options) {
    if (options.readOnly.empty())
      bench::Events(options).run();
    else
      bench::readOnly(options.readOnly);
  });
}
