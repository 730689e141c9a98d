#pragma once

#include <kaon/formats/root/ntuple/Descriptor.h>
#include <kaon/model/Scalar.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <string>
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
// Base classes of a record are parts of it without a name. Wrappers of one value (enums, atomics)
// are the value.

/// How many rows a table has for each one above it, or each entry.
struct RowRule {
  enum class Kind : std::uint8_t {
    one,        ///< just one
    ends,       ///< a column says where those of each end
    fixed,      ///< always `number`
    alternative ///< one where a column says that the value is alternative `number`, else none
  };
  Kind kind = Kind::one;
  std::vector<std::uint32_t> columns = {}; ///< of which each cluster has one
  std::uint64_t number = 0;
};

/// Where the values of a member come from.
struct ValueRule {
  enum class Kind : std::uint8_t {
    values,
    sizes, ///< of the lists whose ends are in the column
    tags   ///< of the choices in the column
  };
  Kind kind = Kind::values;
  std::vector<std::uint32_t> columns; ///< of which each cluster has one
};

struct TableRules {
  RowRule rows;
  std::vector<ValueRule> members;
  /// Rows in each entry; 0 where that varies.
  std::uint64_t rowsPerEntry = 0;
};

/// A field that is left out, by itself, and why.
struct UnreadableField {
  std::string name, typeName, reason;
};

struct Mapping {
  Schema schema;
  std::vector<TableRules> rules; ///< by table
  std::vector<UnreadableField> unreadable;
};

/// Makes tables of all fields that can be read. Projected fields that are nothing but the members
/// of one collection, as in NanoAOD, are that collection: "Muon" with "pt", not "Muon_pt".
[[nodiscard]] Mapping mapFields(const Descriptor& descriptor);

} // namespace kaon::root
