#pragma once

#include <kaon/codec/Element.h>
#include <kaon/codec/Stored.h>

namespace kaon::codec {

// Few different numbers: how many there are, less one (8 bit), the numbers, then for each value
// which of them it is, as inner values of 8 bits.

/// Says no to more than 256 different numbers.
[[nodiscard]] bool encodeDictionary(Element element, Bytes values, Compression how, Buffer& out);
[[nodiscard]] bool decodeDictionary(Element element, Bytes stored, std::span<std::byte> values);

} // namespace kaon::codec
