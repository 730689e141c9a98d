#pragma once

#include <kaon/batch/Source.h>
#include <kaon/io/ByteSource.h>

#include <memory>

namespace kaon::sio {

/// Opens a SIO file of LCIO or podio. The models of its collections become documents. Complete
/// records of truncated files are read, with a warning. Throws Error(corrupt), Error(version),
/// Error(io).
[[nodiscard]] std::unique_ptr<File> openSioFile(std::unique_ptr<io::ByteSource> bytes,
                                                const OpenOptions& options);

} // namespace kaon::sio
