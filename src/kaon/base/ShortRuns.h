#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace kaon {

/// What memory has to have behind the runs that are appended to it.
inline constexpr std::size_t shortRunRoom = 16;

/// Appends bytes [begin, end) of some memory to what ends at `out`, where there is room for so many
/// and for shortRunRoom; tells where they end. Quicker than std::memcpy for runs of a few bytes, of
/// which no two have the same length.
[[nodiscard]] inline std::byte* appendRun(std::span<const std::byte> memory, std::size_t begin,
                                          std::size_t end, std::byte* out) noexcept {
  const std::size_t size = end - begin;
  if (memory.size() - begin >= shortRunRoom) [[likely]] {
    std::memcpy(out, memory.data() + begin, shortRunRoom);
    if (size > shortRunRoom)
      std::memcpy(out + shortRunRoom, memory.data() + begin + shortRunRoom, size - shortRunRoom);
  } else if (size > 0) {
    std::memcpy(out, memory.data() + begin, size);
  }
  return out + size;
}

} // namespace kaon
