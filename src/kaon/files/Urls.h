#pragma once

#include <kaon/batch/Source.h>
#include <kaon/io/ByteSource.h>

#include <functional>
#include <memory>
#include <string>

// Files that are not in the file system.

namespace kaon {

/// Whether a path is a URL, such as https://host/events.kaon, and not the name of an existing file.
[[nodiscard]] bool isUrl(const std::string& path);

/// Returns the bytes at a URL. Several threads may call it at the same time. Throws Error(missing)
/// if there are no bytes, Error(io) if they cannot be read, and Error(usage) if it does not support
/// the URL.
using UrlOpener = std::function<std::unique_ptr<io::ByteSource>(const std::string& url)>;

/// Sets the opener for all URLs, for protocols that kaon does not know or for credentials. Without
/// an opener, libcurl opens http:// and https://. Any thread.
void openUrlsBy(UrlOpener opener);

/// Returns the bytes at a URL. Throws the errors of the opener. Any thread.
[[nodiscard]] std::unique_ptr<io::ByteSource> bytesAtUrl(const std::string& url,
                                                         const OpenOptions& options);

} // namespace kaon
