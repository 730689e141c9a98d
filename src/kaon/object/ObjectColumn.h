#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kaon {

/// A column of a collection in memory: where its values are, once these are there.
struct ObjectColumn {
  std::atomic<const std::byte*> base = nullptr;
  std::uint32_t stride = 0;
  /// How many columns, from this one on, lie to each other as the leaves do in the user's struct.
  std::uint32_t together = 1;
};

} // namespace kaon
