#pragma once

#include <cstdint>

namespace kaon::hdf5 {

/// The attribute of the root group that marks kaon's files. Its value is the version of the layout
/// in docs/hdf5-files.md.
inline constexpr const char* layoutAttribute = "kaon_layout";
inline constexpr std::uint64_t layoutVersion = 1;

} // namespace kaon::hdf5
