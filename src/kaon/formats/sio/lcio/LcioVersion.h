#pragma once

#include <kaon/formats/sio/Parameters.h>
#include <kaon/formats/sio/Record.h>

#include <cstdint>
#include <span>

namespace kaon::sio::lcio {

/// kaon reads blocks of versions from the first one up to, but not including, the second one.
inline constexpr std::uint32_t firstVersion = blockVersion(2, 0), endVersion = blockVersion(3, 0);

/// The version that kaon writes.
inline constexpr std::uint32_t writtenVersion = blockVersion(2, 23);

/// Returns the maps of parameters in blocks of a version.
[[nodiscard]] constexpr std::span<const ParameterType> parametersOf(std::uint32_t version) {
  if (version > blockVersion(2, 16))
    return lcioParameters;
  return oldLcioParameters;
}

} // namespace kaon::sio::lcio
