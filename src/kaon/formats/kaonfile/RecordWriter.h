#pragma once

#include <kaon/formats/kaonfile/ClusterIdentity.h>
#include <kaon/formats/kaonfile/FileStructs.h>
#include <kaon/io/ByteSink.h>
#include <kaon/io/SpillFile.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace kaon::kaonfile {

/// Writes the records of a file at aligned positions. Throws Error(io). For one thread at a time.
class RecordWriter {
public:
  /// Begins a new file and writes its header; or, with the end of its last record, appends to a
  /// file.
  RecordWriter(std::unique_ptr<io::ByteSink> sink, FileIdentity file);
  RecordWriter(std::unique_ptr<io::ByteSink> sink, FileIdentity file, std::uint64_t end);

  [[nodiscard]] io::ByteSink& sink() noexcept { return *m_sink; }
  [[nodiscard]] const io::ByteSink& sink() const noexcept { return *m_sink; }
  /// Returns the position of the next record.
  [[nodiscard]] std::uint64_t position() const noexcept;

  /// `before` has pages before `pages`, unless it is null.
  void write(RecordHeader header, std::span<const std::byte> meta,
             std::span<const std::byte> pages = {}, const io::SpillFile* before = nullptr);
  /// Writes the index record and the end record.
  void writeIndex(std::span<const std::byte> meta);

private:
  void put(std::span<const std::byte> bytes);
  void putAll(const io::SpillFile& file);
  void align();

  std::unique_ptr<io::ByteSink> m_sink;
  FileIdentity m_file;
  std::uint64_t m_end = 0; // end of the written bytes
};

} // namespace kaon::kaonfile
