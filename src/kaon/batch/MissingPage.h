#pragma once

#include <kaon/batch/Source.h>

namespace kaon {

/// Makes the page of a column that is stored nowhere: of a table that entries are older than, or of
/// the presence of one that is always there. Its rows, if it has any, are what its members are
/// where they are missing. Throws Error(corrupt) if a value is too large to be true; `where` is for
/// the message.
void fillMissing(const Schema& schema, std::uint32_t column, bool isThere, std::size_t values,
                 const std::string& where, detail::Page& page);

} // namespace kaon
