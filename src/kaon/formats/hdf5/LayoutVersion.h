#pragma once

#include <cstdint>

namespace kaon::hdf5 {

/// The attribute of the root group by which a file is known to be kaon's, and the version of the
/// layout that docs/hdf5-files.md describes.
inline constexpr const char* layoutAttribute = "kaon_layout";
inline constexpr std::uint64_t layoutVersion = 1;

} // namespace kaon::hdf5
