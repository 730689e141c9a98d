#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/hipo/Headers.h>
#include <kaon/formats/hipo/HipoDictionary.h>
#include <kaon/io/ByteSource.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kaon::hipo {

/// The place of a record with events.
struct HipoRecordLocator {
  std::uint64_t position = 0;
  std::uint64_t bytes = 0;
  std::uint64_t firstEntry = 0;
  std::uint32_t events = 0;
  std::uint64_t tag = 0; ///< of all its events; 0 without a tag

  [[nodiscard]] std::uint64_t lastEntry() const noexcept { return firstEntry + events; }
};

/// A HIPO file with its dictionary and records. All functions are thread-safe.
class HipoContainer {
public:
  /// Reads the header, the dictionary and the index. If the index is missing because the file is
  /// truncated or unfinished, searches the records and warns. Throws Error(corrupt),
  /// Error(version), Error(io).
  HipoContainer(std::unique_ptr<io::ByteSource> bytes, const OpenOptions& options);

  [[nodiscard]] const io::ByteSource& bytes() const noexcept { return *m_bytes; }
  [[nodiscard]] const std::string& name() const noexcept { return m_bytes->name(); }
  [[nodiscard]] const OpenOptions& options() const noexcept { return m_options; }
  [[nodiscard]] const HipoDictionary& dictionary() const noexcept { return m_dictionary; }
  /// The records with events, by position. If the options select tags, only records with these
  /// tags.
  [[nodiscard]] std::span<const HipoRecordLocator> records() const noexcept { return m_records; }
  [[nodiscard]] std::uint64_t entries() const noexcept {
    return m_records.empty() ? 0 : m_records.back().lastEntry();
  }
  /// The entries of each record.
  [[nodiscard]] std::vector<EntryRange> clusters() const;
  /// Returns the record of an entry, which must be less than entries().
  [[nodiscard]] std::size_t recordOf(std::uint64_t entry) const noexcept;
  /// Returns the place of a record for messages: "events.hipo: record at byte 616".
  [[nodiscard]] std::string where(const HipoRecordLocator& record) const;

  /// A number that identifies the file, computed from its header, first record and index.
  [[nodiscard]] std::uint64_t id() const noexcept { return m_id; }
  /// Whether the writer finished the file.
  [[nodiscard]] bool isComplete() const noexcept { return m_isComplete; }
  /// The size of file header and dictionary, and of the index.
  [[nodiscard]] std::uint64_t dictionaryBytes() const noexcept { return m_header.firstRecord; }
  [[nodiscard]] std::uint64_t indexBytes() const noexcept;

private:
  void readDictionary();
  [[nodiscard]] bool readIndex();
  [[nodiscard]] bool takeIndex(std::span<const std::byte> rows, bool isSwapped);
  void findRecords();
  void leaveOutOtherTags();
  void setId();

  std::unique_ptr<io::ByteSource> m_bytes;
  OpenOptions m_options;
  HipoFileHeader m_header;
  HipoDictionary m_dictionary;
  std::vector<HipoRecordLocator> m_records;
  std::uint64_t m_id = 0;
  bool m_isComplete = false;
};

} // namespace kaon::hipo
