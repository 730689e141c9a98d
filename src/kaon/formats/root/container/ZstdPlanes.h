#pragma once

#include <kaon/base/Buffer.h>

#include <cstddef>
#include <span>

namespace kaon::root {

/// Appends a frame of zstd with bytes that consist of planes, the first byte of each value, the
/// second, ..., of `planeBytes` each; returns false and appends nothing if it is not smaller by a
/// thirty-second. Of a plane in which nothing is repeated, such as the exponents of floats, the
/// bytes get codes of few bits, but nothing is searched for, which takes a third of the time, and
/// less room; of what is random neither. Any thread.
[[nodiscard]] bool compressPlanes(int level, std::span<const std::byte> bytes,
                                  std::size_t planeBytes, Buffer& out);

} // namespace kaon::root
