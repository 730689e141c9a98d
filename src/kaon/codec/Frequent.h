#pragma once

#include <kaon/codec/Stored.h>
#include <kaon/detail/codec/Element.h>

namespace kaon::codec {

// Numbers with one frequent number, such as a default, and different others. Stored as: the
// frequent number, the number of others (32 bit), a piece with a bit per value, set for the others
// (see Selection.h), then the others as inner values.

/// Returns false if no number is frequent, or if there are no others.
[[nodiscard]] bool encodeFrequent(Element element, Bytes values, Compression how, Buffer& out);
[[nodiscard]] bool decodeFrequent(Element element, Bytes stored, std::span<std::byte> values);

} // namespace kaon::codec
