#include <kaon/dataset/FilesMatching.h>

#include <kaon/base/Error.h>
#include <kaon/files/Urls.h>

#include <glob.h>

#include <filesystem>
#include <memory>

namespace kaon {

std::vector<std::string> filesMatching(const std::string& pattern) {
  std::error_code unknown;
  if (pattern.find_first_of("*?[") == std::string::npos ||
      isUrl(pattern) || // In URLs, ? begins a query.
      std::filesystem::exists(pattern, unknown))
    return {pattern};
  glob_t result{};
  const int status = ::glob(pattern.c_str(), 0, nullptr, &result);
  const std::unique_ptr<glob_t, void (*)(glob_t*)> release(&result, ::globfree);
  if (status != 0)
    fail(ErrorKind::missing, pattern, ": no file matches this pattern");
  return {result.gl_pathv, result.gl_pathv + result.gl_pathc};
}

} // namespace kaon
