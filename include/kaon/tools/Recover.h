#pragma once

#include <kaon/base/Progress.h>
#include <kaon/batch/Recovery.h>

#include <string>

namespace kaon {

/// Writes the sound data of a damaged .kaon file to a new one, and reports the others: see
/// openDamaged(). Codec, layouts, tags and keys stay. The file appears at `out` when it is
/// complete. Throws Error(corrupt) if nothing is sound, and Error(usage) if `out` is the file or no
/// .kaon file.
Recovery recover(const std::string& in, const std::string& out, const Progress& progress = {});

} // namespace kaon
