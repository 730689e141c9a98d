#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/ntuple/NTupleDescriptor.h>
#include <kaon/formats/root/ntuple/TableRules.h>
#include <kaon/model/Schema.h>

#include <vector>

namespace kaon::root {

// Maps the fields of an RNTuple to tables:
//
//   a number an entry, or a fixed array  a value
//   a record                            a value of its leaves: "pos.x"
//   a collection of records             a collection, of other values a parameter
//   a collection in a record or list    a table under it
//   a string                            a list of characters
//   an optional or unique_ptr           a list of 0 or 1 values
//   a fixed array of other types        a list of fixed length
//   a variant                           the member "tag", 0 for none, and for the alternative k
//                                       (from 0 on) a list "k" of 0 or 1 values
//
// Members of base classes become members of the record. If two have the same name, the names of the
// base classes are put before them. Wrappers of one value (enums, atomics) become that value.

struct Mapping {
  Schema schema;
  std::vector<TableRules> rules;      ///< by table
  std::vector<Unreadable> unreadable; ///< fields
};

/// Creates tables for all readable fields. Projected fields that only expose the members of one
/// collection, as in NanoAOD, become that collection: "Muon" with "pt", not "Muon_pt". If
/// `groups` is false, they become lists instead.
[[nodiscard]] Mapping mapFields(const NTupleDescriptor& descriptor, bool groups = true);

} // namespace kaon::root
