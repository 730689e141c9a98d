#pragma once

#include <cstdint>

namespace kaon::detail {

/// The meaning of the 64 bits that a caller gives for a key.
enum class KeyBits : std::uint8_t {
  ofKey,          ///< a signed number; of an unsigned 64-bit key an unsigned one
  signedNumber,   ///< whatever the key is
  unsignedNumber, ///< likewise
};

} // namespace kaon::detail
