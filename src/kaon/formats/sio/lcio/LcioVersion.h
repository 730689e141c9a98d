#pragma once

#include <kaon/formats/sio/SioParameters.h>
#include <kaon/formats/sio/SioRecord.h>

#include <cstdint>
#include <span>

namespace kaon::sio::lcio {

/// kaon reads blocks of versions from the first one up to, but not including, the second one.
inline constexpr std::uint32_t firstVersion = blockVersion(0, 9), endVersion = blockVersion(3, 0);

/// The version that kaon writes.
inline constexpr std::uint32_t writtenVersion = blockVersion(2, 23);

/// Returns the maps of parameters in blocks of a version.
[[nodiscard]] constexpr std::span<const ParameterType> parametersOf(std::uint32_t version) {
  if (version > blockVersion(2, 16))
    return lcioParameters;
  if (version > blockVersion(1, 1))
    return oldLcioParameters;
  return noLcioParameters;
}

} // namespace kaon::sio::lcio
