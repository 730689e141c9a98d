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
  ValueType type; ///< the whole records, as bytes
};

/// What kaon reads of records, HDF5's compounds: their numbers together, and each string or list.
struct RecordType {
  ValueType numbers; ///< without members if there are none
  std::vector<VariableMember> variable;
  std::vector<Unreadable> unreadable; ///< members
  bool hasPlaces = false;             ///< some lie in heaps, whether kaon reads them or not
};

/// Under the lock. Throws Error(type) with the reason, for who reports it, where that concerns all
/// members.
[[nodiscard]] RecordType recordTypeOf(hid_t stored);

} // namespace kaon::hdf5
