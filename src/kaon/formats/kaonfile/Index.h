#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/formats/kaonfile/FileContents.h>

#include <cstddef>
#include <span>
#include <string>

namespace kaon::kaonfile {

/// Reads the body of an index record, which must be aligned. Throws Error(corrupt); `where` is for
/// messages.
void readIndex(std::span<const std::byte> meta, const std::string& where, FileContents& contents);

/// Returns the body of an index record.
[[nodiscard]] Buffer indexBytes(const FileContents& contents);

} // namespace kaon::kaonfile
