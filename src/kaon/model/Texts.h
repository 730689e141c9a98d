#pragma once

#include <kaon/model/Schema.h>

#include <cstdint>
#include <string>

// Texts in tables: each row is a character, and the rows under one row above form a text.

namespace kaon {

/// Returns whether the rows are characters, so that the rows under one row above, or entry, form a
/// text.
[[nodiscard]] bool isText(const Table& table) noexcept;

/// Returns the table with the characters of a parameter or value that has only texts, one for each
/// row. Returns Table::none for other tables.
[[nodiscard]] TableNumber charactersOf(const Schema& schema, TableNumber root) noexcept;

/// Returns the name of a column: of its member, or for characters the name of their texts.
[[nodiscard]] std::string nameOfColumn(const Schema& schema, TableNumber table,
                                       MemberNumber member);

} // namespace kaon
