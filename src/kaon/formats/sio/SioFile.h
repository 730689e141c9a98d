#pragma once

#include <kaon/batch/Source.h>
#include <kaon/io/ByteSource.h>

#include <memory>

namespace kaon::sio {

/// Opens a SIO file of LCIO or of podio, with the models of its collections as documents. Of one
/// that was cut whole records are read, with a warning. Throws Error(corrupt), Error(version),
/// Error(io).
[[nodiscard]] std::unique_ptr<File> openSioFile(std::unique_ptr<io::ByteSource> bytes,
                                                const OpenOptions& options);

} // namespace kaon::sio
