#pragma once

#include <kaon/batch/Source.h>
#include <kaon/io/ByteSource.h>

#include <memory>
#include <string>

namespace kaon {

/// Returns the bytes at a path or URL.
[[nodiscard]] std::unique_ptr<io::ByteSource> bytesAt(const std::string& path,
                                                      const OpenOptions& options);

} // namespace kaon
