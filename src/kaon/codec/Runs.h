#pragma once

#include <kaon/codec/Stored.h>
#include <kaon/detail/codec/Element.h>

namespace kaon::codec {

// Runs of equal numbers. Stored as: the number of runs (32 bit), the length of each minus one, as
// inner values of 32 bits, then the number of each run as inner values.

/// Returns false if runs are shorter than two on average.
[[nodiscard]] bool encodeRuns(Element element, Bytes values, Compression how, Buffer& out);
[[nodiscard]] bool decodeRuns(Element element, Bytes stored, std::span<std::byte> values);

} // namespace kaon::codec
