#pragma once

#include <kaon/io/ByteSource.h>
#include <kaon/io/HttpLimits.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace kaon::io {

/// Whether a path begins with http:// or https://.
[[nodiscard]] bool isHttpUrl(std::string_view path) noexcept;

/// A file on a web server, read by ranges (RFC 9110, section 14), several at the same time, as in
/// distantSource(). Requests with temporary failures (a broken connection, status 429 or 5xx) are
/// tried three times, within the limits. Throws Error(missing) if the file does not exist, and
/// Error(usage) if kaon was built without libcurl. Throws Error(io) if the file cannot be read, if
/// the server does not support ranges, or if size or entity tag show that the file has changed.
[[nodiscard]] std::unique_ptr<ByteSource>
httpSource(const std::string& url, std::uint64_t announcedBytes, const HttpLimits& limits = {});

} // namespace kaon::io
