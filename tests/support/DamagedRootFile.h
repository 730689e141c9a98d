#pragma once

#include "support/DamagedFiles.h"

#include <kaon/formats/root/RootFile.h>
#include <kaon/io/ByteSource.h>

#include <span>
#include <string_view>

namespace kaon::test {

/// Whether the contents of a ROOT file can be read; otherwise there is one clear error.
inline bool survives(std::string_view bytes, const OpenOptions& options = {}) {
  return survives("f.root", [&] {
    return root::openRootFile(io::memorySource("f.root", std::as_bytes(std::span(bytes))), options);
  });
}

} // namespace kaon::test
