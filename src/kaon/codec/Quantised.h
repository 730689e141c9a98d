#pragma once

#include <kaon/codec/Stored.h>
#include <kaon/detail/codec/Element.h>

namespace kaon::codec {

// Floats that were rounded to steps (Precision.h), as the numbers of the steps. Stored as
// - low and step (float64 each),
// - the size of a number (8 bit: 1, 2 or 4 bytes),
// - the number of exceptions (32 bit), which are values that are not steps,
// - if there are exceptions: a piece with a bit per value, set for them (see Selection.h), and the
//   exceptions as inner values,
// - the numbers of all values as inner values (Inner.h).
//
// A value is low + step * number in double arithmetic, with product and sum rounded separately,
// then cast. The number of an exception has no meaning.

/// Returns false unless the element's precision is a range and at least half of the values are
/// steps.
[[nodiscard]] bool encodeQuantised(Element element, Bytes values, Compression how, Buffer& out);

[[nodiscard]] bool decodeQuantised(Element element, Bytes stored, std::span<std::byte> values);

} // namespace kaon::codec
