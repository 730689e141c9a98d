#pragma once

#include <cstdint>
#include <vector>

namespace kaon::root {

/// How many rows a table has for each one above it, or each entry.
struct RowRule {
  enum class Kind : std::uint8_t {
    one,        ///< just one
    ends,       ///< a column says where those of each end
    fixed,      ///< always `number`
    alternative ///< one where a column says that the value is alternative `number`, else none
  };
  Kind kind = Kind::one;
  std::vector<std::uint32_t> columns = {}; ///< of which each cluster has one
  std::uint64_t number = 0;
};

/// Where the values of a member come from.
struct ValueRule {
  enum class Kind : std::uint8_t {
    values,
    sizes, ///< of the lists whose ends are in the column
    tags   ///< of the choices in the column
  };
  Kind kind = Kind::values;
  std::vector<std::uint32_t> columns = {}; ///< of which each cluster has one
};

/// How all of a table comes from stored columns.
struct TableRules {
  RowRule rows;
  std::vector<ValueRule> members;
  /// Of which each cluster has one, which says what entries have the table; none: all do.
  std::vector<std::uint32_t> presence = {};
  /// Rows in each entry; 0 where that varies.
  std::uint64_t rowsPerEntry = 0;
};

} // namespace kaon::root
