#pragma once

#include <kaon/batch/Source.h>
#include <kaon/io/ByteSource.h>

#include <memory>
#include <string>

namespace kaon {

/// Opens a file of any format by its bytes. Opens a file of tables through its opener, always with
/// the same id. Throws the errors of Format::open() and of the opener.
[[nodiscard]] std::shared_ptr<const File> openStored(const std::string& path,
                                                     std::unique_ptr<io::ByteSource> bytes,
                                                     const OpenOptions& options);

} // namespace kaon
