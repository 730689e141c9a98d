#pragma once

#include <kaon/formats/kaon/Contents.h>
#include <kaon/formats/kaon/FileWriter.h>
#include <kaon/io/ByteSink.h>
#include <kaon/io/ByteSource.h>

#include <memory>
#include <string>

namespace kaon::store {

/// A writer that goes on at the end of the file at `path`. One that its last writer did not finish
/// is mended first. Throws Error(usage) if the file is damaged, Error(io) if another one is writing
/// to it.
[[nodiscard]] std::unique_ptr<FileWriter> appendToFile(const std::string& path,
                                                       SinkOptions options = {});

/// Finishes a file whose last writer was killed: what that one had half written goes, an index
/// follows the last sound record, and a warning says which entries there are. `bytes` are the
/// file's, `contents` what readContents() says of them, and `sink` appends to them. Throws
/// Error(usage) if more is wrong with the file than that its end is missing; then it stays as it
/// is.
void mend(std::unique_ptr<io::ByteSink> sink, std::shared_ptr<const io::ByteSource> bytes,
          FileContents contents);

} // namespace kaon::store
