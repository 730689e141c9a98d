#pragma once

#include <kaon/codec/PartStream.h>
#include <kaon/codec/Stored.h>
#include <kaon/detail/codec/Element.h>
#include <kaon/detail/codec/Transform.h>

#include <optional>

namespace kaon::codec {

// Bit packing with a frame of reference, see BitPacking.h. Stored as
// - transform and shift (8 bit each),
// - the width of each block of 1024 values (8 bit),
// - the base of each block (one value),
// - with delta: the first value of each block,
// - the blocks.

/// Appends numbers packed with the transform that makes them smallest. Returns false for other
/// values.
[[nodiscard]] bool encodePacked(Element element, Bytes values, Compression how, Buffer& out);

/// As encodePacked(), with one transform: none, delta or rotated.
[[nodiscard]] bool encodePackedBy(Transform transform, Element element, Bytes values,
                                  Compression how, Buffer& out);

/// As encodePackedBy(), or encodePacked() without a transform, in parts: see PartEncoding.h.
/// Returns false if that saves nothing.
[[nodiscard]] bool encodePackedInParts(std::optional<Transform> transform, Element element,
                                       std::size_t size, const BytesAt& values, PartOutput& out);

/// Returns the number of bytes that encodePacked() would append.
[[nodiscard]] std::size_t sizePacked(Element element, Bytes values);

[[nodiscard]] bool decodePacked(Element element, Bytes stored,
                                std::span<std::byte> values) noexcept;

/// As decodePacked(), in parts.
[[nodiscard]] bool decodePackedInParts(Element element, Bytes stored, std::span<std::byte> values,
                                       const BytesUsed& used);

/// Decodes offsets.size() - 1 counts of 32 bits and adds them up: offsets[0] is 0, the last offset
/// is their sum. Returns false if the sum does not fit; `total` is the true sum.
[[nodiscard]] bool decodePackedCounts(Bytes stored, std::span<std::uint32_t> offsets,
                                      std::uint64_t& total) noexcept;
/// Adds up counts that were decoded to offsets[1], ... in the same way.
[[nodiscard]] bool sumDecodedCounts(std::span<std::uint32_t> offsets,
                                    std::uint64_t& total) noexcept;

} // namespace kaon::codec
