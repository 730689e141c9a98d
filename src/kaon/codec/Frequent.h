#pragma once

#include <kaon/codec/Element.h>
#include <kaon/codec/Stored.h>

namespace kaon::codec {

// Numbers of which one, a default or "none", is frequent and unlike the others: the frequent
// number, how many others there are (32 bit), a piece of a bit for each value, set for the others
// (see Selection.h), then the others as inner values.

/// Says no where no number is frequent, or nothing else occurs.
[[nodiscard]] bool encodeFrequent(Element element, Bytes values, Compression how, Buffer& out);
[[nodiscard]] bool decodeFrequent(Element element, Bytes stored, std::span<std::byte> values);

} // namespace kaon::codec
