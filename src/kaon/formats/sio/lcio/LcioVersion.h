#pragma once

#include <kaon/formats/sio/Parameters.h>
#include <kaon/formats/sio/Record.h>

#include <cstdint>
#include <span>

namespace kaon::sio::lcio {

/// Blocks of these versions are read, from the first one on and below the second.
inline constexpr std::uint32_t firstVersion = blockVersion(2, 0), endVersion = blockVersion(3, 0);

/// The version that is written.
inline constexpr std::uint32_t writtenVersion = blockVersion(2, 23);

/// The maps of parameters that blocks of a version have.
[[nodiscard]] constexpr std::span<const ParameterType> parametersOf(std::uint32_t version) {
  if (version > blockVersion(2, 16))
    return lcioParameters;
  return oldLcioParameters;
}

} // namespace kaon::sio::lcio
