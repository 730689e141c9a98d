#pragma once

#include <kaon/codec/Element.h>
#include <kaon/codec/Stored.h>
#include <kaon/codec/Transform.h>

namespace kaon::codec {

// The lower bits of measured numbers are noise, which no codec shrinks; the upper ones repeat. So
// numbers are cut: the upper parts are planes of bytes, each a piece that a codec may shrink by
// itself, the lower ones are bit-packed. transform, shift, low bits, number of planes (8 bit each),
// base (one value), the planes as pieces, from the lower bits up, then the lower bits in blocks of
// BitPacking.h, all of the same width and with base 0.

/// Appends numbers of more than one byte. Says no if the codec finds nothing to shrink.
[[nodiscard]] bool encodeParts(Element element, Bytes values, Compression how, Buffer& out);

/// The same with one transform: none or rotated.
[[nodiscard]] bool encodePartsBy(Transform transform, Element element, Bytes values,
                                 Compression how, Buffer& out);

[[nodiscard]] bool decodeParts(Element element, Bytes stored, std::span<std::byte> values);

} // namespace kaon::codec
