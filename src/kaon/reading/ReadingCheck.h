#pragma once

#include <kaon/base/Tasks.h>
#include <kaon/batch/Source.h>
#include <kaon/batch/Verification.h>

namespace kaon {

/// Reads every value of a file of any format, and thus runs all checks of its readers. Returns a
/// finding for each column and cluster that cannot be read. Each column of a batch counts as one
/// page. For one thread at a time.
[[nodiscard]] Verification checkByReading(const File& file, const Progress& progress = {});

} // namespace kaon
