#pragma once

#include <kaon/model/StorageRules.h>
#include <kaon/writing/BatchBuilder.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon {

/// Checks that each frame has all tags and keys: a frame without one would silently get a zero. For
/// one thread at a time.
class UsesCheck {
public:
  /// The rules must outlive this object.
  explicit UsesCheck(const detail::StorageRules& rules) : m_rules(rules) {}

  /// Throws Error(usage) if the frame being gathered lacks a tag or key, or if a collection with a
  /// key does not have exactly one object.
  void check(const detail::BatchBuilder& builder);

private:
  void findKeyCollections(const Schema& schema);

  const detail::StorageRules& m_rules;
  struct KeyCollection {
    std::string key;
    TableNumber table;
  };
  std::vector<KeyCollection> m_keyCollections;
  std::uint32_t m_searchedTables = 0; // for key collections
};

} // namespace kaon
