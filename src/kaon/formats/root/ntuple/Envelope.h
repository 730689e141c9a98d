#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Bytes.h>
#include <kaon/formats/root/container/Container.h>
#include <kaon/formats/root/ntuple/Anchor.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kaon::root {

/// What an envelope describes. The values are those in files.
enum class EnvelopeType : std::uint16_t { header = 1, footer = 2, pageList = 3 };

/// The payload of an envelope, and the checksum by which others name it.
struct Envelope {
  std::span<const std::byte> payload; ///< in the buffer that it was read to, or in the file
  std::uint64_t checksum = 0;
};

/// The bytes at a locator, in the file or in `storage`. Those that are more than `maxKeySize` are
/// put together from several records. `where` is for messages. Throws Error(corrupt).
[[nodiscard]] std::span<const std::byte> readBlob(const io::ByteSource& bytes,
                                                  const Locator& locator, std::uint64_t maxKeySize,
                                                  Buffer& storage, const std::string& where);

/// The envelope in some stored bytes, decompressed and checked. It lies in `storage` or where the
/// stored bytes do. Throws Error(corrupt).
[[nodiscard]] Envelope openEnvelope(std::span<const std::byte> stored, EnvelopeType type,
                                    std::uint64_t length, Buffer& storage,
                                    const std::string& where);

// What envelopes consist of. All of these throw Error(corrupt) rather than read past the end.

/// What is in the next record. Where a later version of the format has more in it than is read,
/// that is passed over.
[[nodiscard]] ByteReader takeRecord(ByteReader& reader);

/// The items of a list, one after another, and how many they are: not more than their bytes allow.
struct ItemList {
  ByteReader items;
  std::uint32_t count = 0;
};
[[nodiscard]] ItemList takeList(ByteReader& reader);

[[nodiscard]] Locator takeLocator(ByteReader& reader);
[[nodiscard]] EnvelopeLink takeLink(ByteReader& reader);

/// Throws Error(corrupt) that names the reader's place and what is wrong there.
[[noreturn]] void failDamaged(const ByteReader& reader, std::string_view what);

/// Throws Error(version) for features that kaon does not know.
void checkFeatures(ByteReader& reader);

} // namespace kaon::root
