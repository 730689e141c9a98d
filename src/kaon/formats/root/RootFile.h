#pragma once

#include <kaon/batch/Source.h>
#include <kaon/io/ByteSource.h>

#include <memory>

namespace kaon::root {

/// Opens a ROOT file. Its categories are its RNTuples and trees, named by their paths, such as
/// "a/b/Events". The plain path means the newest cycle; "Events;2" is an older one. Categories are
/// read when they are first requested. Files that podio wrote appear as frames. Throws
/// Error(corrupt), Error(io).
[[nodiscard]] std::unique_ptr<File> openRootFile(std::unique_ptr<io::ByteSource> bytes,
                                                 const OpenOptions& options);

} // namespace kaon::root
