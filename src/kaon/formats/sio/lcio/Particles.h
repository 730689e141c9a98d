#pragma once

#include <kaon/formats/sio/LoadedSioPage.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <span>

// Properties of particles that LCIO does not store, but computes when it reads them: daughters, and
// endpoints that the simulation did not set.

namespace kaon::sio::lcio {

/// The components of positions and momenta.
inline constexpr std::uint32_t coordinates = 3;

/// A collection of particles: its tables, and some members.
struct ParticleTables {
  std::uint32_t particles = 0, parents = 0, daughters = 0;
  std::uint32_t firstColumn = 0; ///< Of the first member of particles.
  std::uint32_t status = 0;      ///< The member `simulatorStatus`.
  /// The first of three members.
  std::uint32_t vertex = 0, endpoint = 0, momentumAtEndpoint = 0;
};
/// Whether completeParticles() computes this column.
[[nodiscard]] bool isMadeOfDaughters(const Schema& schema, const ParticleTables& tables,
                                     ColumnNumber column);
[[nodiscard]] ParticleTables particleTables(const Schema& schema, std::uint32_t particles);

/// Computes the daughters and endpoints of all collections, which must be ascending. The daughters
/// of a particle are all particles with it as a parent, in the order of collections. A particle
/// without endpoint gets the vertex of the first daughter that begins at its end. All parents must
/// be complete.
void completeParticles(const Schema& schema, std::span<const ParticleTables> all,
                       LoadedSioPage& page);

} // namespace kaon::sio::lcio
