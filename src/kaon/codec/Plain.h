#pragma once

#include <kaon/codec/Element.h>
#include <kaon/codec/Stored.h>

namespace kaon::codec {

// Values that are not rearranged. Raw: the values one after another. Constant: the one value that
// all are. Compressed: a codec's number (8 bit), the values as that codec shrank them.

[[nodiscard]] bool encodeRaw(Element element, Bytes values, Compression how, Buffer& out);
[[nodiscard]] bool decodeRaw(Element element, Bytes stored, std::span<std::byte> values);

/// Says no unless all values are the same.
[[nodiscard]] bool encodeConstant(Element element, Bytes values, Compression how, Buffer& out);
[[nodiscard]] bool decodeConstant(Element element, Bytes stored, std::span<std::byte> values);

/// Says no where the codec does not shrink the values.
[[nodiscard]] bool encodeCompressed(Element element, Bytes values, Compression how, Buffer& out);
[[nodiscard]] bool decodeCompressed(Element element, Bytes stored, std::span<std::byte> values);

} // namespace kaon::codec
