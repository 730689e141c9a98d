#pragma once

#include <mcparticle/MCParticleData.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bench {

/// For each particle, others of the same event: positions in the event.
struct Links {
  std::vector<std::size_t> offsets{0}; ///< where each particle's begin, and the last ones end
  std::vector<std::uint32_t> targets;
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t particle) const {
    return std::span(targets).subspan(offsets[particle], offsets[particle + 1] - offsets[particle]);
  }
};

/// Events of particles as plain arrays in memory.
struct Particles {
  std::vector<std::size_t> offsets{
      0}; ///< where the particles of each event begin, and the last end
  std::vector<MCParticleData> values;
  Links parents;
  Links daughters;
  [[nodiscard]] std::size_t events() const { return offsets.size() - 1; }
  [[nodiscard]] std::size_t size() const { return values.size(); }
};

/// `events` events of the collection "MCParticles" of a .kaon file; as often as it takes if the
/// file has fewer. Members that the file does not have get their defaults.
[[nodiscard]] Particles loadParticles(const std::string& path, std::size_t events);

/// Made-up events, as large and as much linked as those of top quark pairs at the LHC: 781
/// particles an event, 1.4 parents a particle.
[[nodiscard]] Particles makeParticles(std::size_t events);

} // namespace bench
