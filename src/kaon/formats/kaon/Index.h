#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/formats/kaon/Contents.h>

#include <cstddef>
#include <span>
#include <string>

namespace kaon::store {

/// Takes in what the body of an index record, which is aligned, says. `where` is for the message:
/// throws Error(corrupt).
void readIndex(std::span<const std::byte> meta, const std::string& where, FileContents& contents);

/// The body of an index record.
[[nodiscard]] Buffer indexBytes(const FileContents& contents);

} // namespace kaon::store
