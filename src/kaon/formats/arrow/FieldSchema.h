#pragma once

#include <kaon/detail/formats/arrow/ArrowField.h>
#include <kaon/detail/formats/arrow/CInterface.h>

namespace kaon::arrow {

/// Returns a field's type as a schema of Arrow's C data interface. The caller releases it. Lists
/// and strings have offsets of 64 bits; names of collections are a dictionary.
///
/// The metadata, without empty ones, are:
/// - `unit` and `description`,
/// - `datatype` of collections and relations,
/// - `decoration` and `missing` of decorations: their type, and the value of missing numbers,
/// - `structure` of optionals and arrays, see ArrowField::structure.
[[nodiscard]] ArrowSchema schemaOf(const ArrowField& field);

} // namespace kaon::arrow
