#pragma once

#include <kaon/batch/Source.h>

#include <string>

namespace kaon::kaonfile {

/// Returns the mistake in the sorted keys of a source, or "". Each of their clusters must be
/// sorted, and they must contain each entry exactly once. Throws Error(corrupt) for unreadable
/// data, and Error(usage) for entries with no or several values of a key.
[[nodiscard]] std::string mistakeIn(const Source& sorted, const Source& source);

} // namespace kaon::kaonfile
