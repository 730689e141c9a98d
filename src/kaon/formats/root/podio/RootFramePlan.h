#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/podio/FrameParameter.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <vector>

namespace kaon::root::podio {

/// A stored table with the rows of a table of the frames.
struct StoredRows {
  TableNumber table = 0;    ///< of the frames
  std::uint32_t stored = 0; ///< a root, even if the other table is not
  /// For each stored member: the members whose values it contains in turn. There are several for
  /// structs in an array: "ends.0.x" and "ends.1.x" become "ends.x". Empty for relations.
  std::vector<std::vector<std::uint32_t>> members = {};
  /// Tables below it. Each adds two members behind the others, with the start and end of each
  /// object's rows.
  std::vector<std::uint32_t> lists = {};
};

/// The stored tables of the parameters of one type.
struct PodioParameters {
  std::uint32_t keys = 0; ///< the next table has their characters
  /// A row for each key. The next table has lists; for strings, the one behind it has their
  /// characters.
  std::uint32_t values = 0;
  std::vector<FrameParameter> all = {}; ///< by name
};

/// How podio stores the tables of frames: the inverse of FrameTables. Additional tables do not
/// change the plan of the others.
struct RootFramePlan {
  Schema schema; ///< the stored tables
  std::vector<StoredRows> rows;
  std::vector<PodioParameters> parameters; ///< by parameterTypes
  std::vector<std::uint32_t> ids;          ///< see PodioIds
  std::vector<detail::Loss> losses;        ///< tables that podio cannot store
};

[[nodiscard]] RootFramePlan planFrames(const Schema& schema);

} // namespace kaon::root::podio
