#pragma once

#include <kaon/base/Progress.h>
#include <kaon/batch/Verification.h>
#include <kaon/io/ByteSource.h>

namespace kaon::store {

/// Checks all that can be checked of a .kaon file: that each record, page and byte between them is
/// what it is said to be, and that all of it agrees. Clusters are checked in parallel. Of a file
/// that is not finished, or of which the index is damaged, whatever is there is checked. Throws
/// Error(version) if it is no kaon file, Error(io) if it cannot be read; damage is in the findings.
/// Any thread.
[[nodiscard]] Verification verify(const io::ByteSource& bytes, const Progress& progress = {});

} // namespace kaon::store
