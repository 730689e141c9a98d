#pragma once

#include <kaon/model/Table.h>

#include <string>

namespace kaon {

/// Returns the mistake in a table under `parent`, or under entries if `parent` is null. Returns ""
/// if the table is valid.
[[nodiscard]] std::string mistakeIn(const Table& table, const Table* parent);

/// Returns the mistake in a table's precisions, or "". Only for values that are yet to be written;
/// files are read whatever precision they state.
[[nodiscard]] std::string precisionMistakeIn(const Table& table);

} // namespace kaon
