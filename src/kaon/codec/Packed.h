#pragma once

#include <kaon/codec/Element.h>
#include <kaon/codec/Stored.h>
#include <kaon/codec/Transform.h>

namespace kaon::codec {

// Bit packing with a frame of reference, see BitPacking.h: transform, shift (8 bit each), then for
// each block of 1024 values its width (8 bit), for each block its base (one value), with delta for
// each block its first value, then the blocks.

/// Appends numbers packed with the transform that makes them smallest. Says no to anything else.
[[nodiscard]] bool encodePacked(Element element, Bytes values, Compression how, Buffer& out);

/// The same with one transform: none, delta or rotated.
[[nodiscard]] bool encodePackedBy(Transform transform, Element element, Bytes values,
                                  Compression how, Buffer& out);

/// What encodePacked() would append.
[[nodiscard]] std::size_t sizePacked(Element element, Bytes values);

[[nodiscard]] bool decodePacked(Element element, Bytes stored,
                                std::span<std::byte> values) noexcept;

/// Decodes offsets.size() - 1 counts of 32 bits and adds them up: offsets[0] is 0, the last one
/// their sum. Says no if the sum does not fit; `total` is the true one.
[[nodiscard]] bool decodePackedCounts(Bytes stored, std::span<std::uint32_t> offsets,
                                      std::uint64_t& total) noexcept;
/// The same for counts that were decoded to offsets[1], ...
[[nodiscard]] bool sumDecodedCounts(std::span<std::uint32_t> offsets,
                                    std::uint64_t& total) noexcept;

} // namespace kaon::codec
