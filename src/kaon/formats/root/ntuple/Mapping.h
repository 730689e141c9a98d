#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/ntuple/Descriptor.h>
#include <kaon/formats/root/ntuple/TableRules.h>
#include <kaon/model/Schema.h>

#include <vector>

namespace kaon::root {

// The fields of an RNTuple as tables:
//
//   a number an entry, or a fixed array  a value
//   a record                            a value of its leaves: "pos.x"
//   a collection of records             a collection, of other values a parameter
//   a collection in a record or list    a table under it
//   a string                            a list of characters
//   an optional or unique_ptr           a list of no or one value
//   a fixed array of no numbers         a list of always as many
//   a variant                           the member "tag", 0 for none, and for the alternative k
//                                       (from 0 on) a list "k" of no or one value
//
// The members of base classes are the record's, or, where it has two of one name, lie under the
// names of the classes. Wrappers of one value (enums, atomics) are the value.

struct Mapping {
  Schema schema;
  std::vector<TableRules> rules;      ///< by table
  std::vector<Unreadable> unreadable; ///< fields
};

/// Makes tables of all fields that can be read. Projected fields that are nothing but the members
/// of one collection, as in NanoAOD, are that collection: "Muon" with "pt", not "Muon_pt".
[[nodiscard]] Mapping mapFields(const Descriptor& descriptor);

} // namespace kaon::root
