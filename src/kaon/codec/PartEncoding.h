#pragma once

#include <kaon/codec/Codec.h>
#include <kaon/codec/PartStream.h>
#include <kaon/codec/Stored.h>
#include <kaon/detail/codec/Element.h>
#include <kaon/detail/codec/EncodingNumber.h>

#include <cstddef>
#include <span>

namespace kaon::codec {

// Large pages, encoded and decoded in parts: neither the stored bytes nor scratch memory of their
// size are in memory.

/// Returns whether pages can be encoded in parts with this scheme and codec.
[[nodiscard]] bool canEncodeInParts(const Scheme& scheme, Element element, Codec codec) noexcept;

/// Appends `size` bytes of whole values as `scheme` stores them. Returns false and appends nothing
/// if they would not get smaller. Throws the errors of `values` and `out`.
[[nodiscard]] bool encodeInParts(const Scheme& scheme, Element element, std::size_t size,
                                 const BytesAt& values, Compression how, PartOutput& out);

/// As decode(). Decodes pages that encodeInParts() makes in parts; other pages at once.
[[nodiscard]] bool decodeInParts(Encoding encoding, Element element, Bytes stored,
                                 std::span<std::byte> values, const BytesUsed& used);

} // namespace kaon::codec
