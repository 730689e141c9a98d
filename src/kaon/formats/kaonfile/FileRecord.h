#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/codec/Codec.h>
#include <kaon/formats/kaonfile/FileStructs.h>
#include <kaon/io/ByteSource.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace kaon::kaonfile {

/// An expected record, also for messages.
struct ExpectedRecord {
  const std::string& file;
  std::uint64_t fileId;
  RecordKind kind;
  std::uint64_t position;
};

/// Returns whether this is the header of a record of the file.
[[nodiscard]] bool isSound(const RecordHeader& header, std::uint64_t fileId);

/// Returns the header at `position` if it is sound and its record lies within the file.
[[nodiscard]] std::optional<RecordHeader> recordAt(const io::ByteSource& source,
                                                   std::uint64_t fileId, std::uint64_t position);

/// Returns the position of the next sound record behind a damaged one at `position`. Returns the
/// source's size if there is no sound record within `most` bytes.
[[nodiscard]] std::uint64_t nextRecord(const io::ByteSource& source, std::uint64_t fileId,
                                       std::uint64_t position,
                                       std::uint64_t most = std::uint64_t{256} << 20);

/// Returns whether the header of a file is sound. Throws Error(version) if a newer kaon is needed
/// to read the file.
[[nodiscard]] bool isSound(const FileHeader& header, const std::string& file);
/// Returns the file header that a schema, document, copy or index record states. Throws
/// Error(version).
[[nodiscard]] FileHeader headerOf(const RecordHeader& record, const std::string& file);
/// Returns the end record if the bytes end with a sound one. They must begin aligned. The record's
/// copy of the file header may be damaged, and matters only if the file's own header is.
[[nodiscard]] std::optional<EndRecord> endOf(std::span<const std::byte> tail);

/// Returns the size of a record up to the place of the next one.
[[nodiscard]] std::uint64_t extentOf(const io::ByteSource& source, const RecordHeader& header,
                                     std::uint64_t position);

/// Checks the header and meta bytes of a record, and returns its header. Throws Error(corrupt).
RecordHeader checkRecord(std::span<const std::byte> record, const ExpectedRecord& place);

/// Returns a record's meta bytes, aligned to 64 bits. `scratch` is the buffer that the record was
/// read with.
[[nodiscard]] std::span<const std::byte> alignedMeta(std::span<const std::byte> record,
                                                     Buffer& scratch);

/// Reads and checks a record of known size. Returns its meta bytes, aligned, in the source or in
/// `scratch`. Throws Error(corrupt).
[[nodiscard]] std::span<const std::byte> readRecord(const io::ByteSource& source,
                                                    const ExpectedRecord& place,
                                                    std::uint64_t metaSize, RecordHeader& header,
                                                    Buffer& scratch);

/// Returns the meta bytes of a schema, document or index: its body, compressed if that saves space.
[[nodiscard]] Buffer shrunk(std::span<const std::byte> body, Compression how);
/// Returns the body in aligned meta bytes, in place or in `scratch`. Throws Error(corrupt); `where`
/// is for messages.
[[nodiscard]] std::span<const std::byte> bodyOf(std::span<const std::byte> meta, Buffer& scratch,
                                                const std::string& where);

} // namespace kaon::kaonfile
