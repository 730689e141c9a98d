#pragma once

#include <kaon/batch/Source.h>

namespace kaon {

/// Makes a page of a column that is not stored: of a table that is newer than the entries, or of
/// the presence of a table that is always there. Rows, if any, have the missing values of their
/// members. Throws Error(corrupt) if a value is implausibly large; `where` is for the message.
void fillMissing(const Schema& schema, ColumnNumber column, bool isThere, std::size_t values,
                 const std::string& where, detail::Page& page);

} // namespace kaon
