#pragma once

#include <string>
#include <vector>

namespace kaon {

/// The files that a pattern means, as a shell's, in the order of their names; or the one that is
/// called so, or a URL. Throws Error(missing) for a pattern that no file matches.
[[nodiscard]] std::vector<std::string> filesMatching(const std::string& pattern);

} // namespace kaon
