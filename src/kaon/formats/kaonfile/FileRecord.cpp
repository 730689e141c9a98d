#include <kaon/formats/kaonfile/FileRecord.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/codec/BlockCompression.h>
#include <kaon/codec/Decompressors.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <cstring>

namespace kaon::kaonfile {

bool isSound(const RecordHeader& header, std::uint64_t fileId) {
  return header.magic == recordMagic && header.fileId == fileId &&
         header.checksum == checksum(bytesBefore(header, offsetof(RecordHeader, checksum)));
}

std::optional<RecordHeader> recordAt(const io::ByteSource& source, std::uint64_t fileId,
                                     std::uint64_t position) {
  if (position > source.size() || source.size() - position < sizeof(RecordHeader))
    return std::nullopt;
  Buffer scratch;
  const auto header =
      detail::loadAs<RecordHeader>(source.view(position, sizeof(RecordHeader), scratch).data());
  const std::uint64_t rest = source.size() - position - sizeof(RecordHeader);
  if (!isSound(header, fileId) || header.metaSize > rest)
    return std::nullopt;
  const std::uint64_t pages = aligned(position + sizeof(RecordHeader) + header.metaSize);
  if (header.pagesSize > 0 && (pages > source.size() || header.pagesSize > source.size() - pages))
    return std::nullopt;
  return header;
}

std::uint64_t nextRecord(const io::ByteSource& source, std::uint64_t fileId, std::uint64_t position,
                         std::uint64_t most) {
  const std::uint64_t last =
      position + std::min(source.size() - std::min(source.size(), position), most);
  Buffer scratch;
  // Starts with a small read, because the next record is mostly near.
  std::uint64_t count = 2 * 1024;
  for (std::uint64_t begin = aligned(position + 1); begin < last; begin += count) {
    count = std::min(std::min<std::uint64_t>(2 * count, 1 << 20), source.size() - begin);
    const auto bytes = source.view(begin, count, scratch);
    for (std::uint64_t at = 0; at + sizeof(RecordHeader) <= count; at += alignment)
      if (detail::loadAs<std::uint32_t>(bytes.data() + at) == recordMagic &&
          recordAt(source, fileId, begin + at))
        return begin + at;
  }
  return source.size();
}

namespace {

void checkVersion(const FileHeader& header, const std::string& file) {
  if (header.version != formatVersion || (header.flags & essentialFlags & ~sealedBlocks) != 0)
    fail(ErrorKind::version, file, ": is of format version ", header.version, " with flags ",
         header.flags, "; this kaon reads version ", formatVersion,
         ": use the kaon that wrote it, or a newer one");
}

} // namespace

bool isSound(const FileHeader& header, const std::string& file) {
  if (header.magic != fileMagic ||
      header.checksum != checksum(bytesBefore(header, offsetof(FileHeader, checksum))))
    return false;
  checkVersion(header, file);
  return true;
}

FileHeader headerOf(const RecordHeader& record, const std::string& file) {
  FileHeader header;
  header.flags = record.entries;
  header.fileId = record.fileId;
  checkVersion(header, file);
  return header;
}

std::optional<EndRecord> endOf(std::span<const std::byte> tail) {
  if (tail.size() < sizeof(EndRecord) || (tail.size() - sizeof(EndRecord)) % alignment != 0)
    return std::nullopt;
  const std::byte* const begin = tail.last(sizeof(EndRecord)).data();
  const auto end = detail::loadAs<EndRecord>(begin);
  const auto header = detail::loadAs<RecordHeader>(begin);
  if (!isSound(header, end.fileId) || end.kind != RecordKind::end ||
      end.metaSize != sizeof(FileHeader))
    return std::nullopt;
  return end;
}

std::uint64_t extentOf(const io::ByteSource& source, const RecordHeader& header,
                       std::uint64_t position) {
  return std::min(behind(position, header), source.size()) - position;
}

std::span<const std::byte> alignedMeta(std::span<const std::byte> record, Buffer& scratch) {
  const auto meta = record.subspan(sizeof(RecordHeader));
  if (detail::addressOf(meta.data()) % alignof(std::uint64_t) == 0)
    return meta;
  scratch.clear(); // `scratch` is aligned, so the source is in memory at an odd address.
  scratch.append(meta);
  return scratch.bytes();
}

RecordHeader checkRecord(std::span<const std::byte> record, const ExpectedRecord& place) {
  const auto damaged = [&](const char* what) {
    fail(ErrorKind::corrupt, place.file, ": byte ", place.position, ": ", what,
         "; the file is damaged");
  };
  const auto header = detail::loadAs<RecordHeader>(record.data());
  if (header.magic != recordMagic ||
      header.checksum != checksum(bytesBefore(header, offsetof(RecordHeader, checksum))))
    damaged("there is no record of a kaon file");
  if (header.fileId != place.fileId || header.kind != place.kind ||
      header.metaSize != record.size() - sizeof header)
    damaged("the record is not the expected one, or belongs to another file");
  if (header.metaChecksum != checksum(record.subspan(sizeof header)))
    damaged("the record does not match its checksum");
  return header;
}

std::span<const std::byte> readRecord(const io::ByteSource& source, const ExpectedRecord& place,
                                      std::uint64_t metaSize, RecordHeader& header,
                                      Buffer& scratch) {
  if (metaSize > source.size())
    fail(ErrorKind::corrupt, source.name(), ": byte ", place.position,
         ": a record would be larger than the file; the file is damaged");
  const auto record = source.view(place.position, sizeof header + metaSize, scratch);
  header = checkRecord(record, place);
  return alignedMeta(record, scratch);
}

Buffer shrunk(std::span<const std::byte> body, Compression how) {
  // Large bodies are decompressed on each opening, which must be fast.
  constexpr std::size_t large = 256 * 1024;
  if (how.codec != Codec::none)
    how = body.size() > large ? lz4() : Compression{how.codec, std::max(how.level, 3)};
  BodyHead head{body.size(), 0, 0};
  Buffer meta;
  meta.append(std::as_bytes(std::span(&head, 1)));
  if (how.codec == Codec::none || !codec::compress(how, body, meta)) {
    meta.append(body);
    return meta;
  }
  head.codec = static_cast<std::uint32_t>(how.codec);
  std::memcpy(meta.data(), &head, sizeof head);
  return meta;
}

std::span<const std::byte> bodyOf(std::span<const std::byte> meta, Buffer& scratch,
                                  const std::string& where) {
  const auto damaged = [&](const char* what) {
    fail(ErrorKind::corrupt, where, ": ", what, "; the file is damaged");
  };
  if (meta.size() < sizeof(BodyHead))
    damaged("it ends too early");
  const auto head = detail::loadAs<BodyHead>(meta.data());
  const auto stored = meta.subspan(sizeof head);
  if (head.codec == 0) {
    if (head.size > stored.size())
      damaged("it ends too early");
    return stored.first(static_cast<std::size_t>(head.size));
  }
  if (!isPlausible(stored.size(), head.size))
    damaged("it claims to hold more than it can");
  const auto body = scratch.assign(static_cast<std::size_t>(head.size));
  if (head.codec > static_cast<std::uint32_t>(Codec::lzma))
    damaged("it does not decode");
  const auto codec = static_cast<Codec>(head.codec);
  codec::requireDecompressor(codec);
  if (!codec::decompress(codec, stored, body))
    damaged("it does not decode");
  return body;
}

} // namespace kaon::kaonfile
