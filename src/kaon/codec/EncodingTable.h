#pragma once

#include <kaon/codec/Element.h>
#include <kaon/codec/EncodingNumber.h>
#include <kaon/codec/Stored.h>
#include <kaon/codec/Transform.h>

#include <span>
#include <string_view>

namespace kaon::codec {

/// How many bytes a core decodes in a nanosecond, by the workload "encodings" with pages of 64 KiB.
struct DecodingSpeed {
  double rest = 0; ///< bytes of the page, without what codecs do; 0: that is all
  // Bytes that codecs make for it. 0: the encoding is not tried with that codec.
  double lz4 = 0;
  double zstd = 0; ///< of zlib, too: it is slower, but who asks for it values bytes more
  double lzma = 0; ///< as if it were Zstandard's, for the same reason
};

/// All that is known of an encoding.
struct EncodingRow {
  Encoding encoding;
  std::string_view name;
  bool (*encode)(Element element, Bytes values, Compression how, Buffer& out);
  bool (*decode)(Element element, Bytes stored, std::span<std::byte> values);
  DecodingSpeed numbers = {}; ///< speed for values that are numbers
  DecodingSpeed structs = {}; ///< speed for all others
  bool isPerValue = false;    ///< a value takes the same time whatever its size; rest is of 4 bytes
  bool isNamedWithCodec = false;              ///< see isNamedWithCodec()
  std::span<const Transform> transforms = {}; ///< of numbers, between which a user can choose
  bool (*encodeBy)(Transform transform, Element element, Bytes values, Compression how,
                   Buffer& out) = nullptr; ///< with one of them; encode() takes the best or none
  bool areTransformsTried = false;         ///< all of them, for encode() does not find the best
};

/// The encodings in the order of their numbers. A new one has its enumerator, its own file and its
/// row here.
[[nodiscard]] std::span<const EncodingRow> encodingTable() noexcept;

} // namespace kaon::codec
