#pragma once

#include <kaon/base/Progress.h>
#include <kaon/batch/Source.h>
#include <kaon/batch/Verification.h>

namespace kaon {

/// Reads every value of a file, whatever its format, which checks what its readers check. What
/// cannot be read is a finding for each column and cluster; pages are runs of entries that were
/// read. For one thread at a time.
[[nodiscard]] Verification checkByReading(const File& file, const Progress& progress = {});

} // namespace kaon
