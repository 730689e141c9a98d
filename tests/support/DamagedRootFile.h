#pragma once

#include "support/WholeSource.h"

#include <kaon/base/Error.h>
#include <kaon/formats/root/RootFile.h>
#include <kaon/io/ByteSource.h>

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>

// Whatever a ROOT file says: it is read, or refused with one clear error.

namespace kaon::test {

/// Reads all that a file says it has. Returns whether it could be read.
inline bool survives(std::string_view bytes, const OpenOptions& options = {}) {
  try {
    const auto file =
        root::openRootFile(io::memorySource("f.root", std::as_bytes(std::span(bytes))), options);
    for (const std::string& name : file->documents())
      (void)file->document(name);
    for (const std::string& name : file->categories()) {
      const Source& source = file->category(name);
      if (source.entries() > 100'000)
        return true; // entries of nothing but late fields, which are zeros
      readAll(source);
    }
    return true;
  } catch (const Error& error) {
    EXPECT_TRUE(error.kind() == ErrorKind::corrupt || error.kind() == ErrorKind::version)
        << error.what();
    EXPECT_TRUE(std::string_view(error.what()).starts_with("f.root")) << error.what();
    return false;
  }
}

} // namespace kaon::test
