#pragma once

#include <kaon/detail/formats/arrow/Field.h>
#include <kaon/formats/arrow/CInterface.h>

namespace kaon::arrow {

/// A field's type as Arrow's C data interface has it, which the caller releases. Lists and strings
/// have offsets of 64 bits; names of collections are a dictionary. Its metadata are the `unit`, the
/// `description`, of collections and relations the `datatype`, of decorations their type as
/// `decoration` and the `missing` value of their numbers, and the `structure` of records that are
/// optionals or arrays, as far as there are any.
[[nodiscard]] ArrowSchema schemaOf(const Field& field);

} // namespace kaon::arrow
