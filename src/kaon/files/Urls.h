#pragma once

#include <kaon/batch/Source.h>
#include <kaon/files/RegisteredOpener.h>
#include <kaon/io/ByteSource.h>

#include <memory>
#include <string>

// Files that are not in the file system.

namespace kaon {

/// The function that openUrlsBy() sets.
[[nodiscard]] RegisteredOpener& urlOpener();

/// Whether a path is a URL, such as https://host/events.kaon, and not the name of an existing file.
[[nodiscard]] bool isUrl(const std::string& path);

/// Returns the bytes at a URL. Throws the errors of the opener. Any thread.
[[nodiscard]] std::unique_ptr<io::ByteSource> bytesAtUrl(const std::string& url,
                                                         const OpenOptions& options);

} // namespace kaon
