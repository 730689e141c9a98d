#pragma once

#include <cstdint>

namespace kaon::detail {

/// The meaning of the 64 bits that a caller passes for a key.
enum class KeyBits : std::uint8_t {
  ofKey,          ///< signed; unsigned for a key of unsigned 64 bits
  signedNumber,   ///< signed for all keys
  unsignedNumber, ///< unsigned for all keys
};

} // namespace kaon::detail
