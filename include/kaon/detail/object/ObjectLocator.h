#pragma once

#include <kaon/detail/base/Memory.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kaon::detail {

class CollectionData;

extern std::byte bytesOfNoObjects[]; // bytes, so that the linker fixes their address

/// Returns the collection that stands for "no object". Reading a member in it throws Error(usage),
/// without any cost for reading real objects.
[[nodiscard]] inline CollectionData* noObjects() noexcept {
  return detail::valuesAt<CollectionData>(bytesOfNoObjects);
}

/// The place of an object; without a collection it is no object.
struct ObjectLocator {
  CollectionData* data = noObjects(); ///< never null
  std::uint32_t row = 0;              ///< see CollectionData::rowOf()

  /// Returns its position in the collection.
  [[nodiscard]] std::uint32_t index() const noexcept;

  explicit operator bool() const noexcept { return data != noObjects(); }
};

/// The address of a collection, shared by it and by all references to its objects; null once the
/// collection no longer exists.
using Anchor = std::atomic<CollectionData*>;

} // namespace kaon::detail
