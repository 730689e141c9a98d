#pragma once

#include <kaon/detail/formats/arrow/Field.h>
#include <kaon/formats/arrow/CInterface.h>
#include <kaon/formats/arrow/ColumnMemory.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>

namespace kaon::arrow {

/// The names of all collections of a schema, which references tell theirs by.
struct CollectionNames {
  explicit CollectionNames(const Schema& schema);
  std::map<std::uint32_t, std::int32_t> places; ///< by table
  std::shared_ptr<Buffer> offsets;              ///< of 64 bits
  std::shared_ptr<Buffer> characters;
};

/// A field's values in some entries, as Arrow's C data interface has them, which the caller
/// releases, in any thread. Values and offsets are shared with the columns, not copied; what is
/// copied are truth values and presence, to bits, names of collections, and elements of arrays of
/// components. Of strings that are no UTF-8, what is not ASCII becomes "?". Throws Error(corrupt),
/// which `where` begins with, for references to what is no collection.
[[nodiscard]] ArrowArray arrayOf(const Field& field, const ColumnMemory& columns,
                                 const CollectionNames& names, std::string_view where);

} // namespace kaon::arrow
