#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/hdf5/ValueType.h>
#include <kaon/formats/hdf5/VariableRows.h>

#include <string>
#include <vector>

namespace kaon::hdf5 {

/// A string or list in each record.
struct VariableMember {
  std::string name; ///< "vertex.label"
  VariableRows rows;
  ValueType type; ///< the whole records as bytes
};

/// The parts of records (HDF5's compounds) that kaon reads: their numbers together, and each string
/// or list.
struct CompoundType {
  ValueType numbers; ///< without members if records have no numbers
  std::vector<VariableMember> variable;
  std::vector<Unreadable> unreadable; ///< members
  bool hasPlaces = false; ///< whether some values are in heaps, including unreadable ones
};

/// Call it under the lock. Throws Error(type) with the reason if no member can be read; the caller
/// reports it.
[[nodiscard]] CompoundType recordTypeOf(hid_t stored);

} // namespace kaon::hdf5
