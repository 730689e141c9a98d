#pragma once

#include <kaon/formats/root/tree/BranchTables.h>
#include <kaon/formats/root/tree/TreeContents.h>

namespace kaon::root {

/// Branches that cannot be read, as their first entries show: pointers in them lead to objects of
/// derived classes, objects are of versions that cannot stand for the newest one, or ROOT wrote no
/// values, or not where those of each entry begin. What is damaged is not among them.
[[nodiscard]] UnreadBranches unreadByFirstEntries(const TreeContents& contents);

} // namespace kaon::root
