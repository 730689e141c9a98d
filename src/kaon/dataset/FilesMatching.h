#pragma once

#include <string>
#include <vector>

namespace kaon {

/// Returns the files that match a shell pattern, sorted by name. The name of an existing file, and
/// a URL, are returned unchanged. Throws Error(missing) if no file matches a pattern.
[[nodiscard]] std::vector<std::string> filesMatching(const std::string& pattern);

} // namespace kaon
