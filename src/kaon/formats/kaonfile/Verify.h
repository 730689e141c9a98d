#pragma once

#include <kaon/base/Tasks.h>
#include <kaon/batch/Verification.h>
#include <kaon/io/ByteSource.h>

namespace kaon::kaonfile {

/// Checks a whole .kaon file: each record, each page and the bytes between them, and that they
/// agree. Clusters are checked in parallel. Unfinished files, and files with a damaged index, are
/// checked as far as possible. Damage is in the findings. Throws Error(version) for other files,
/// Error(io) for unreadable ones. Thread-safe.
[[nodiscard]] Verification verify(const io::ByteSource& bytes, const Progress& progress = {});

} // namespace kaon::kaonfile
