#pragma once

#include <kaon/formats/root/tree/Shapes.h>
#include <kaon/formats/root/tree/TreeDescription.h>
#include <kaon/formats/root/tree/Unit.h>

#include <vector>

namespace kaon::root {

/// Whether a branch has baskets of its own, judging by its kind.
[[nodiscard]] bool hasData(const BranchDescription& branch) noexcept;

/// The units of a branch's leaves (a TBranch), one each. All throw Error(version) for what is not
/// read. Slots and counters are for the caller to set.
[[nodiscard]] std::vector<Unit> unitsOfLeaves(const BranchDescription& branch);

/// The unit of a TBranchObject: each value is an object of a class, behind its name.
[[nodiscard]] Unit unitOfObject(const BranchDescription& branch, Shapes& shapes);

/// The unit of a TBranchElement that holds a member of a class, or whole values of a type.
[[nodiscard]] Unit unitOfElement(const BranchDescription& branch, Shapes& shapes);

/// The unit of the counts of a split collection.
[[nodiscard]] Unit unitOfCounts(const BranchDescription& branch);

} // namespace kaon::root
