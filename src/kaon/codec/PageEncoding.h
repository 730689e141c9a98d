#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/codec/Codec.h>
#include <kaon/detail/codec/Element.h>
#include <kaon/detail/codec/EncodingNumber.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace kaon::codec {

// A page can be decoded from its stored bytes, the encoding, the element and the number of values;
// no other data are needed. All encodings but raw need at least one value. All but raw and constant
// accept less than 2 GiB of values; the headers of the encodings rely on it.

/// Appends whole values as `scheme` stores them. Returns false and leaves `out` unchanged if that
/// is impossible or would not be smaller. Only the codec of `how` is used; but bytes that LZMA does
/// not make clearly smaller than Zstandard are stored with Zstandard. Any thread.
[[nodiscard]] bool encode(const Scheme& scheme, Element element, std::span<const std::byte> values,
                          Compression how, Buffer& out);

/// Fills `values`, whole ones. Returns false, for any bytes, if they do not decode to exactly as
/// many; `values` may then be overwritten.
[[nodiscard]] bool decode(Encoding encoding, Element element, std::span<const std::byte> stored,
                          std::span<std::byte> values) noexcept;

/// Decodes offsets.size() - 1 counts of 32 bits and adds them up: offsets[0] is 0, the last offset
/// is the sum. Also returns false if the sum does not fit; `total` is the true sum.
[[nodiscard]] bool decodeCounts(Encoding encoding, std::span<const std::byte> stored,
                                std::span<std::uint32_t> offsets, std::uint64_t& total) noexcept;

} // namespace kaon::codec
