#pragma once

#include <kaon/detail/formats/arrow/ArrowField.h>
#include <kaon/detail/formats/arrow/CInterface.h>
#include <kaon/formats/arrow/ColumnMemory.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>

namespace kaon::arrow {

/// The names of all collections of a schema: the dictionary for references.
struct CollectionNames {
  explicit CollectionNames(const Schema& schema);
  std::map<std::uint32_t, std::int32_t> places; ///< index of the name, by table
  std::shared_ptr<Buffer> offsets;              ///< of 64 bits
  std::shared_ptr<Buffer> characters;
};

/// Returns a field's values in some entries as an array of Arrow's C data interface. The caller
/// releases it, in any thread.
///
/// The array shares values and offsets with the columns. It copies names of collections, elements
/// of arrays of components, and truth values and presence, which become bits. In strings that are
/// not UTF-8, bytes that are not ASCII become "?".
///
/// Throws Error(corrupt) for references to tables that are not collections. The message begins with
/// `where`.
[[nodiscard]] ArrowArray arrayOf(const ArrowField& field, const ColumnMemory& columns,
                                 const CollectionNames& names, std::string_view where);

} // namespace kaon::arrow
