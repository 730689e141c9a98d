#pragma once

#include <kaon/codec/Transform.h>

#include <cstdint>
#include <optional>

namespace kaon::codec {

/// How the values of a page are stored. The numbers are those in files; the headers named describe
/// the bytes. All else that is known of an encoding stands in EncodingTable.h.
enum class Encoding : std::uint8_t {
  raw = 0,        ///< the values one after another (Plain.h)
  constant = 1,   ///< the one value that all are (Plain.h)
  packed = 2,     ///< numbers in as few bits as their range needs (Packed.h)
  compressed = 3, ///< a codec's number (8 bit), the values as it shrank them (Plain.h)
  parts = 4,      ///< upper parts of numbers shrunk by a codec, lower bits packed (Parts.h)
  bytePlanes = 5, ///< planes of bytes, each shrunk by a codec if it can be (Planes.h)
  bitPlanes = 6,  ///< planes of bits, likewise (Planes.h)
  dictionary = 7, ///< at most 256 different numbers, and which of them each value is (Dictionary.h)
  runs = 8,       ///< runs of equal numbers (Runs.h)
  frequent = 9,   ///< one frequent number apart from the others (Frequent.h)
  quantised = 10  ///< floats that were rounded to steps, as the steps' numbers (Quantised.h)
};

/// An encoding, and what it does to numbers before.
struct Scheme {
  Encoding encoding = Encoding::raw;
  std::optional<Transform> transform = {}; ///< none: what the encoding takes by itself

  Scheme() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): an encoding is one by itself
  Scheme(Encoding itsEncoding, std::optional<Transform> itsTransform = {})
      : encoding(itsEncoding), transform(itsTransform) {}
  friend bool operator==(const Scheme&, const Scheme&) = default;
};

} // namespace kaon::codec
