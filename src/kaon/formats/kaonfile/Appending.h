#pragma once

#include <kaon/formats/kaonfile/FileContents.h>
#include <kaon/formats/kaonfile/FileWriter.h>
#include <kaon/io/ByteSink.h>
#include <kaon/io/ByteSource.h>

#include <functional>
#include <memory>
#include <string>

namespace kaon::kaonfile {

/// Returns a writer that appends to the file at `path`. If its last writer did not finish it, the
/// file is mended first. If sound data follow behind damage, the file is replaced by its sound
/// part, and kept as `path`.damaged. Throws Error(io) while another process writes to it.
[[nodiscard]] std::unique_ptr<FileWriter> appendToFile(const std::string& path,
                                                       SinkOptions options = {});

/// Returns whether mend() would lose sound data that follow behind damage.
[[nodiscard]] bool hasSoundPartBehindDamage(const io::ByteSource& bytes,
                                            const FileContents& contents);

/// Opens a file anew.
using OpenBytes = std::function<std::shared_ptr<const io::ByteSource>()>;

/// Finishes a file whose last writer was killed. Removes the incomplete end, writes an index behind
/// the last sound record, and warns with the numbers of entries. `open` opens the file, `contents`
/// is the result of readContents(), and `sink` appends to the file. If anything else is wrong,
/// throws Error(usage) and leaves the file unchanged.
void mend(std::unique_ptr<io::ByteSink> sink, const OpenBytes& open, FileContents contents);

} // namespace kaon::kaonfile
