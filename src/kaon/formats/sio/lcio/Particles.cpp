#include <kaon/formats/sio/lcio/Particles.h>

#include <kaon/formats/sio/lcio/LcioLayouts.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::sio::lcio {
namespace {

/// A particle and one of its parents.
struct Descent {
  std::uint32_t parent = 0; ///< row among all rows of the page
  std::uint32_t number = 0; ///< of the collection of the daughter
  std::uint32_t row = 0;    ///< row of the daughter among all rows of the page
  std::uint32_t index = 0;  ///< of the daughter in its event
};

using Descents = std::vector<Descent>;

/// Finds the daughters of the particles of each collection, in the order of the daughters.
std::vector<Descents> findDaughters(const Schema& schema, std::span<const ParticleTables> all,
                                    LoadedSioPage& page) {
  std::vector<Descents> daughters(all.size());
  for (std::uint32_t number = 0; number < all.size(); ++number) {
    const ParticleTables& from = all[number];
    UnitColumns& columns = page.columnsOf(from.particles);
    const ColumnNumber column = schema.place(from.parents, detail::relationIndex).column;
    const auto ends = columns.values<std::uint32_t>(schema.countsColumn(from.parents));
    const auto indexes = columns.values<std::int32_t>(column);
    const auto tables = columns.values<std::uint32_t>(column + 1);
    const auto rows = columns.eventRows(from.particles);
    auto to = all.begin() + number; // usually the same collection
    auto firsts = rows;
    for (std::size_t event = 0; event < page.entries(); ++event)
      for (std::uint32_t row = rows[event]; row < rows[event + 1]; ++row)
        for (std::uint32_t parent = ends[row]; parent < ends[row + 1]; ++parent) {
          if (indexes[parent] < 0)
            continue;
          if (to->particles != tables[parent]) {
            to = std::ranges::lower_bound(all, tables[parent], {}, &ParticleTables::particles);
            firsts = page.columnsOf(to->particles).eventRows(to->particles);
          }
          daughters[static_cast<std::size_t>(to - all.begin())].push_back(
              {firsts[event] + static_cast<std::uint32_t>(indexes[parent]), number, row,
               row - rows[event]});
        }
  }
  return daughters;
}

/// Sorts them by their parents. Returns the start of each parent's daughters, and the end of the
/// last.
std::vector<std::uint32_t> sortByParents(Descents& descents, std::size_t parents) {
  std::vector<std::uint32_t> begins(parents + 1);
  for (const Descent& descent : descents)
    ++begins[descent.parent + 1];
  for (std::size_t row = 0; row < parents; ++row)
    begins[row + 1] += begins[row];
  Descents sorted(descents.size());
  std::vector<std::uint32_t> next = begins;
  for (const Descent& descent : descents)
    sorted[next[descent.parent]++] = descent;
  descents = std::move(sorted);
  return begins;
}

/// Sets the endpoint of a particle that has none. Its daughters must be complete except for their
/// endpoints.
void setEndpoint(std::span<const Descent> daughters, std::span<const ParticleTables> all,
                 LoadedSioPage& page, UnitColumns& columns, std::uint32_t endpoint,
                 std::uint32_t row) {
  for (const Descent& daughter : daughters) {
    const ParticleTables& from = all[daughter.number];
    UnitColumns& other = page.columnsOf(from.particles);
    if ((other.values<std::uint32_t>(from.firstColumn + from.status)[daughter.row] &
         ownVertexStatus) != 0)
      continue;
    for (std::uint32_t i = 0; i < coordinates; ++i)
      columns.values<double>(endpoint + i)[row] =
          other.values<double>(from.firstColumn + from.vertex + i)[daughter.row];
    return;
  }
}

/// Completes one collection.
void complete(const Schema& schema, std::span<const ParticleTables> all,
              const ParticleTables& tables, Descents& descents, LoadedSioPage& page) {
  UnitColumns& columns = page.columnsOf(tables.particles);
  const std::uint32_t particles = columns.rows(tables.particles);
  const auto begins = sortByParents(descents, particles);
  const std::uint32_t index = schema.place(tables.daughters, detail::relationIndex).column;
  for (const Descent& descent : descents) {
    columns.put(index, descent.index);
    columns.put(index + 1, all[descent.number].particles);
  }
  const auto status = columns.values<std::uint32_t>(tables.firstColumn + tables.status);
  for (std::uint32_t row = 0; row < particles; ++row) {
    const auto daughters = std::span(descents).subspan(begins[row], begins[row + 1] - begins[row]);
    columns.addRows(tables.daughters, static_cast<std::uint32_t>(daughters.size()));
    columns.endList(tables.daughters);
    if ((status[row] & endpointStatus) == 0)
      setEndpoint(daughters, all, page, columns, tables.firstColumn + tables.endpoint, row);
  }
  columns.setComplete(tables.daughters);
}

} // namespace

ParticleTables particleTables(const Schema& schema, std::uint32_t particles) {
  const std::string name(schema.table(particles).name);
  const Members members = schema.table(particles).members;
  return {particles,
          schema.find(name + ".parents"),
          schema.find(name + ".daughters"),
          schema.place(particles, 0).column,
          members.find("simulatorStatus"),
          members.find("vertex.x"),
          members.find("endpoint.x"),
          members.find("momentumAtEndpoint.x")};
}

bool isMadeOfDaughters(const Schema& schema, const ParticleTables& tables, ColumnNumber column) {
  const std::uint32_t endpoint = tables.firstColumn + tables.endpoint;
  return schema.columns()[column].table == tables.daughters ||
         (column >= endpoint && column < endpoint + coordinates);
}

void completeParticles(const Schema& schema, std::span<const ParticleTables> all,
                       LoadedSioPage& page) {
  std::vector<Descents> daughters = findDaughters(schema, all, page);
  for (std::size_t number = 0; number < all.size(); ++number)
    complete(schema, all, all[number], daughters[number], page);
}

} // namespace kaon::sio::lcio
