#pragma once

#include <kaon/model/Table.h>

#include <cstdint>
#include <span>
#include <vector>

namespace kaon {

/// A member of a table, or a table under it.
struct TablePart {
  bool isTable = false;
  std::uint32_t number = 0; ///< of the member in its table, or of the table
};

/// Returns the members of a table and the tables under it, in the order of their source. `under`
/// has all tables under it, ascending.
[[nodiscard]] std::vector<TablePart> partsInOrder(const Table& table,
                                                  std::span<const std::uint32_t> under);

} // namespace kaon
