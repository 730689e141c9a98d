#pragma once

#include <kaon/model/Table.h>

#include <cstdint>

namespace kaon::detail {

/// A member of a table, as the numbers of both.
struct MemberPlace {
  std::uint32_t table = Table::none;
  std::uint32_t member = 0;
  friend bool operator==(const MemberPlace&, const MemberPlace&) = default;
};

} // namespace kaon::detail
