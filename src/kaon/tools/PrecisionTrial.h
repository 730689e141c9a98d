#pragma once

#include <kaon/base/Progress.h>
#include <kaon/batch/Source.h>
#include <kaon/codec/Codec.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon {

/// What a member would take if fewer bits of its mantissas were kept.
struct PrecisionTrial {
  std::uint32_t table = 0;
  std::uint32_t member = 0;
  std::string name;             ///< "MCParticles.mass"
  unsigned bits = 0;            ///< that are kept, explicit ones
  std::uint64_t savedBytes = 0; ///< of the column's stored ones, estimated
};

/// Rounds and encodes anew, in parallel, some pages of each column of floats: of the first, the
/// middle and the last cluster. Those that are rounded as coarsely already are left out. Any
/// thread.
[[nodiscard]] std::vector<PrecisionTrial> tryPrecision(const Source& source, Compression codec,
                                                       const std::vector<unsigned>& bits,
                                                       const Progress& progress = {});

/// The codec that most bytes of a category are shrunk by, at a usual level; none if it is
/// uncompressed. Files do not say by which level they were written.
[[nodiscard]] Compression codecOf(const Source& source);

} // namespace kaon
