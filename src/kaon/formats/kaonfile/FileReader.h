#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/kaonfile/FileContents.h>
#include <kaon/io/ByteSource.h>

#include <cstddef>
#include <memory>
#include <span>

namespace kaon::kaonfile {

/// Opens a .kaon file. Throws Error(version) for other files, Error(corrupt) for damaged ones. Of
/// cut or unfinished files, reads the sound part and warns.
[[nodiscard]] std::unique_ptr<File> openFile(std::unique_ptr<io::ByteSource> bytes,
                                             const OpenOptions& options = {});

/// Opens a file with known contents, and warns of nothing.
[[nodiscard]] std::unique_ptr<File> openContents(std::unique_ptr<io::ByteSource> bytes,
                                                 FileContents contents, const OpenOptions& options);

/// Returns whether the first bytes of a file, at least one, are those of a .kaon file.
[[nodiscard]] bool isKaonFile(std::span<const std::byte> firstBytes) noexcept;

} // namespace kaon::kaonfile
