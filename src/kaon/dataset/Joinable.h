#pragma once

#include <kaon/batch/Source.h>

namespace kaon::detail {

/// Whether the entries of a source have values. Unlike collections and parameters, values cannot be
/// absent in an entry.
[[nodiscard]] bool hasValues(const Source& source);

/// Throws Error(name) for a source whose entries lack all tables of a reference that has values.
/// Sources without entries lack nothing; a null reference requires nothing.
void checkJoinable(const Source& source, const Source* reference);

} // namespace kaon::detail
