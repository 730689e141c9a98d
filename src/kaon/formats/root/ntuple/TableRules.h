#pragma once

#include <cstdint>
#include <vector>

namespace kaon::root {

/// The number of rows of a table for each row above it, or for each entry.
struct RowRule {
  enum class Kind : std::uint8_t {
    one,        ///< exactly one
    ends,       ///< a column stores the ends
    fixed,      ///< always `number`
    alternative ///< one if a column selects alternative `number`, otherwise none
  };
  Kind kind = Kind::one;
  std::vector<std::uint32_t> columns = {}; ///< each cluster has one of them
  std::uint64_t number = 0;
};

/// The source of the values of a member.
struct ValueRule {
  enum class Kind : std::uint8_t {
    values,
    sizes, ///< the lengths of the lists whose ends are in the column
    tags   ///< the tags of the choices in the column
  };
  Kind kind = Kind::values;
  std::vector<std::uint32_t> columns = {}; ///< each cluster has one of them
};

/// How a table is read from stored columns.
struct TableRules {
  RowRule rows;
  std::vector<ValueRule> members;
  /// Columns that say which entries have the table. Each cluster has one of them. Empty if all
  /// entries have it.
  std::vector<std::uint32_t> presence = {};
  /// Rows in each entry; 0 if that varies.
  std::uint64_t rowsPerEntry = 0;
};

} // namespace kaon::root
