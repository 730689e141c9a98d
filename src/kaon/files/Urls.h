#pragma once

#include <kaon/batch/Source.h>
#include <kaon/io/ByteSource.h>

#include <functional>
#include <memory>
#include <string>

// Files that are not in the file system.

namespace kaon {

/// Whether a path is a URL, such as https://host/events.kaon, and no file that is called like one.
[[nodiscard]] bool isUrl(const std::string& path);

/// Gives the bytes at a URL. Called by any thread, by several at the same time. Throws
/// Error(missing) if there are none, Error(io) if they cannot be read, Error(usage) if it does not
/// read such URLs.
using UrlOpener = std::function<std::unique_ptr<io::ByteSource>(const std::string& url)>;

/// From now on `opener` gives the bytes of all URLs: by protocols that kaon does not know, or with
/// somebody's credentials. Without one it is libcurl, of http:// and https://. Any thread.
void openUrlsBy(UrlOpener opener);

/// The bytes at a URL. Throws what the opener throws. Any thread.
[[nodiscard]] std::unique_ptr<io::ByteSource> bytesAtUrl(const std::string& url,
                                                         const OpenOptions& options);

} // namespace kaon
