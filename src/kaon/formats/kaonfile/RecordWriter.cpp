#include <kaon/formats/kaonfile/RecordWriter.h>

#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>

#include <algorithm>
#include <array>
#include <utility>

namespace kaon::kaonfile {
namespace {

FileHeader headerOf(const FileIdentity& file) {
  FileHeader header;
  header.flags = file.flags;
  header.fileId = file.id;
  header.checksum = checksum(bytesBefore(header, offsetof(FileHeader, checksum)));
  return header;
}

} // namespace

RecordWriter::RecordWriter(std::unique_ptr<io::ByteSink> sink, FileIdentity file)
    : m_sink(std::move(sink)), m_file(file) {
  const FileHeader header = headerOf(file);
  put(std::as_bytes(std::span(&header, 1)));
}

RecordWriter::RecordWriter(std::unique_ptr<io::ByteSink> sink, FileIdentity file, std::uint64_t end)
    : m_sink(std::move(sink)), m_file(file), m_end(m_sink->start()) {
  if (m_end != end)
    fail(ErrorKind::io, m_sink->name(), ": changed while it was opened; try again");
}

std::uint64_t RecordWriter::position() const noexcept { return aligned(m_end); }

void RecordWriter::write(RecordHeader header, std::span<const std::byte> meta,
                         std::span<const std::byte> pages, const io::SpillFile* before) {
  align();
  header.fileId = m_file.id;
  if (header.kind != RecordKind::cluster && header.kind != RecordKind::tags)
    header.entries = m_file.flags; // for readers of files with a damaged header
  header.metaSize = meta.size();
  header.pagesSize = (before ? before->size() : 0) + pages.size();
  header.metaChecksum = checksum(meta);
  header.checksum = checksum(bytesBefore(header, offsetof(RecordHeader, checksum)));
  put(std::as_bytes(std::span(&header, 1)));
  put(meta);
  align();
  if (before)
    putAll(*before);
  put(pages);
}

void RecordWriter::writeIndex(std::span<const std::byte> meta) {
  EndRecord end;
  end.fileId = m_file.id;
  end.indexPosition = position();
  end.indexSize = meta.size();
  end.header = headerOf(m_file);
  end.metaChecksum = checksum(std::as_bytes(std::span(&end.header, 1)));
  end.checksum = checksum(bytesBefore(end, offsetof(EndRecord, checksum)));
  RecordHeader header;
  header.kind = RecordKind::index;
  write(header, meta);
  put(std::as_bytes(std::span(&end, 1)));
}

void RecordWriter::put(std::span<const std::byte> bytes) {
  m_sink->write(bytes);
  m_end += bytes.size();
}

/// Copies a file a few bytes at a time.
void RecordWriter::putAll(const io::SpillFile& file) {
  constexpr std::uint64_t most = std::uint64_t{1} << 20;
  Buffer part;
  for (std::uint64_t at = 0; at < file.size(); at += part.size()) {
    file.read(at, part.assign(static_cast<std::size_t>(std::min(most, file.size() - at))));
    put(part.bytes());
  }
}

void RecordWriter::align() {
  static constexpr std::array<std::byte, alignment> zeros{};
  put(std::span(zeros).first(static_cast<std::size_t>(aligned(m_end) - m_end)));
}

} // namespace kaon::kaonfile
