#pragma once

#include <kaon/formats/root/ntuple/Descriptor.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root {

// The tables of a schema as fields of an RNTuple, the inverse of Mapping.h:
//
//   a value                 a field of its type; with several members or lists, a record
//   a collection            a collection of records, or, of bare values, std::vector
//   a parameter             the same
//   a list, a relation      a collection in the record of what it lies under
//   a relation to one       a record { index, collection } in it
//   a decoration            a value or record in it
//   a string                std::string
//   several numbers         std::array
//   "vertex.x"              the member x of the record "vertex"
//   whether a table that can be absent is there, where it is not always: a bool NAME_present
//
// Records have no class unless a form says so: ROOT needs none to read them then; that of a
// collection's objects is the alias of their type, which ROOT shows and needs nothing for. In
// names, what ROOT does not allow becomes '_'; if two are the same then, the later one gets "_2"
// behind it.

struct FieldPlan {
  std::vector<Field> fields;            ///< parents before their children
  std::vector<StoredColumn> columns;    ///< those of a field one after another
  std::vector<std::uint32_t> sources;   ///< by column: the schema's column with its values
  std::vector<std::uint32_t> topFields; ///< in the order of fields
};

/// How fields are to be beyond what a schema says of them.
struct FieldForm {
  /// What records are called, for programs that have the class, of just their members.
  struct RecordClass {
    std::string name;
    std::uint32_t version = 0;
    /// If not 0 there is a std::array of so many records, by which the extents of all members in it
    /// can be divided.
    std::uint32_t arraySize = 0;
    std::vector<std::string_view> parts = {}; ///< in this order; empty: in the schema's
  };
  std::map<std::string, RecordClass, std::less<>> classes = {}; ///< by path: "Hits", "Hits.vertex"
  std::vector<std::uint32_t> roots = {}; ///< the root tables in the order of their fields; empty:
                                         ///< all in the schema's
  bool hasWideEnds = false;              ///< see indexTypeFor()
};

/// Plans the fields of a schema in which no table lies in rows (Layout::row). `absent` are the
/// tables that some entries are without, ascending.
[[nodiscard]] FieldPlan planFields(const Schema& schema, const std::vector<std::uint32_t>& absent,
                                   bool isCompressed, const FieldForm& form = {});

} // namespace kaon::root
