#pragma once

#include <kaon/formats/sio/LoadedPage.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <span>

// What LCIO does not store of particles, but finds when it reads them: their daughters, and the
// endpoints that the simulation did not set.

namespace kaon::sio::lcio {

/// A collection of particles: its tables, and columns of it.
struct ParticleTables {
  std::uint32_t particles = 0, parents = 0, daughters = 0;
  std::uint32_t status = 0;               ///< column: simulatorStatus
  std::uint32_t vertex = 0, endpoint = 0; ///< the first of three columns
};
/// Whether completeParticles() makes this column.
[[nodiscard]] bool isMadeOfDaughters(const Schema& schema, const ParticleTables& tables,
                                     std::uint32_t column);
[[nodiscard]] ParticleTables particleTables(const Schema& schema, std::uint32_t particles);

/// Makes the daughters and endpoints of all collections, ascending. A particle's daughters are all
/// that have it as a parent, in the collections' order; its endpoint, if none was set, is the
/// vertex of the first one that begins where it ends. The parents of all must be complete.
void completeParticles(const Schema& schema, std::span<const ParticleTables> all, LoadedPage& page);

} // namespace kaon::sio::lcio
