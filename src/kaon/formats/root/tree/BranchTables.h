#pragma once

#include <kaon/formats/root/container/RootContainer.h>
#include <kaon/formats/root/tree/TreeDescription.h>
#include <kaon/formats/root/tree/TreeTables.h>
#include <kaon/model/SchemaDocument.h>

#include <map>
#include <string>

namespace kaon::root {

/// Branches that cannot be read, with the reasons, as found in their values.
using UnreadBranches = std::map<const BranchDescription*, std::string>;

/// Creates the tables of a tree:
///
///   a branch of numbers             a value
///   branches with the same counter  a collection; without OpenOptions::group, a parameter each
///   a split collection              a collection
///   a vector of numbers             a parameter; inner lists are tables under it
///   a split object                  a value of its members of fixed size, and tables under it
///
/// Branches that are not read, including `unread`, are listed with the reason. `stored` is kaon's
/// own description of the tables, stored beside the tree. `name` is for messages.
[[nodiscard]] TreeTables tablesOf(const RootContainer& container, const std::string& name,
                                  const TreeDescription& tree, const SchemaDocument& stored,
                                  const UnreadBranches& unread);

} // namespace kaon::root
