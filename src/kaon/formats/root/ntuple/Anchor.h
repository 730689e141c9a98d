#pragma once

#include <kaon/formats/root/container/Container.h>

#include <cstdint>

namespace kaon::root {

/// Where bytes of an RNTuple lie: so many at a position of the file.
struct Locator {
  std::uint64_t position = 0;
  std::uint64_t bytes = 0; ///< as they are stored
};

/// Where an envelope lies, and how long it is when it is decompressed.
struct EnvelopeLink {
  std::uint64_t length = 0;
  Locator place;
};

/// What leads to an RNTuple: the object that folders list.
struct Anchor {
  EnvelopeLink header;
  EnvelopeLink footer;
  std::uint64_t maxKeySize = 0; ///< what is larger is cut into several records
};

/// Throws Error(corrupt), and Error(version) for an RNTuple from before the format was final.
[[nodiscard]] Anchor readAnchor(const Container& container, const Key& key);

} // namespace kaon::root
