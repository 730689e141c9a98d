#pragma once

#include <kaon/batch/Recovery.h>
#include <kaon/batch/Source.h>
#include <kaon/io/ByteSource.h>

#include <memory>
#include <string>

namespace kaon {

/// The sound data of a damaged file, and a report of the others.
struct DamagedFile {
  std::shared_ptr<const File> file;
  Recovery report;
};

/// Opens a .kaon file that may be damaged anywhere, like open(), and checks all its pages. The
/// result has only sound data. An entry is left out if one of its columns is damaged; the others
/// are numbered from 0. A collection, parameter or value is left out as a whole if fewer values are
/// lost that way. Lost values are never replaced.
///
/// Throws Error(corrupt) if nothing is sound. Throws Error(usage) for files of other formats.
[[nodiscard]] DamagedFile openDamaged(const std::string& path, const OpenOptions& options = {});
[[nodiscard]] DamagedFile openDamaged(std::unique_ptr<io::ByteSource> bytes,
                                      const OpenOptions& options = {});

} // namespace kaon
