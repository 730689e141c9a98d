#pragma once

#include <kaon/batch/Source.h>
#include <kaon/batch/Verification.h>
#include <kaon/io/ByteSource.h>

#include <memory>
#include <string>
#include <vector>

namespace kaon::kaonfile {

/// The sound part of a damaged file.
struct SalvagedPart {
  std::shared_ptr<const File> file;
  std::vector<std::string> keys; ///< that entries are sorted by
  Recovery report;
};

/// Opens the sound data of a .kaon file that may be damaged anywhere, and reports the others.
/// Compares the checksums of all pages. An entry is left out if one of its columns is damaged. A
/// collection, parameter or value is left out as a whole if fewer values are lost that way. Throws
/// Error(corrupt) if no record is sound.
[[nodiscard]] SalvagedPart openSalvaged(std::unique_ptr<io::ByteSource> bytes,
                                        const OpenOptions& options = {});

} // namespace kaon::kaonfile
