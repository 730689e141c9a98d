#pragma once

#include <kaon/model/Datatype.h>
#include <kaon/model/Table.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kaon {

/// How a collection is to lie in a file: what a model says of a datatype, or a writer's options of
/// a collection or of all. What is not set stays as it is.
struct Storage {
  std::optional<Layout> layout = {};
  /// Collections of the same group, if they are not split, lie together entry by entry.
  std::optional<std::string> group = {};
  /// Of float members, by name: "energy"; "momentum" stands for all of "momentum.x" and so on;
  /// those of a vector member's elements are called "hits.time", or "weights" where they are bare.
  std::map<std::string, Precision, std::less<>> precision = {};
};

namespace detail {

/// What a model says.
[[nodiscard]] Storage storageOf(const DatatypeStorage& storage);

/// Lets the tables of one collection lie so. Throws Error(name), with a suggestion, for a member
/// that there is not, Error(usage) for a precision that does not fit.
void apply(const Storage& storage, std::vector<TableDefinition>& tables);

} // namespace detail

} // namespace kaon
