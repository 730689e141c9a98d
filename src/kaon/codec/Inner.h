#pragma once

#include <kaon/codec/Stored.h>
#include <kaon/detail/codec/Element.h>

namespace kaon::codec {

// Values inside another encoding: an encoding (8 bit: raw, packed, compressed or parts), the stored
// size (32 bit), the stored bytes.

/// Appends numbers packed. If `how` allows an entropy-coding codec that makes them clearly smaller,
/// uses that codec instead.
void putInner(Element element, Bytes values, Compression how, Buffer& out);

[[nodiscard]] bool takeInner(StoredReader& stored, Element element,
                             std::span<std::byte> values) noexcept;

} // namespace kaon::codec
