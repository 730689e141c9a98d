#pragma once

#include <kaon/formats/root/container/RootContainer.h>

#include <cstdint>

namespace kaon::root {

/// The position and size of bytes of an RNTuple in the file.
struct Locator {
  std::uint64_t position = 0;
  std::uint64_t bytes = 0; ///< as they are stored
};

/// The place of an envelope, and its decompressed length.
struct EnvelopeLink {
  std::uint64_t length = 0;
  Locator place;
};

/// The object in a folder that points to header and footer of an RNTuple.
struct NTupleAnchor {
  EnvelopeLink header;
  EnvelopeLink footer;
  std::uint64_t maxKeySize = 0; ///< larger blobs are split into several records
};

/// Throws Error(corrupt). Throws Error(version) for an RNTuple that is older than the final format.
[[nodiscard]] NTupleAnchor readAnchor(const RootContainer& container, const RecordKey& key);

} // namespace kaon::root
