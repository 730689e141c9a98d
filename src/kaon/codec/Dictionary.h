#pragma once

#include <kaon/codec/Stored.h>
#include <kaon/detail/codec/Element.h>

namespace kaon::codec {

// Few different numbers, stored as: their count minus one (8 bit), the numbers, then the index of
// each value as inner values of 8 bits.

/// Returns false for more than 256 different numbers.
[[nodiscard]] bool encodeDictionary(Element element, Bytes values, Compression how, Buffer& out);
[[nodiscard]] bool decodeDictionary(Element element, Bytes stored, std::span<std::byte> values);

} // namespace kaon::codec
