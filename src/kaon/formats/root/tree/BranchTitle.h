#pragma once

#include <kaon/formats/root/Documentation.h>
#include <kaon/formats/root/tree/BranchPlan.h>
#include <kaon/formats/root/tree/TreeDescription.h>
#include <kaon/model/Schema.h>

#include <string>
#include <vector>

namespace kaon::root {

// The title of a branch describes its values, as in NanoAOD. Without a description it is the list
// of the leaves, "x[3]/F:y/I", or the name, as in ROOT. Branches with several leaves have "of the
// beam; energy: of each particle [GeV]; on: or not".

/// Returns "" if the tables have no description.
[[nodiscard]] std::string titleOf(const BranchPlan& branch, const Schema& schema);

/// Returns the description in a branch's title. Empty if the title is a list of leaves or a name.
[[nodiscard]] Documentation documentationOf(const BranchDescription& branch);

/// Returns the description of each of several leaves.
[[nodiscard]] std::vector<Documentation> documentationOfLeaves(const BranchDescription& branch);

} // namespace kaon::root
