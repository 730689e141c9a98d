#pragma once

#include <atomic>
#include <cstdint>

namespace kaon {

class CollectionData;

/// An object: where it is. `data` is null for no object.
struct ObjectPlace {
  CollectionData* data = nullptr;
  std::uint32_t index = 0;
};

/// Where a collection is, shared by it and by all who refer to its objects: null once it is gone.
using Anchor = std::atomic<CollectionData*>;

} // namespace kaon
