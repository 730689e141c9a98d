#pragma once

#include <kaon/model/Schema.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::hdf5 {

// Where tables lie in a category's group, by their names alone. All datasets of a group have a
// value for each of the same rows, but for its `offsets` and `present`:
//
//   a counted table              a group: "MCParticles", below that of the table above it:
//                                "MCParticles/parents"
//   a member                     a dataset: "MCParticles/momentum.x"; of bare values "values"
//   any other table              datasets of the group above it: "run", "MCParticles/decay.index"
//   where rows begin             "offsets", with one more for the end, counted in the whole file
//   whether entries have it      "present", where not all have
//
// A slash in a name becomes '_'; what is called as something else in its group is "_2" behind it.

struct TablePath {
  std::string group;                ///< of its datasets: "/MCParticles", "" for the category's
  std::vector<std::string> members; ///< the names of their datasets, by member
};

/// The most bytes of a category's, group's or dataset's name: HDF5 has 64 KiB for all that stands
/// beside it.
inline constexpr std::size_t mostNameBytes = 60'000;

inline constexpr std::string_view offsetsName = "offsets", presentName = "present";

/// By table.
[[nodiscard]] std::vector<TablePath> tablePaths(const Schema& schema);

} // namespace kaon::hdf5
