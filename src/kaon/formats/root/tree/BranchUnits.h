#pragma once

#include <kaon/formats/root/tree/Shapes.h>
#include <kaon/formats/root/tree/TreeDescription.h>
#include <kaon/formats/root/tree/Unit.h>

#include <optional>
#include <vector>

namespace kaon::root {

/// Whether a branch has its own baskets, judging by its kind.
[[nodiscard]] bool hasData(const BranchDescription& branch) noexcept;

/// Returns the units of a branch's leaves (a TBranch), one for each. Only a single leaf can have no
/// fixed size. All functions throw Error(version) for types that are not read. The caller must set
/// slots and counters.
[[nodiscard]] std::vector<Unit> unitsOfLeaves(const BranchDescription& branch);

/// Returns the unit of a branch with several leaves, where some have no fixed size: arrays that
/// other leaves count, and texts, as in "n/I:x[n]/F:s/C". Its values are records. Returns nothing
/// for other branches.
[[nodiscard]] std::optional<Unit> unitOfVariableLeaves(const BranchDescription& branch);

/// Returns the unit of a TBranchObject. Each value is the name of a class and an object.
[[nodiscard]] Unit unitOfObject(const BranchDescription& branch, Shapes& shapes);

/// Returns the unit of a TBranchElement, which holds a member of a class or whole values of a type.
[[nodiscard]] Unit unitOfElement(const BranchDescription& branch, Shapes& shapes);

/// Returns the unit of the counts of a split collection.
[[nodiscard]] Unit unitOfCounts(const BranchDescription& branch);

} // namespace kaon::root
