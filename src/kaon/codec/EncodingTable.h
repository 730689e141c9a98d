#pragma once

#include <kaon/codec/Stored.h>
#include <kaon/detail/codec/Element.h>
#include <kaon/detail/codec/EncodingNumber.h>
#include <kaon/detail/codec/Transform.h>

#include <span>
#include <string_view>

namespace kaon::codec {

/// Bytes that a core decodes in a nanosecond, measured by the workload "encodings" with pages of 64
/// KiB.
struct DecodingSpeed {
  double rest = 0; ///< bytes of the page, apart from the codec's work; 0: the codec does all
  // Bytes that a codec makes for the page. 0: the encoding is not tried with that codec.
  double lz4 = 0;
  double zstd = 0; ///< also for zlib: it is slower, but its users value bytes more
  double lzma = 0; ///< the speed of Zstandard, for the same reason
};

/// The properties of an encoding.
struct EncodingRow {
  Encoding encoding;
  std::string_view name;
  bool (*encode)(Element element, Bytes values, Compression how, Buffer& out);
  bool (*decode)(Element element, Bytes stored, std::span<std::byte> values);
  DecodingSpeed numbers = {}; ///< for values that are numbers
  DecodingSpeed structs = {}; ///< for all others
  bool isPerValue = false;    ///< a value takes the same time for any size; `rest` is for 4 bytes
  bool isNamedWithCodec = false;              ///< see isNamedWithCodec()
  std::span<const Transform> transforms = {}; ///< for numbers; users can choose one
  bool (*encodeBy)(Transform transform, Element element, Bytes values, Compression how,
                   Buffer& out) = nullptr; ///< with one of them; encode() takes the best or none
  bool areTransformsTried = false;         ///< encode() does not find the best one
};

/// Returns the encodings in the order of their numbers. To add one, add its enumerator, its own
/// file and its row here.
[[nodiscard]] std::span<const EncodingRow> encodingTable() noexcept;
/// Returns the row of an encoding; null for an unknown number.
[[nodiscard]] const EncodingRow* encodingRow(Encoding encoding) noexcept;

} // namespace kaon::codec
