#pragma once

#include <kaon/io/ByteSource.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace kaon::io {

/// Whether a path begins with http:// or https://.
[[nodiscard]] bool isHttpUrl(std::string_view path) noexcept;

/// A file on a web server, which is read by ranges (RFC 9110, section 14), several at the same
/// time, as distantSource() says. What fails for a reason that may pass (a broken connection, an
/// answer 429 or 5xx) is asked for three times. Throws Error(missing) if there is no such file,
/// Error(io) if it cannot be read, the server gives no ranges, or the file is another than when it
/// was opened, as its size and entity tag say; Error(usage) if kaon was built without libcurl.
[[nodiscard]] std::unique_ptr<ByteSource> httpSource(const std::string& url,
                                                     std::uint64_t announcedBytes);

} // namespace kaon::io
