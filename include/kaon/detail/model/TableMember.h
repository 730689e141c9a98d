#pragma once

#include <kaon/model/Table.h>

#include <cstdint>

namespace kaon::detail {

/// A member of a table, as the numbers of both.
struct TableMember {
  std::uint32_t table = Table::none;
  std::uint32_t member = 0;
  friend bool operator==(const TableMember&, const TableMember&) = default;
};

} // namespace kaon::detail
