#pragma once

#include <kaon/batch/Source.h>
#include <kaon/io/ByteSource.h>

#include <cstddef>
#include <memory>
#include <span>

namespace kaon::store {

/// Opens a .kaon file. Throws Error(version) if it is something else, Error(corrupt) if it is
/// damaged. Of a file that was cut or not finished what is whole is read, with a warning.
[[nodiscard]] std::unique_ptr<File> openFile(std::unique_ptr<io::ByteSource> bytes,
                                             const OpenOptions& options = {});

/// Whether these first bytes of a file, one at least, are those of a .kaon file.
[[nodiscard]] bool isKaonFile(std::span<const std::byte> firstBytes) noexcept;

} // namespace kaon::store
