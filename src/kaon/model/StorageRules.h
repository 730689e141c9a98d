#pragma once

#include <kaon/model/Schema.h>
#include <kaon/model/Storage.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::detail {

/// By which a writer decides how tables are to lie; what is not set lies as its model or file says.
struct StorageRules {
  Storage all = {}; ///< of all collections; layout and group
  /// Of single ones, by name; of parameters and values, too, though only their precision.
  std::map<std::string, Storage, std::less<>> storage = {};
  std::map<std::string, TableUse, std::less<>> uses = {}; ///< of parameters with one value an event

  /// Lets the tables of one collection, parameter or value, the first of them, lie so. Throws
  /// Error(name) for a member that there is not, Error(usage) for what does not fit.
  void apply(std::vector<TableDefinition>& tables) const;
  [[nodiscard]] TableUse useOf(std::string_view parameter) const;
};

/// Tables as the rules want them; they keep their numbers.
[[nodiscard]] Schema schemaBy(const StorageRules& rules, const Schema& schema);

} // namespace kaon::detail
