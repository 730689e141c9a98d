#pragma once

#include <kaon/formats/root/tree/Unit.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace kaon::root {

/// A branch that is not read, and why.
struct UnreadableBranch {
  std::string name, className, reason;
};

/// The tables that a tree is for kaon, and where their columns come from.
struct TreeTables {
  Schema schema;
  std::deque<Unit> units;            ///< stay where they are
  std::vector<ColumnOrigin> origins; ///< of each column
  std::uint32_t slots = 0;
  std::vector<UnreadableBranch> unreadable;
};

} // namespace kaon::root
