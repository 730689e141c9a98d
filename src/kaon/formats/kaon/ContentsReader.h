#pragma once

#include <kaon/formats/kaon/Contents.h>
#include <kaon/io/ByteSource.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kaon::store {

/// Reads what the file says about itself, in at most two reads if it is complete. Throws
/// Error(version) if it is something else, Error(corrupt) if it is damaged.
[[nodiscard]] FileContents readContents(const io::ByteSource& bytes);

/// Takes in a record of which header and meta bytes are sound. False, or Error(corrupt), if it does
/// not follow from those taken in before. `bytes` are the file's.
[[nodiscard]] bool addRecord(FileContents& contents, const RecordHeader& header,
                             std::uint64_t position, std::span<const std::byte> meta,
                             const io::ByteSource& bytes);

/// Reads a document's text. Throws Error(corrupt).
[[nodiscard]] std::string readDocument(const io::ByteSource& bytes, std::uint64_t fileId,
                                       std::string_view name, const DocumentPlace& place);

} // namespace kaon::store
