#pragma once

#include <kaon/formats/root/container/BigEndian.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace kaon::root {

/// The bit of a number that counts bytes.
inline constexpr std::uint32_t hasByteCount = 0x4000'0000;

/// What a serialised object begins with: how long it is, of which version of its class.
struct Frame {
  std::optional<std::size_t> end; ///< where it ends in the reader's bytes, if it says so
  std::int16_t version = 0;
  std::uint32_t checksum = 0; ///< of the class, where the version is not above 0
  bool isMemberWise = false;  ///< a collection whose elements lie member by member
};

/// Reads the beginning of an object. Throws Error(corrupt) where it ends behind the bytes.
[[nodiscard]] Frame readFrame(BigEndianReader& reader);

/// The beginning of a collection, which has no checksum.
[[nodiscard]] Frame readCollectionFrame(BigEndianReader& reader);

/// Goes to where the object ends. Throws Error(corrupt) if more was read than it has.
void endFrame(BigEndianReader& reader, const Frame& frame);
/// The same, for what must have been read to its end.
void endWholeFrame(BigEndianReader& reader, const Frame& frame);

/// Reads past what TObject writes, of which it returns the bits.
std::uint32_t skipTObject(BigEndianReader& reader);

} // namespace kaon::root
