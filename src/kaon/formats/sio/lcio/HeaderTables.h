#pragma once

#include <kaon/formats/sio/ParameterTables.h>
#include <kaon/formats/sio/UnitColumns.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// The categories for the headers of events and runs.

namespace kaon::sio::lcio {

inline constexpr std::string_view eventsCategory = "events", runsCategory = "runs";

/// Adds a value with a number for each entry. Returns its table.
[[nodiscard]] std::uint32_t addValue(Schema& schema, std::string name, Scalar type,
                                     TableUse use = TableUse::none);
/// Adds a parameter of texts. Returns its table.
[[nodiscard]] std::uint32_t addText(Schema& schema, std::string name);

/// Appends the number of an entry.
template <class T>
void putValue(const Schema& schema, TableNumber table, T value, UnitColumns& out) {
  out.put(schema.columnsOf(table).first, value);
  out.addRows(table, 1);
}
/// Appends the texts of an entry.
void putTexts(const Schema& schema, TableNumber table, std::span<const std::string_view> texts,
              UnitColumns& out);

} // namespace kaon::sio::lcio
