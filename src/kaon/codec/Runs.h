#pragma once

#include <kaon/codec/Element.h>
#include <kaon/codec/Stored.h>

namespace kaon::codec {

// Runs of equal numbers: how many runs (32 bit), the length of each, less one, as inner values of
// 32 bits, then the number of each as inner values.

/// Says no where runs are shorter than two on the average.
[[nodiscard]] bool encodeRuns(Element element, Bytes values, Compression how, Buffer& out);
[[nodiscard]] bool decodeRuns(Element element, Bytes stored, std::span<std::byte> values);

} // namespace kaon::codec
