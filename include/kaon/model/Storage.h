#pragma once

#include <kaon/model/Datatype.h>
#include <kaon/model/Table.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kaon {

/// How a collection is stored in a file: by a model for a datatype, or by a writer's options for
/// one or all collections. Fields without a value change nothing.
struct Storage {
  std::optional<Layout> layout = {};
  /// Collections of the same group are stored together, entry by entry, unless their layout is
  /// split.
  std::optional<std::string> group = {};
  /// The precision of float members, by name: "energy". "momentum" stands for "momentum.x" and so
  /// on. Elements of a vector member have names like "hits.time", or "weights" if they are bare
  /// values.
  std::map<std::string, Precision, std::less<>> precision = {};
};

namespace detail {

/// Returns the storage that a model requests.
[[nodiscard]] Storage storageOf(const DatatypeStorage& storage);

/// Applies the storage to the tables of one collection. Throws Error(name), with a suggestion, for
/// an unknown member, and Error(usage) for a precision that does not fit.
void apply(const Storage& storage, std::vector<TableDefinition>& tables);

} // namespace detail

} // namespace kaon
