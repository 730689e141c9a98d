#pragma once

#include <kaon/model/Schema.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::hdf5 {

// Maps tables to places in a category's group, by their names alone. All datasets of a group have a
// value for each of the same rows, except `offsets` and `present`:
//
//   a counted table              a group: "MCParticles", below that of the table above it:
//                                "MCParticles/parents"
//   a member                     a dataset: "MCParticles/momentum.x"; of bare values "values"
//   any other table              datasets of the group above it: "run", "MCParticles/decay.index"
//   where rows begin             "offsets", with one more for the end, counted in the whole file
//   whether entries have it      "present", unless all have it
//
// A slash in a name becomes '_'. If two names in a group become equal, the later one gets the
// suffix "_2".

struct TablePath {
  std::string group; ///< of its datasets: "/MCParticles"; "" for the category's group
  std::vector<std::string> members; ///< names of datasets, by member
};

/// The longest name of a category, group or dataset in bytes. HDF5 limits the metadata around it to
/// 64 KiB.
inline constexpr std::size_t mostNameBytes = 60'000;

inline constexpr std::string_view offsetsName = "offsets", presentName = "present";

/// Returns the places, by table.
[[nodiscard]] std::vector<TablePath> tablePaths(const Schema& schema);

} // namespace kaon::hdf5
