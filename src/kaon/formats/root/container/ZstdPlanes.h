#pragma once

#include <kaon/base/Buffer.h>

#include <cstddef>
#include <span>

namespace kaon::root {

/// Appends a zstd frame with bytes that consist of planes: the first byte of each value, then the
/// second, and so on, with `planeBytes` each. Returns false and appends nothing if the frame does
/// not save at least 1/32 of the bytes. Planes without repetitions, such as the exponents of
/// floats, are entropy-coded without a search for matches. That takes a third of the time and less
/// space. Random planes are stored as they are. Any thread may call this.
[[nodiscard]] bool compressPlanes(int level, std::span<const std::byte> bytes,
                                  std::size_t planeBytes, Buffer& out);

} // namespace kaon::root
