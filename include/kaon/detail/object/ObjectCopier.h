#pragma once

#include <kaon/detail/object/CollectionData.h>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace kaon::detail {

/// Adds a copy of an object to a collection of its datatype that is being built, with or without
/// its relations; returns its index.
std::uint32_t copyObject(ObjectLocator from, CollectionData& to, bool withRelations);

/// Copies objects with all their data, also from files. Relations among copied objects point to the
/// copies; all other relations are unchanged.
class ObjectCopier {
public:
  /// Adds a copy of an object to a collection of its datatype. Copies of one collection's objects
  /// must go to the same collection.
  void copy(ObjectLocator from, CollectionData& to);
  void copyAll(const CollectionData& from, CollectionData& to);
  /// Makes relations to objects of `from` point to the objects of `to` at the same positions.
  void redirect(const CollectionData& from, CollectionData& to);
  /// Copies relations and decorations. Call it after all objects are copied.
  void relate();

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Copies {
    CollectionData* to = nullptr;
    std::vector<std::uint32_t> indices; ///< of the copies, by the object's; empty: identical
  };
  [[nodiscard]] ObjectLocator copyOf(ObjectLocator object) const;
  static void copyDecorations(const CollectionData& from, const Copies& copies);

  std::unordered_map<const CollectionData*, Copies> m_copies;
};

} // namespace kaon::detail
