#pragma once

#include <kaon/detail/base/Memory.h>
#include <kaon/formats/hipo/Words.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace kaon::hipo {

/// The contents of structures. The values are those in files.
enum class StructureType : std::uint8_t {
  int8 = 1,
  int16 = 2,
  int32 = 3,
  float32 = 4,
  float64 = 5,
  text = 6,
  int64 = 8,
  composite = 10,
  bank = 11
};

inline constexpr std::size_t eventHeaderBytes = 16;
inline constexpr std::size_t tagPlace = 8, maskPlace = 12; // in the header of an event
inline constexpr std::size_t structureHeaderBytes = 8;
inline constexpr std::uint32_t mostStructureBytes = 0xFFFFFF;

/// Structures are identified by group and item. The key combines both in one number, in the byte
/// order of files.
[[nodiscard]] constexpr std::uint32_t structureKey(std::uint32_t group,
                                                   std::uint32_t item) noexcept {
  return group | item << 16;
}
[[nodiscard]] constexpr std::uint32_t groupOf(std::uint32_t key) noexcept { return key & 0xFFFF; }
[[nodiscard]] constexpr std::uint32_t itemOf(std::uint32_t key) noexcept { return key >> 16; }

/// A structure in an event: its data, after a format for composites.
struct Structure {
  std::uint32_t key = 0;
  std::uint8_t type = 0;
  std::string_view format;
  const std::byte* data = nullptr;
  std::uint32_t bytes = 0; ///< of the data
  [[nodiscard]] std::string_view text() const noexcept {
    return {detail::valuesAt<char>(data), bytes};
  }
};

/// Calls `use(structure)` for each structure of an event. Returns false if one exceeds the event.
template <bool isSwapped, class Use>
[[nodiscard]] bool forStructures(std::span<const std::byte> event, const Use& use) {
  const std::byte* next = event.data() + eventHeaderBytes;
  const std::byte* const end = event.data() + event.size();
  while (end - next >= static_cast<std::ptrdiff_t>(structureHeaderBytes)) {
    const auto group = loadWord<std::uint16_t>(next, isSwapped);
    const auto lengths = loadWord<std::uint32_t>(next + 4, isSwapped);
    const std::uint32_t bytes = lengths & mostStructureBytes, formatBytes = lengths >> 24;
    const auto* const begin = next + structureHeaderBytes;
    if (bytes > static_cast<std::size_t>(end - begin) || formatBytes > bytes)
      return false;
    use(Structure{structureKey(group, static_cast<std::uint8_t>(next[2])),
                  static_cast<std::uint8_t>(next[3]),
                  {detail::valuesAt<char>(begin), formatBytes},
                  begin + formatBytes,
                  bytes - formatBytes});
    next = begin + bytes;
  }
  return true;
}

template <class Use>
[[nodiscard]] bool forStructures(std::span<const std::byte> event, bool isSwapped, const Use& use) {
  return isSwapped ? forStructures<true>(event, use) : forStructures<false>(event, use);
}

} // namespace kaon::hipo
