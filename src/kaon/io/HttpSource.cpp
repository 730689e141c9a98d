#include <kaon/io/HttpSource.h>

#ifdef KAON_HAS_CURL
#include <kaon/io/DistantSource.h>
#include <kaon/io/HttpClient.h>
#else
#include <kaon/base/Error.h>
#endif

namespace kaon::io {

bool isHttpUrl(std::string_view path) noexcept {
  return path.starts_with("http://") || path.starts_with("https://");
}

#ifdef KAON_HAS_CURL
std::unique_ptr<ByteSource> httpSource(const std::string& url, std::uint64_t announcedBytes,
                                       const HttpLimits& limits) {
  const auto client = std::make_shared<HttpClient>(url, limits);
  return distantSource(
      url, client->size(),
      [client](std::span<const ByteRange> ranges, std::span<const std::span<std::byte>> places) {
        client->fetch(ranges, places);
      },
      announcedBytes);
}
#else
std::unique_ptr<ByteSource> httpSource(const std::string& url, std::uint64_t /*announcedBytes*/,
                                       const HttpLimits& /*limits*/) {
  fail(ErrorKind::usage, url, ": this kaon was built without libcurl, which reads URLs");
}
#endif

} // namespace kaon::io
