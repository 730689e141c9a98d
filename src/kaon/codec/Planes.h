#pragma once

#include <kaon/codec/Element.h>
#include <kaon/codec/Stored.h>
#include <kaon/codec/Transform.h>

namespace kaon::codec {

// Values cut into planes, so that a codec finds together what is alike (a piece: see Stored.h).
// Before, numbers can be transformed: none, zigzag or exclusiveOr (Transform.h); all else is not.
//
// Planes of bytes (BytePlanes.h): transform (8 bit), joined (8 bit: 0 each plane is a piece, 1 all
// planes are one), the pieces. Apart, planes get codes of their own and noise costs no decoding;
// but a codec needs some bytes to begin with.
//
// Planes of bits (BitPlanes.h): transform (8 bit), one piece of all, from the lowest bit of the
// first byte to the highest bit of the last byte. Bits that follow each other, like those of an
// exponent or of a sign that is extended, make planes that repeat each other, which a codec finds
// only if they are together.

/// Appends values of any size. Says no where planes are not smaller than the values.
[[nodiscard]] bool encodeBytePlanes(Element element, Bytes values, Compression how, Buffer& out);
[[nodiscard]] bool encodeBytePlanesBy(Transform transform, Element element, Bytes values,
                                      Compression how, Buffer& out);
[[nodiscard]] bool decodeBytePlanes(Element element, Bytes stored, std::span<std::byte> values);

/// As byte planes, but bit by bit: for numbers only.
[[nodiscard]] bool encodeBitPlanes(Element element, Bytes values, Compression how, Buffer& out);
[[nodiscard]] bool encodeBitPlanesBy(Transform transform, Element element, Bytes values,
                                     Compression how, Buffer& out);
[[nodiscard]] bool decodeBitPlanes(Element element, Bytes stored, std::span<std::byte> values);

} // namespace kaon::codec
