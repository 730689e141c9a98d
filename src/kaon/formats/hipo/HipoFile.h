#pragma once

#include <kaon/batch/Source.h>
#include <kaon/io/ByteSource.h>

#include <memory>

namespace kaon::hipo {

/// Opens a HIPO file of version 4 to 6. Its user configuration is the document "metadata". Complete
/// records of truncated or unfinished files are read, with a warning. Throws Error(corrupt),
/// Error(version), Error(io).
[[nodiscard]] std::unique_ptr<File> openHipoFile(std::unique_ptr<io::ByteSource> bytes,
                                                 const OpenOptions& options);

} // namespace kaon::hipo
