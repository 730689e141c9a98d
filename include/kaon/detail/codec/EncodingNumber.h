#pragma once

#include <kaon/detail/codec/Transform.h>

#include <cstdint>
#include <optional>

namespace kaon::codec {

/// How the values of a page are stored. The numbers are those in files; the named headers describe
/// the bytes. EncodingTable.h has all other properties of encodings.
enum class Encoding : std::uint8_t {
  raw = 0,        ///< Consecutive values (Plain.h).
  constant = 1,   ///< The value that all are equal to (Plain.h).
  packed = 2,     ///< Numbers in as few bits as their range needs (Packed.h).
  compressed = 3, ///< A codec's number (8 bit), the values compressed by it (Plain.h).
  parts = 4,      ///< Upper parts of numbers compressed by a codec, lower bits packed (Parts.h).
  bytePlanes = 5, ///< Planes of bytes, each compressed if it gets smaller (Planes.h).
  bitPlanes = 6,  ///< Planes of bits, compressed if they get smaller (Planes.h).
  dictionary = 7, ///< At most 256 different numbers, and the index of each value (Dictionary.h).
  runs = 8,       ///< Runs of equal numbers (Runs.h).
  frequent = 9,   ///< One frequent number, separate from the others (Frequent.h).
  quantised = 10  ///< Floats that were rounded to steps, as the numbers of the steps (Quantised.h).
};

/// An encoding, and the transform of numbers before it.
struct Scheme {
  Encoding encoding = Encoding::raw;
  std::optional<Transform> transform = {}; ///< empty: chosen by the encoding

  Scheme() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): an encoding is one by itself
  Scheme(Encoding itsEncoding, std::optional<Transform> itsTransform = {})
      : encoding(itsEncoding), transform(itsTransform) {}
  friend bool operator==(const Scheme&, const Scheme&) = default;
};

} // namespace kaon::codec
