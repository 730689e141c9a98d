#pragma once

#include <kaon/base/Error.h>

#include <glob.h>

#include <string>
#include <vector>

namespace podio::utils {

[[nodiscard]] inline bool is_glob_pattern(const std::string& text) {
  return text.find_first_of("*?[") != std::string::npos;
}

/// Returns the paths that match a pattern, in order; a path that is no pattern stays as it is.
/// Throws kaon::Error(missing) if no file matches.
[[nodiscard]] inline std::vector<std::string> expand_glob(const std::string& pattern) {
  if (!is_glob_pattern(pattern))
    return {pattern};
  glob_t found{};
  if (::glob(pattern.c_str(), 0, nullptr, &found) != 0) {
    ::globfree(&found);
    kaon::fail(kaon::ErrorKind::missing, "no file matches '", pattern, "'");
  }
  std::vector<std::string> paths(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  return paths;
}

} // namespace podio::utils
