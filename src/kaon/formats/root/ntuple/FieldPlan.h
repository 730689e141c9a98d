#pragma once

#include <kaon/formats/root/ntuple/NTupleDescriptor.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root {

// Maps the tables of a schema to fields of an RNTuple, the inverse of Mapping.h:
//
//   a value                 a field of its type; with several members or lists, a record
//   a collection            a collection of records, or, of bare values, std::vector
//   a parameter             as a collection
//   a list, a relation      a collection in the record above it
//   a relation to one       a record { index, collection } in it
//   a decoration            a value or record in it
//   a string                std::string
//   several numbers         std::array
//   "vertex.x"              the member x of the record "vertex"
//   an optional table       its fields, and a bool NAME_present if some entries lack it
//
// Records have no class unless a form names one, so that ROOT can read them without a dictionary.
// The type of a collection's objects is stored as a type alias, which ROOT only displays.
// Characters that ROOT does not allow in names become '_'. If two names become equal, the later one
// gets the suffix "_2".

struct FieldPlan {
  std::vector<NTupleField> fields;      ///< parents before their children
  std::vector<StoredColumn> columns;    ///< those of a field are consecutive
  std::vector<std::uint32_t> sources;   ///< by column: the schema's column with its values
  std::vector<std::uint32_t> topFields; ///< in the order of fields
};

/// Properties of fields that a schema does not contain.
struct FieldForm {
  /// A class for a record, for programs that have this class. The record must have exactly its
  /// members.
  struct RecordClass {
    std::string name;
    std::uint32_t version = 0;
    /// If not 0, the field is a std::array of this many records. The extents of all members must be
    /// multiples of it.
    std::uint32_t arraySize = 0;
    std::vector<std::string_view> parts = {}; ///< the order of the parts; empty: as in the schema
  };
  std::map<std::string, RecordClass, std::less<>> classes = {}; ///< by path: "Hits", "Hits.vertex"
  /// The root tables in the order of their fields; empty: all as in the schema.
  std::vector<std::uint32_t> roots = {};
  bool hasWideEnds = false; ///< see indexTypeFor()
};

/// Plans the fields of a schema whose tables all store their columns separately (no Layout::row).
/// `absent` lists the tables that some entries lack, ascending.
[[nodiscard]] FieldPlan planFields(const Schema& schema, const std::vector<std::uint32_t>& absent,
                                   bool isCompressed, const FieldForm& form = {});

} // namespace kaon::root
