#pragma once

#include <kaon/io/ByteSource.h>

#include <functional>
#include <memory>
#include <string>

// Functions that open files for open().

namespace kaon {

/// Returns the bytes at a URL. Several threads may call it at the same time. Throws Error(missing)
/// if there are no bytes, Error(io) if they cannot be read, and Error(usage) if it does not support
/// the URL.
using UrlOpener = std::function<std::unique_ptr<io::ByteSource>(const std::string& url)>;

/// Sets the opener for all URLs, for protocols that kaon does not know or for credentials. Without
/// an opener, libcurl opens http:// and https://. Any thread.
void openUrlsBy(UrlOpener opener);

/// Returns the bytes of a kaon file with the contents of a file of tables. Several threads may call
/// it at the same time. open() passes its exceptions on.
using TableOpener = std::function<std::unique_ptr<io::ByteSource>(const std::string& path)>;

/// Sets the opener for files of tables. Any thread.
void openTablesBy(TableOpener opener);

} // namespace kaon
