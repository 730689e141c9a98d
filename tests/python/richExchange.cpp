// Writes events of the rich model, or prints all events of a file, with generated classes.

#include "ExchangeProgram.h"

#include <kaon/kaon.h>
#include <richmodel/richmodel.h>

#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace {

using rich::Origin;

void write(const std::string& path, const std::string& layout) {
  kaon::Writer out(path, {.layout = kaon::layoutNamed(layout)});
  rich::inner::ParticleCollection particles;
  particles.create(); // with all defaults
  auto particle = particles.create();
  particle.setOrigin(Origin::simulation);
  particle.setTime(2.5F);
  particle.setMass(std::nullopt);
  particle.setRange(std::nullopt);
  particle.setEnds({{{0, 1, 2}, {3, 4, 5}}});
  particle.setCorners({{{{{1, 0, 0}, {2, 0, 0}}}, {{{3, 0, 0}, {4, 0, 0}}}}});
  particle.setOrigins({Origin::simulation, Origin(99)});
  particle.setCovariance(rich::CovMatrix2f(1, 2, 3));
  particle.addToHistory(Origin::generator);
  particle.addToHistory(Origin::unknown);
  particle.addToHints({rich::Vector3f(7, 8, 9), Origin::unknown, rich::Big::greatest});
  particle.addToHints({});
  particle.addToDaughters(particles[0]);
  kaon::Frame frame;
  frame.put(std::move(particles), "Particles");
  out.write(frame, "events");
  out.finish();
}

void print(const std::string& path) {
  for (const kaon::Frame& frame : kaon::Reader(path)["events"]) {
    const auto& particles = frame.get<rich::inner::ParticleCollection>("Particles");
    std::cout << particles << '\n';
    for (const auto particle : particles) {
      for (const Origin origin : particle.getHistory())
        std::cout << "origin " << toString(origin) << '\n';
      for (const rich::Hints& hints : particle.getHints()) {
        const std::optional<rich::Vector3f> at = hints.at;
        std::cout << "hints " << (at ? at->z : -1) << ' ' << toString(hints.origin) << ' '
                  << toString(hints.big) << '\n';
      }
      for (const auto daughter : particle.getDaughters())
        std::cout << "daughter " << daughter.getMass().value_or(-1) << '\n';
    }
  }
}

} // namespace

int main(int count, char** arguments) { return exchange(count, arguments, write, print); }
