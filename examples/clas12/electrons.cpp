// The C++ programs of docs/coming-from-hipo.md, unchanged.
//
//     clas12_electrons rec.hipo
//
// Prints the number of electrons, their mean pt and their energy in the calorimeters. Writes
// electrons.hipo and pairs.kaon.

#include <kaon/kaon.h>
#include <kaon/train/Train.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <string>

namespace {

void countElectrons(const std::string& path) {
  std::size_t electrons = 0;
  double sum = 0;
  const auto fill = [&](float pt) {
    ++electrons;
    sum += pt;
  };
  const kaon::Reader reader(path);
  const kaon::Category events = reader["events"];
  for (auto [pid, px, py] :
       events.each<kaon::Array<std::int32_t>, kaon::Array<float>, kaon::Array<float>>(
           "REC::Particle.pid", "REC::Particle.px", "REC::Particle.py"))
    for (std::size_t i = 0; i < pid.size(); ++i)
      if (pid[i] == 11)
        fill(std::hypot(px[i], py[i]));
  std::cout << electrons << " electrons, mean pt " << sum / static_cast<double>(electrons) << '\n';
}

void addEnergies(const std::string& path) {
  const kaon::Reader reader(path);
  const kaon::Category events = reader["events"];
  double sum = 0;
  for (auto [pid, pindex, energy] :
       events.each<kaon::Array<std::int32_t>, kaon::Array<std::int16_t>, kaon::Array<float>>(
           "REC::Particle.pid", "REC::Calorimeter.pindex", "REC::Calorimeter.energy"))
    for (std::size_t hit = 0; hit < energy.size(); ++hit)
      if (pid[static_cast<std::size_t>(pindex[hit])] == 11)
        sum += energy[hit];
  std::cout << sum << " GeV of electrons\n";
}

void writeSkims(const std::string& path) {
  kaon::Train train(
      kaon::dataset(path, "events").define("electrons", "sum(REC::Particle.pid == 11)"));
  train.add({.path = "electrons.hipo", .selection = "electrons >= 1", .keep = {"REC::Particle"}});
  train.add({.path = "pairs.kaon", .selection = "electrons >= 2"});
  for (const auto& output : train.run().outputs)
    std::cout << output.path << ": " << output.entries << " events\n";
}

} // namespace

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::cerr << "usage: clas12_electrons rec.hipo\n";
    return 2;
  }
  countElectrons(argv[1]);
  addEnergies(argv[1]);
  writeSkims(argv[1]);
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
