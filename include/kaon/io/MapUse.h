#pragma once

#include <cstdint>
#include <string_view>

namespace kaon {

/// Whether reading maps a file of the file system into memory, which is faster than copying its
/// bytes. Either way, reading a file that was cut or overwritten since it was opened is an error.
enum class MapUse : std::uint8_t {
  automatic, ///< Maps files unless they are on a network file system, where maps are slow.
  always,    ///< Maps files on network file systems, too.
  never      ///< Copies all bytes.
};

/// Returns the value of this name: "auto", "always" or "never". Throws Error(name) with a
/// suggestion.
[[nodiscard]] MapUse mapUseNamed(std::string_view name);

} // namespace kaon
