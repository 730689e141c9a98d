#pragma once

#include <kaon/formats/root/Documentation.h>
#include <kaon/formats/root/tree/BranchPlan.h>
#include <kaon/formats/root/tree/TreeDescription.h>
#include <kaon/model/Schema.h>

#include <string>
#include <vector>

namespace kaon::root {

// The title of a branch says what it holds, as in NanoAOD; where there is nothing to say it is the
// list of the leaves, "x[3]/F:y/I", or the name, as ROOT makes it. Of a branch with several leaves
// it is "of the beam; energy: of each particle [GeV]; on: or not".

/// "" where tables say nothing.
[[nodiscard]] std::string titleOf(const BranchPlan& branch, const Schema& schema);

/// What a title says of the branch; nothing where it is a list of leaves or a name.
[[nodiscard]] Documentation documentationOf(const BranchDescription& branch);

/// What it says of each of several leaves.
[[nodiscard]] std::vector<Documentation> documentationOfLeaves(const BranchDescription& branch);

} // namespace kaon::root
