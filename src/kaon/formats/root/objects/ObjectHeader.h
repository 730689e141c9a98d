#pragma once

#include <kaon/formats/root/container/BigEndian.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace kaon::root {

/// The flag of a number that is a count of bytes.
inline constexpr std::uint32_t hasByteCount = 0x4000'0000;
/// The bit in a TObject's bits that announces two more bytes: the number of a process.
inline constexpr std::uint32_t isReferenced = 0x10;

/// The beginning of a serialised object: its length, and the version of its class.
struct ObjectHeader {
  std::optional<std::size_t> end; ///< the end in the reader's bytes, if it is stored
  std::int16_t version = 0;
  std::uint32_t checksum = 0; ///< of the class, if the version is not above 0
  bool isMemberWise = false;  ///< a collection whose elements are stored member by member
};

/// Reads the beginning of an object. Throws Error(corrupt) if the object ends behind the bytes.
[[nodiscard]] ObjectHeader readFrame(BigEndianReader& reader);

/// Reads the beginning of a collection, which has no checksum.
[[nodiscard]] ObjectHeader readCollectionFrame(BigEndianReader& reader);

/// Moves to the end of the object. Throws Error(corrupt) if the reader is behind that end.
void endFrame(BigEndianReader& reader, const ObjectHeader& frame);
/// Like endFrame() for objects that must be read to their end.
void endWholeFrame(BigEndianReader& reader, const ObjectHeader& frame);

/// Skips a TObject. Returns its bits.
std::uint32_t skipTObject(BigEndianReader& reader);

} // namespace kaon::root
