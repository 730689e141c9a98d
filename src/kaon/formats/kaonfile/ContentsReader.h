#pragma once

#include <kaon/formats/kaonfile/FileContents.h>
#include <kaon/io/ByteSource.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kaon::kaonfile {

/// Reads the contents of a file, in at most two reads if it is complete. Throws Error(version) for
/// other files, Error(corrupt) for damaged ones.
[[nodiscard]] FileContents readContents(const io::ByteSource& bytes);

/// Adds a record with sound header and meta bytes to the contents. Returns false, or throws
/// Error(corrupt), if it does not follow from the records before. `bytes` is the file.
[[nodiscard]] bool addRecord(FileContents& contents, const RecordHeader& header,
                             std::uint64_t position, std::span<const std::byte> meta,
                             const io::ByteSource& bytes);

/// Marks the missing entries before a cluster as lost. They keep their numbers, but have no data.
void addLostEntries(FileContents& contents, const RecordHeader& header);
/// Removes lost entries at the end of categories.
void dropLostEnds(FileContents& contents);

/// Reads a document's text. Throws Error(corrupt).
[[nodiscard]] std::string readDocument(const io::ByteSource& bytes, std::uint64_t fileId,
                                       std::string_view name, const StoredDocument& place);

} // namespace kaon::kaonfile
