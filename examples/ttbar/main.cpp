// Writes top-quark events in both layouts, reads whole events, and measures the speeds.
//
//   ttbar_demo SAMPLE.kaon OUTPUT_DIRECTORY

#include <kaon/kaon.h>

#include "ttbar/MCParticleCollection.h"

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr int repetitions = 10; // of the sample, so that files are large enough to measure
constexpr auto collectionName = "MCParticles";

/// Numbers that depend on whole events; all layouts must give the same.
struct Digest {
  std::size_t events = 0;
  std::size_t particles = 0;
  std::size_t links = 0;
  double sum = 0;
  friend bool operator==(const Digest&, const Digest&) = default;
};

/// Copies an event through the interface that a simulation uses.
ttbar::MCParticleCollection copyParticles(const ttbar::MCParticleCollection& from) {
  ttbar::MCParticleCollection to;
  to.reserve(from.size());
  for (const auto particle : from)
    to.create(particle.getPDG(), particle.getGeneratorStatus(), particle.getCharge(),
              particle.getTime(), particle.getMass(), particle.getVertex(), particle.getEndpoint(),
              particle.getMomentum(), particle.getHelicity());
  for (std::size_t i = 0; i < from.size(); ++i) {
    auto particle = to[i];
    for (const auto parent : from[i].getParents())
      particle.addToParents(to[static_cast<std::size_t>(parent.id().index)]);
    for (const auto daughter : from[i].getDaughters())
      particle.addToDaughters(to[static_cast<std::size_t>(daughter.id().index)]);
  }
  return to;
}

void writeEvents(const kaon::Reader& sample, const std::string& path, kaon::Layout layout) {
  kaon::Writer out{path, {.codec = kaon::zstd(1), .layout = layout}};
  std::int64_t number = 0;
  for (int repetition = 0; repetition < repetitions; ++repetition)
    for (const kaon::Frame& event : sample["events"]) {
      kaon::Frame copy;
      copy.put(copyParticles(event.get<ttbar::MCParticleCollection>(collectionName)),
               collectionName);
      copy.putParameter("number", number++);
      out.write(copy, "events");
    }
  out.finish();
}

/// Reads every member of every particle and follows all its relations.
Digest readEvents(const std::string& path) {
  Digest digest;
  const kaon::Reader in{path};
  for (const kaon::Frame& event : in["events"]) {
    ++digest.events;
    for (const auto particle : event.get<ttbar::MCParticleCollection>(collectionName)) {
      ++digest.particles;
      const auto momentum = particle.getMomentum();
      const auto vertex = particle.getVertex();
      const auto endpoint = particle.getEndpoint();
      digest.sum += particle.getPDG() + particle.getGeneratorStatus() + particle.getHelicity() +
                    double(particle.getCharge()) + double(particle.getTime()) + particle.getMass() +
                    momentum.x + momentum.y + momentum.z + vertex.x + vertex.y + vertex.z +
                    endpoint.x + endpoint.y + endpoint.z;
      for (const auto parent : particle.getParents())
        digest.links += parent.isAvailable() ? 1 : 0;
      for (const auto daughter : particle.getDaughters())
        digest.links += daughter.isAvailable() ? 1 : 0;
    }
  }
  return digest;
}

/// Reads two members of all events, as an analysis does.
double readColumns(const std::string& path) {
  double sum = 0;
  const kaon::Reader in{path};
  for (const kaon::Batch& batch :
       in["events"].batches({"MCParticles.momentum.x", "MCParticles.PDG"})) {
    const auto px = batch.values<double>("MCParticles.momentum.x");
    const auto pdg = batch.values<std::int32_t>("MCParticles.PDG");
    for (std::size_t i = 0; i < px.size(); ++i)
      sum += pdg[i] == 22 ? px[i] : 0;
  }
  return sum;
}

/// Returns the shortest time of several runs, in seconds.
template <class Run>
double seconds(int times, Run run) {
  double best = 1e9;
  for (int i = 0; i < times; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    best = std::min(best, taken.count());
  }
  return best;
}

double memcpyRate() {
  std::vector<char> from(std::size_t{1} << 28, 1), to(from.size());
  const double taken = seconds(3, [&] { std::memcpy(to.data(), from.data(), from.size()); });
  return static_cast<double>(from.size()) / taken / 1e6;
}

int run(const std::string& samplePath, const std::filesystem::path& directory) {
  std::filesystem::create_directories(directory);
  const kaon::Reader sample{samplePath};
  std::cout << samplePath << ": " << sample["events"].size() << " events; the first one begins\n";
  std::ostringstream table;
  table << sample["events"].at(0).get<ttbar::MCParticleCollection>(collectionName);
  std::istringstream lines(table.str());
  std::string line;
  for (int i = 0; i < 6 && std::getline(lines, line); ++i)
    std::cout << "  " << line << '\n';

  std::ofstream results(directory / "throughput.csv");
  results << "what,layout,seconds,decoded MB,file MB\n";
  Digest expected;
  for (const kaon::Layout layout : {kaon::Layout::split, kaon::Layout::row}) {
    const std::string name(kaon::layoutName(layout));
    const std::string path = (directory / ("events." + name + ".kaon")).string();
    const double writing = seconds(1, [&] { writeEvents(sample, path, layout); });
    Digest digest;
    const double reading = seconds(3, [&] { digest = readEvents(path); });
    const double columns = seconds(3, [&] { (void)readColumns(path); });
    if (layout == kaon::Layout::split)
      expected = digest;
    if (digest != expected || digest.events != repetitions * sample["events"].size()) {
      std::cerr << "The layouts do not agree: that is a bug\n";
      return 1;
    }
    const double bytes = static_cast<double>(
        digest.particles * (sizeof(ttbar::MCParticleData) + 2 * sizeof(std::uint32_t)) +
        digest.links * sizeof(std::int32_t));
    const double stored = static_cast<double>(std::filesystem::file_size(path));
    const auto report = [&](const char* what, double taken, double decoded) {
      results << what << ',' << name << ',' << taken << ',' << decoded / 1e6 << ',' << stored / 1e6
              << '\n';
      std::cout << "  " << name << "\t" << what << "\t" << taken << " s\t" << decoded / taken / 1e6
                << " MB/s\n";
    };
    std::cout << path << ": " << digest.events << " events, " << digest.particles << " particles, "
              << stored / static_cast<double>(digest.particles) << " bytes a particle\n";
    report("write", writing, bytes);
    report("read whole events", reading, bytes);
    report("read 2 members", columns, static_cast<double>(digest.particles) * 12);
  }
  const double copied = memcpyRate();
  results << "memcpy,memory,1," << copied << ",0\n";
  std::cout << "  memory\tmemcpy\t\t" << copied << " MB/s\n";
  return 0;
}

} // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: ttbar_demo SAMPLE.kaon OUTPUT_DIRECTORY\n";
    return 2;
  }
  try {
    return run(arguments[1], arguments[2]);
  } catch (const std::exception& error) {
    std::cerr << "ttbar_demo: " << error.what() << '\n';
    return 1;
  }
}
