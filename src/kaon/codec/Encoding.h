#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/codec/Codec.h>
#include <kaon/codec/Element.h>
#include <kaon/codec/EncodingNumber.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kaon::codec {

/// "raw", "constant", ...; "?" for a number that is no encoding.
[[nodiscard]] std::string_view encodingName(Encoding encoding) noexcept;
/// "packed", "packed:delta", ...
[[nodiscard]] std::string schemeName(const Scheme& scheme);
/// The scheme of this name. Throws Error(name) with a suggestion, for a transform, too, that the
/// encoding does not have.
[[nodiscard]] Scheme schemeNamed(std::string_view name);
/// Whether users see the codec beside the encoding, as in "parts+zstd": what is stored is mostly
/// what the codec made.
[[nodiscard]] bool isNamedWithCodec(Encoding encoding) noexcept;

// The stored bytes of a page are decoded with the encoding, the element and the number of values
// alone: all else stands in them. All but raw want at least one value, all but raw and constant
// take less than 2 GiB of them; what the headers named offer relies on that.

/// Appends whole values as `scheme` stores them, or leaves `out` as it was and returns false if
/// they cannot be, or will not be smaller, that way. Only the codec of `how` is used, but for bytes
/// that LZMA does not make clearly smaller than Zstandard. Any thread.
[[nodiscard]] bool encode(const Scheme& scheme, Element element, std::span<const std::byte> values,
                          Compression how, Buffer& out);

/// Fills `values`, whole ones. Returns false, whatever the bytes, if they do not decode to just as
/// many; `values` may be overwritten then.
[[nodiscard]] bool decode(Encoding encoding, Element element, std::span<const std::byte> stored,
                          std::span<std::byte> values) noexcept;

/// Decodes offsets.size() - 1 counts of 32 bits and adds them up: offsets[0] is 0, the last one is
/// the sum. Returns false also if the sum does not fit; `total` is the true one.
[[nodiscard]] bool decodeCounts(Encoding encoding, std::span<const std::byte> stored,
                                std::span<std::uint32_t> offsets, std::uint64_t& total) noexcept;

} // namespace kaon::codec
