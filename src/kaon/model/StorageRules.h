#pragma once

#include <kaon/model/Datatype.h>
#include <kaon/model/Schema.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::detail {

/// Returns the storage that a model requests.
[[nodiscard]] Storage storageOf(const DatatypeStorage& storage);

/// Applies the storage to the tables of one collection. Throws Error(name), with a suggestion, for
/// an unknown member, and Error(usage) for a precision that does not fit.
void apply(const Storage& storage, std::vector<TableDefinition>& tables);

/// The rules by which a writer lays out tables. Without a rule, tables keep the layout of their
/// model or file.
struct StorageRules {
  Storage all = {}; ///< for all collections; only layout and group
  /// For single collections, by name. For parameters and values, only the precision applies.
  std::map<std::string, Storage, std::less<>> storage = {};
  /// Of parameters with one value per event.
  std::map<std::string, TableUse, std::less<>> uses = {};

  /// Applies the rules to the tables of one collection, parameter or value, its own table first.
  /// Throws Error(name) for an unknown member, and Error(usage) for rules that do not fit.
  void apply(std::vector<TableDefinition>& tables) const;
  [[nodiscard]] TableUse useOf(std::string_view parameter) const;
};

/// Returns the tables as laid out by the rules, with the same numbers.
[[nodiscard]] Schema schemaBy(const StorageRules& rules, const Schema& schema);

} // namespace kaon::detail
