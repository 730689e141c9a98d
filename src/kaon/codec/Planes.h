#pragma once

#include <kaon/codec/Stored.h>
#include <kaon/detail/codec/Element.h>
#include <kaon/detail/codec/Transform.h>

namespace kaon::codec {

// Values cut into planes, so that a codec finds similar bytes together (a piece: see Stored.h).
// Numbers can be transformed before: none, zigzag or exclusiveOr (Transform.h). Other values
// cannot.
//
// Planes of bytes (BytePlanes.h): transform (8 bit), joined (8 bit: 0 for a piece per plane, 1 for
// one piece of all planes), the pieces. Separate planes get their own codes, and noise needs no
// decoding; but a codec needs a minimum of bytes to be effective.
//
// Planes of bits (BitPlanes.h): transform (8 bit), one piece of all planes, from the lowest bit of
// the first byte to the highest bit of the last byte. Neighbouring bits, such as those of an
// exponent or of an extended sign, make planes that repeat each other. A codec finds these
// repetitions only if the planes are together.

/// Appends values of any size. Returns false if planes are not smaller than the values.
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
