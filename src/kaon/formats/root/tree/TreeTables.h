#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/tree/Unit.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <deque>
#include <vector>

namespace kaon::root {

/// The tables that kaon reads from a tree, and the sources of their columns.
struct TreeTables {
  Schema schema;
  std::deque<Unit> units;            ///< a deque, so that pointers stay valid
  std::vector<ColumnOrigin> origins; ///< of each column
  std::uint32_t slots = 0;
  std::vector<Unreadable> unreadable; ///< branches
};

} // namespace kaon::root
