#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/codec/Codec.h>

#include <cstddef>
#include <span>

namespace kaon::codec {

/// Appends the compressed bytes to `out` and returns true. Returns false and leaves `out` unchanged
/// if that would save less than 1/32: raw bytes need no decoding. Any thread.
[[nodiscard]] bool compress(Compression how, std::span<const std::byte> bytes, Buffer& out);

/// Fills `out` exactly. Returns false if `bytes` do not decode to exactly that size. Additional
/// memory is bounded by the size of `out`, whatever the bytes are.
[[nodiscard]] bool decompress(Codec codec, std::span<const std::byte> bytes,
                              std::span<std::byte> out) noexcept;

} // namespace kaon::codec
