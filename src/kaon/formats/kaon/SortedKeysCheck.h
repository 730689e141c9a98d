#pragma once

#include <kaon/batch/Source.h>

#include <string>

namespace kaon::store {

/// What is wrong with the sorted keys of a source, "" if nothing is: each cluster of them is in
/// order, and they are those of the entries, each once. Throws Error(corrupt) for what cannot be
/// read, Error(usage) for entries that do not have just one of each key.
[[nodiscard]] std::string mistakeIn(const Source& sorted, const Source& source);

} // namespace kaon::store
