#pragma once

#include <kaon/model/Table.h>

#include <string>

namespace kaon {

/// What is wrong with a table that lies under this one, or null: under entries; "" if nothing.
[[nodiscard]] std::string mistakeIn(const Table& table, const Table* parent);

/// What is wrong with what is to be kept of a table's floats. Only for values that are yet to be
/// written: those of a file are read whatever it says of them.
[[nodiscard]] std::string precisionMistakeIn(const Table& table);

} // namespace kaon
