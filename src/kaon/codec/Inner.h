#pragma once

#include <kaon/codec/Element.h>
#include <kaon/codec/Stored.h>

namespace kaon::codec {

// Values inside another encoding: an encoding (8 bit: raw, packed, compressed or parts), the stored
// size (32 bit), the stored bytes.

/// Appends numbers packed or, where a codec that counts how often bytes occur is allowed and makes
/// them clearly smaller, by that.
void putInner(Element element, Bytes values, Compression how, Buffer& out);

[[nodiscard]] bool takeInner(StoredReader& stored, Element element,
                             std::span<std::byte> values) noexcept;

} // namespace kaon::codec
