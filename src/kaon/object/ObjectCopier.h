#pragma once

#include <kaon/object/CollectionData.h>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace kaon {

/// Adds a copy of an object to a collection of its datatype that is being built, with its relations
/// or without; returns its index.
std::uint32_t copyObject(ObjectPlace from, CollectionData& to, bool withRelations);

/// Copies objects with all that they have, those of files too. Relations among the objects that are
/// copied lead to the copies, all others to where they led before.
class ObjectCopier {
public:
  /// Adds a copy of an object to a collection of its datatype. Copies of one collection's objects
  /// go to one collection.
  void copy(ObjectPlace from, CollectionData& to);
  void copyAll(const CollectionData& from, CollectionData& to);
  /// Relations to objects of `from` are to lead to those of `to` at the same places.
  void redirect(const CollectionData& from, CollectionData& to);
  /// When all is copied: relations and decorations.
  void relate();

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Copies {
    CollectionData* to = nullptr;
    std::vector<std::uint32_t> indices; ///< of the copies, by the object's; empty: the same ones
  };
  [[nodiscard]] ObjectPlace copyOf(ObjectPlace object) const;
  static void copyDecorations(const CollectionData& from, const Copies& copies);

  std::unordered_map<const CollectionData*, Copies> m_copies;
};

} // namespace kaon
