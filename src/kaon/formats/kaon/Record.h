#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/codec/Codec.h>
#include <kaon/formats/kaon/Format.h>
#include <kaon/io/ByteSource.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace kaon::store {

/// A record that is expected, for messages too.
struct RecordPlace {
  const std::string& file;
  std::uint64_t fileId;
  RecordKind kind;
  std::uint64_t position;
};

/// Whether it is the header of a record of this file.
[[nodiscard]] bool isSound(const RecordHeader& header, std::uint64_t fileId);

/// The header of the record at `position`, if there is a sound one whose bytes lie in the file.
[[nodiscard]] std::optional<RecordHeader> recordAt(const io::ByteSource& source,
                                                   std::uint64_t fileId, std::uint64_t position);

/// Where the next sound record begins behind one at `position` that is not; the source's size if
/// there is none within 256 MiB.
[[nodiscard]] std::uint64_t nextRecord(const io::ByteSource& source, std::uint64_t fileId,
                                       std::uint64_t position);

/// What such a record takes, up to where the next one may begin.
[[nodiscard]] std::uint64_t extentOf(const io::ByteSource& source, const RecordHeader& header,
                                     std::uint64_t position);

/// Checks a record, header and meta bytes, and returns its header. Throws Error(corrupt).
RecordHeader checkRecord(std::span<const std::byte> record, const RecordPlace& place);

/// A record's meta bytes, as 64-bit numbers must lie. `scratch` is what the record was read with.
[[nodiscard]] std::span<const std::byte> alignedMeta(std::span<const std::byte> record,
                                                     Buffer& scratch);

/// Reads and checks a record of which the size is known. Returns its meta bytes, which lie in the
/// source or in `scratch`, aligned. Throws Error(corrupt).
[[nodiscard]] std::span<const std::byte> readRecord(const io::ByteSource& source,
                                                    const RecordPlace& place,
                                                    std::uint64_t metaSize, RecordHeader& header,
                                                    Buffer& scratch);

/// The meta bytes of a schema, a document or an index: its body, shrunk if that pays.
[[nodiscard]] Buffer shrunk(std::span<const std::byte> body, Compression how);
/// The body in such meta bytes, which are aligned: it lies in them or in `scratch`. `where` is for
/// the message: throws Error(corrupt).
[[nodiscard]] std::span<const std::byte> bodyOf(std::span<const std::byte> meta, Buffer& scratch,
                                                const std::string& where);

} // namespace kaon::store
