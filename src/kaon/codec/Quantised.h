#pragma once

#include <kaon/codec/Element.h>
#include <kaon/codec/Stored.h>

namespace kaon::codec {

// Floats that were rounded to steps (Precision.h), as the steps' numbers: low, step (float64 each),
// the size of a number (8 bit: 1, 2 or 4 bytes), how many values are exceptions (32 bit), which are
// no steps; if there are any, a piece of a bit for each value, set for them (see Selection.h), and
// they as inner values; then the numbers of all values as inner values (Inner.h). A value is low +
// step * number, in double arithmetic, product and sum rounded each, then cast; an exception's
// number says nothing.

/// Says no unless the element's precision is a range and at least half of the values are its steps.
[[nodiscard]] bool encodeQuantised(Element element, Bytes values, Compression how, Buffer& out);

[[nodiscard]] bool decodeQuantised(Element element, Bytes stored, std::span<std::byte> values);

} // namespace kaon::codec
