#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kaon {

class CollectionData;

namespace detail {
extern std::byte noObjects[]; // bytes, so that their address is known when a program is linked
}

/// The collection that stands for none: reading a member of an object of it is Error(usage), at no
/// cost for those of others.
[[nodiscard]] inline CollectionData* noObjects() noexcept {
  return reinterpret_cast<CollectionData*>(detail::noObjects);
}

/// An object: where it is. Without a collection it is no object.
struct ObjectPlace {
  CollectionData* data = noObjects(); ///< never null
  std::uint32_t row = 0;              ///< see CollectionData::rowOf()

  /// Its position in the collection.
  [[nodiscard]] std::uint32_t index() const noexcept;

  explicit operator bool() const noexcept { return data != noObjects(); }
};

/// Where a collection is, shared by it and by all who refer to its objects: null once it is gone.
using Anchor = std::atomic<CollectionData*>;

} // namespace kaon
