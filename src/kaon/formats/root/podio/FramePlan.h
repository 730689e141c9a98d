#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <vector>

namespace kaon::root::podio {

/// A stored table whose rows are those of a table of the frames, or lie beside them.
struct StoredRows {
  std::uint32_t table = 0;  ///< of the frames
  std::uint32_t stored = 0; ///< under entries, whatever the other lies under
  /// Of each stored member: those whose values it has in turn. They are several where they are of
  /// the structs in an array: "ends.0.x" and "ends.1.x" become "ends.x". None of relations.
  std::vector<std::vector<std::uint32_t>> members = {};
  /// Tables under it. For each there are two members behind the others, which say where the rows of
  /// an object begin and end.
  std::vector<std::uint32_t> lists = {};
};

/// The stored tables of the parameters of one type.
struct StoredParameters {
  std::uint32_t keys = 0;   ///< and in the next table their characters
  std::uint32_t values = 0; ///< a row for each key; in the next table lists, in those of strings
                            ///< in that behind it their characters
  struct Parameter {
    std::uint32_t table = 0;          ///< of the frames
    std::uint32_t text = Table::none; ///< of strings: that of their characters
  };
  std::vector<Parameter> all = {}; ///< by their names
};

/// How the tables of frames are stored by podio: the inverse of FrameTables. What is planned for
/// some tables stays the same if more of them come.
struct FramePlan {
  Schema schema; ///< the stored tables
  std::vector<StoredRows> rows;
  std::vector<StoredParameters> parameters; ///< by parameterTypes
  std::vector<std::uint32_t> ids; ///< of each table of the frames: its podioCollectionId()
  std::vector<Loss> losses;       ///< tables that podio cannot store
};

[[nodiscard]] FramePlan planFrames(const Schema& schema);

} // namespace kaon::root::podio
