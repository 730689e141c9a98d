#pragma once

#include <kaon/codec/Stored.h>
#include <kaon/detail/codec/Element.h>

namespace kaon::codec {

// Values in their original order. Raw: consecutive values. Constant: the value that all are equal
// to. Compressed: a codec's number (8 bit), the values compressed by that codec.

[[nodiscard]] bool encodeRaw(Element element, Bytes values, Compression how, Buffer& out);
[[nodiscard]] bool decodeRaw(Element element, Bytes stored, std::span<std::byte> values);

/// Returns false unless all values are equal.
[[nodiscard]] bool encodeConstant(Element element, Bytes values, Compression how, Buffer& out);
[[nodiscard]] bool decodeConstant(Element element, Bytes stored, std::span<std::byte> values);

/// Returns false if the codec does not make the values smaller.
[[nodiscard]] bool encodeCompressed(Element element, Bytes values, Compression how, Buffer& out);
[[nodiscard]] bool decodeCompressed(Element element, Bytes stored, std::span<std::byte> values);

} // namespace kaon::codec
