#pragma once

#include <mcparticle/MCParticleData.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bench {

/// For each particle, others of the same event, by their index in the event.
struct Links {
  /// Start of each particle's targets, and the end of the last.
  std::vector<std::size_t> offsets{0};
  std::vector<std::uint32_t> targets;
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t particle) const {
    return std::span(targets).subspan(offsets[particle], offsets[particle + 1] - offsets[particle]);
  }
};

/// Events of particles as plain arrays in memory.
struct Particles {
  std::vector<std::size_t> offsets{0}; ///< start of each event's particles, and the end of the last
  std::vector<MCParticleData> values;
  Links parents;
  Links daughters;
  [[nodiscard]] std::size_t events() const { return offsets.size() - 1; }
  [[nodiscard]] std::size_t size() const { return values.size(); }
};

/// Loads `events` events of the collection "MCParticles" of a .kaon file. Repeats the file if it
/// has fewer events. Members that the file lacks get their defaults.
[[nodiscard]] Particles loadParticles(const std::string& path, std::size_t events);

/// Generates events with the size and links of top quark pairs at the LHC: 781 particles an event,
/// 1.4 parents a particle.
[[nodiscard]] Particles makeParticles(std::size_t events);

} // namespace bench
