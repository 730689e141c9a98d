#pragma once

#include <kaon/formats/root/tree/BranchTables.h>
#include <kaon/formats/root/tree/TreeContents.h>

namespace kaon::root {

/// Finds branches that cannot be read by looking at their first entries. Pointers may lead to
/// objects of derived classes, and objects may have versions that cannot replace the newest one.
/// ROOT may also have written no values, or no offsets of entries. Damaged branches are not among
/// them.
[[nodiscard]] UnreadBranches unreadByFirstEntries(const TreeContents& contents);

} // namespace kaon::root
