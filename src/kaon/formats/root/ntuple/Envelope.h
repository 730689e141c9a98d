#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Bytes.h>
#include <kaon/formats/root/container/RootContainer.h>
#include <kaon/formats/root/ntuple/NTupleAnchor.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kaon::root {

/// The kinds of envelopes. The values are those in files.
enum class EnvelopeType : std::uint16_t { header = 1, footer = 2, pageList = 3 };

/// The payload of an envelope, and the checksum that other envelopes store to refer to it.
struct Envelope {
  std::span<const std::byte> payload; ///< in the buffer it was read into, or in the file
  std::uint64_t checksum = 0;
};

/// Returns the bytes at a locator. They are in the file or in `storage`. Blobs of more than
/// `maxKeySize` bytes are joined from several records. `where` is for messages. Throws
/// Error(corrupt).
[[nodiscard]] std::span<const std::byte> readBlob(const io::ByteSource& bytes,
                                                  const Locator& locator, std::uint64_t maxKeySize,
                                                  Buffer& storage, const std::string& where);

/// Decompresses and verifies an envelope. Its payload is in `storage` or in the stored bytes.
/// Throws Error(corrupt).
[[nodiscard]] Envelope openEnvelope(std::span<const std::byte> stored, EnvelopeType type,
                                    std::uint64_t length, Buffer& storage,
                                    const std::string& where);

// The parts of envelopes. All of these functions throw Error(corrupt) instead of reading past the
// end.

/// Returns the bytes of the next record. Fields that later versions of the format append to it are
/// skipped.
[[nodiscard]] ByteReader takeRecord(ByteReader& reader);

/// The items of a list, and their number. The number is checked against the size of the list.
struct ItemList {
  ByteReader items;
  std::uint32_t count = 0;
};
[[nodiscard]] ItemList takeList(ByteReader& reader);

[[nodiscard]] Locator takeLocator(ByteReader& reader);
[[nodiscard]] EnvelopeLink takeLink(ByteReader& reader);

/// Throws Error(corrupt) with the place of the reader and the fault.
[[noreturn]] void failDamaged(const ByteReader& reader, std::string_view what);

/// Throws Error(version) for features that kaon does not know.
void checkFeatures(ByteReader& reader);

} // namespace kaon::root
