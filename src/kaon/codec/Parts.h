#pragma once

#include <kaon/codec/Stored.h>
#include <kaon/detail/codec/Element.h>
#include <kaon/detail/codec/Transform.h>

namespace kaon::codec {

// The lower bits of measured numbers are noise, which no codec can compress; the upper bits repeat.
// Therefore numbers are cut. The upper parts are planes of bytes, each a piece that a codec may
// compress; the lower bits are bit-packed. Stored as
// - transform, shift, low bits and number of planes (8 bit each),
// - base (one value),
// - the planes as pieces, from the lower bits up,
// - the lower bits in blocks of BitPacking.h, all with the same width and base 0.

/// Appends numbers of more than one byte. Returns false if the codec cannot compress them.
[[nodiscard]] bool encodeParts(Element element, Bytes values, Compression how, Buffer& out);

/// As encodeParts(), with one transform: none or rotated.
[[nodiscard]] bool encodePartsBy(Transform transform, Element element, Bytes values,
                                 Compression how, Buffer& out);

[[nodiscard]] bool decodeParts(Element element, Bytes stored, std::span<std::byte> values);

} // namespace kaon::codec
