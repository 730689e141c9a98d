#pragma once

#include <kaon/detail/object/CollectionData.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kaon::detail {

/// Sorts, removes and takes over objects of a collection; unless stated otherwise, one that is
/// being built. Relations to an object and its decorations follow it; handles do not, because they
/// denote a position. A relation to a removed object becomes unset; lists of the collection itself
/// lose it.
///
/// Relations of the collection itself are changed in place. Other collections refer to it through
/// its anchor. When objects move, a forwarder gets this anchor, with a table of the new places, and
/// the collection gets a new anchor. Moving is therefore cheap if nobody refers to the objects;
/// following a reference through a forwarder takes one more step.
class ObjectMover {
public:
  explicit ObjectMover(CollectionData& data) : m_data(data) {}

  /// Object i becomes the object now at order[i]; objects that `order` lacks are removed.
  void reorder(std::span<const std::uint32_t> order);
  /// Removes the objects from `objects` on.
  void truncate(std::size_t objects);
  void clear();
  /// Appends all objects of another collection of the same datatype, which is also being built.
  void absorb(CollectionData& other);
  /// Only for a collection in a file: relations to its objects then lead to those in `copy`, at the
  /// same index, even if the file's collection no longer exists.
  void leaveTo(CollectionData& copy);

private:
  void redirectOwn(std::span<const std::uint32_t> moved);
  void redirectList(const ObjectLayout::List& list, std::size_t object, std::uint32_t own,
                    std::span<const std::uint32_t> moved);
  [[nodiscard]] bool isReferredTo();
  void forwardReferrers(CollectionData& to, std::vector<std::uint32_t> moved);

  CollectionData& m_data;
};

} // namespace kaon::detail
