#pragma once

#include <kaon/batch/Source.h>
#include <kaon/io/ByteSource.h>

#include <memory>
#include <string>

namespace kaon {

/// Opens a file of any format by its bytes, and one of tables by what its opener makes of its path:
/// however often that is, it is the file of one id. Throws as Format::open() and the opener do.
[[nodiscard]] std::shared_ptr<const File> openStored(const std::string& path,
                                                     std::unique_ptr<io::ByteSource> bytes,
                                                     const OpenOptions& options);

} // namespace kaon
