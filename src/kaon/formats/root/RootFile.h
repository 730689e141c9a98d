#pragma once

#include <kaon/batch/Source.h>
#include <kaon/io/ByteSource.h>

#include <memory>

namespace kaon::root {

/// Opens one of ROOT's files. Its categories are the RNTuples and trees in it, by their paths, such
/// as "a/b/Events": of several cycles the newest one. "Events;2" is an older one. What they contain
/// is read when they are first asked for. Those of files that podio wrote are frames. Throws
/// Error(corrupt), Error(io).
[[nodiscard]] std::unique_ptr<File> openRootFile(std::unique_ptr<io::ByteSource> bytes,
                                                 const OpenOptions& options);

} // namespace kaon::root
