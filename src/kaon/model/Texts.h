#pragma once

#include <kaon/model/Schema.h>

#include <cstdint>
#include <string>

// Texts in tables: the rows of one are characters, those under one row above are a text.

namespace kaon {

/// Whether the rows are characters, so that those under one row, or entry, are a text.
[[nodiscard]] bool isText(const Table& table) noexcept;

/// The table of the characters of a parameter or value that is texts, a row each, and nothing else;
/// Table::none of others.
[[nodiscard]] std::uint32_t charactersOf(const Schema& schema, std::uint32_t root) noexcept;

/// The name of a column: that of the member; of characters that of their texts.
[[nodiscard]] std::string nameOfColumn(const Schema& schema, std::uint32_t table,
                                       std::uint32_t member);

} // namespace kaon
