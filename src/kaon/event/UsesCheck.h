#pragma once

#include <kaon/batch/BatchBuilder.h>
#include <kaon/model/StorageRules.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon {

/// Tags and keys are in every frame: one that lacks them would silently get a zero. For one thread
/// at a time.
class UsesCheck {
public:
  /// The rules outlive it.
  explicit UsesCheck(const StorageRules& rules) : m_rules(rules) {}

  /// Throws Error(usage) if the frame that is being gathered lacks one, or has not just one object
  /// of a collection of which a member is a key.
  void check(const BatchBuilder& builder);

private:
  void findKeyCollections(const Schema& schema);

  const StorageRules& m_rules;
  struct KeyCollection {
    std::string key;
    std::uint32_t table;
  };
  std::vector<KeyCollection> m_keyCollections;
  std::uint32_t m_searchedTables = 0; // for such
};

} // namespace kaon
