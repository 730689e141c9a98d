#pragma once

#include <kaon/formats/root/container/Container.h>
#include <kaon/formats/root/tree/TreeDescription.h>
#include <kaon/formats/root/tree/TreeTables.h>
#include <kaon/model/SchemaDocument.h>

#include <map>
#include <string>

namespace kaon::root {

/// Why branches cannot be read, as their values show.
using UnreadBranches = std::map<const BranchDescription*, std::string>;

/// Makes the tables of a tree. A branch of numbers is a value table; branches with one counter are
/// one collection, and so are the members of a split one; a vector of numbers is a parameter, lists
/// in it are tables under it; without OpenOptions::group, arrays with one counter are parameters
/// each; a split object is a value with the members of fixed size, and tables under it. Branches
/// that are not read, those of `unread` and others, are named with the reason. `stored` is what
/// kaon wrote of the tables beside the tree; `name` is for messages.
[[nodiscard]] TreeTables tablesOf(const Container& container, const std::string& name,
                                  const TreeDescription& tree, const SchemaDocument& stored,
                                  const UnreadBranches& unread);

} // namespace kaon::root
