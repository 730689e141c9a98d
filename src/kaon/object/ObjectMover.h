#pragma once

#include <kaon/object/CollectionData.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kaon {

/// Sorts, removes and takes over the objects of a collection that is being built, where nothing
/// else is said. Relations to an object and its decorations follow it; handles do not: they mean a
/// position. A relation to an object that is removed leads to nothing; lists of the collection
/// itself lose it.
///
/// Relations of the collection itself are changed where they stand. Others lead to it through its
/// anchor, which is left to a forwarder, with a table of where each object went, and the collection
/// takes a new one. So moving costs nothing where nobody refers to the objects, and following them
/// costs one step more.
class ObjectMover {
public:
  explicit ObjectMover(CollectionData& data) : m_data(data) {}

  /// Object i becomes the one that is at order[i] now; those that do not occur are removed.
  void reorder(std::span<const std::uint32_t> order);
  /// Removes the objects from `objects` on.
  void truncate(std::size_t objects);
  void clear();
  /// Takes over all objects of another collection of the same datatype that is being built, behind
  /// the own ones.
  void absorb(CollectionData& other);
  /// Of a collection that lies in a file: whoever is related to one of its objects finds that in
  /// `copy` from now on, at the same index, even if the file's collection goes.
  void leaveTo(CollectionData& copy);

private:
  void redirectOwn(std::span<const std::uint32_t> moved);
  void redirectList(const ObjectLayout::List& list, std::size_t object, std::uint32_t own,
                    std::span<const std::uint32_t> moved);
  [[nodiscard]] bool isReferredTo();
  void forwardReferrers(CollectionData& to, std::vector<std::uint32_t> moved);

  CollectionData& m_data;
};

} // namespace kaon
