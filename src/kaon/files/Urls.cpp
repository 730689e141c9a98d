#include <kaon/files/Urls.h>

#include <kaon/base/Error.h>
#include <kaon/io/HttpSource.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace kaon {
namespace {

/// Returns the protocol that a path begins with, or "".
std::string_view protocolOf(std::string_view path) noexcept {
  const std::size_t end = std::min(path.find("://"), path.find("::")); // also zip::https://...
  if (end == std::string_view::npos || end == 0)
    return {};
  const std::string_view protocol = path.substr(0, end);
  const auto isPart = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '+' || c == '.' || c == '-';
  };
  const bool isOne = std::isalpha(static_cast<unsigned char>(protocol.front())) != 0 &&
                     std::ranges::all_of(protocol, isPart);
  return isOne ? protocol : std::string_view{};
}

} // namespace

RegisteredOpener& urlOpener() {
  static RegisteredOpener opener;
  return opener;
}

bool isUrl(const std::string& path) {
  std::error_code ignored;
  return !protocolOf(path).empty() && !std::filesystem::exists(path, ignored);
}

std::unique_ptr<io::ByteSource> bytesAtUrl(const std::string& url, const OpenOptions& options) {
  if (const auto opener = urlOpener().get())
    return (*opener)(url);
  if (!io::isHttpUrl(url))
    fail(ErrorKind::io, url, ": kaon does not read the protocol '", protocolOf(url),
         "'; copy the file to this machine first, or see openUrlsBy()");
  return io::httpSource(url, 2 * std::uint64_t{options.memoryBudget});
}

} // namespace kaon
