#pragma once

#include <kaon/base/Tasks.h>
#include <kaon/batch/Source.h>
#include <kaon/codec/Codec.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon {

/// The bytes that a member would save if fewer bits of its mantissas were kept.
struct PrecisionTrial {
  TableNumber table = 0;
  MemberNumber member = 0;
  std::string name;             ///< "MCParticles.mass"
  unsigned bits = 0;            ///< explicit bits of the mantissa that are kept
  std::uint64_t savedBytes = 0; ///< of the column's stored bytes, estimated
};

/// Rounds and encodes some pages of each column of floats again, in parallel: of the first, the
/// middle and the last cluster. Skips members that are already rounded as coarsely. Any thread.
[[nodiscard]] std::vector<PrecisionTrial> tryPrecision(const Source& source, Compression codec,
                                                       const std::vector<unsigned>& bits,
                                                       const Progress& progress = {});

/// Returns the codec of most bytes of a category, with a usual level; no codec if it is
/// uncompressed. Files do not store the level that they were written with.
[[nodiscard]] Compression codecOf(const Source& source);

} // namespace kaon
