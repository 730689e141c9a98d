#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/tree/Unit.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <deque>
#include <vector>

namespace kaon::root {

/// The tables that a tree is for kaon, and where their columns come from.
struct TreeTables {
  Schema schema;
  std::deque<Unit> units;            ///< stay where they are
  std::vector<ColumnOrigin> origins; ///< of each column
  std::uint32_t slots = 0;
  std::vector<Unreadable> unreadable; ///< branches
};

} // namespace kaon::root
