#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/hipo/Dictionary.h>
#include <kaon/formats/hipo/Headers.h>
#include <kaon/io/ByteSource.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kaon::hipo {

/// Where a record with events lies.
struct RecordPlace {
  std::uint64_t position = 0;
  std::uint64_t bytes = 0;
  std::uint64_t firstEntry = 0;
  std::uint32_t events = 0;
  std::uint64_t tag = 0; ///< of all its events; 0: none

  [[nodiscard]] std::uint64_t lastEntry() const noexcept { return firstEntry + events; }
};

/// A HIPO file as its dictionary and records. All functions are safe for concurrent use.
class Container {
public:
  /// Reads the header, the dictionary and the index. Where there is no index, because the file was
  /// cut or not finished, its records are looked for, with a warning. Throws Error(corrupt),
  /// Error(version), Error(io).
  Container(std::unique_ptr<io::ByteSource> bytes, const OpenOptions& options);

  [[nodiscard]] const io::ByteSource& bytes() const noexcept { return *m_bytes; }
  [[nodiscard]] const std::string& name() const noexcept { return m_bytes->name(); }
  [[nodiscard]] const OpenOptions& options() const noexcept { return m_options; }
  [[nodiscard]] const Dictionary& dictionary() const noexcept { return m_dictionary; }
  /// Those with events, by position; of the tags only that the options say.
  [[nodiscard]] std::span<const RecordPlace> records() const noexcept { return m_records; }
  [[nodiscard]] std::uint64_t entries() const noexcept {
    return m_records.empty() ? 0 : m_records.back().lastEntry();
  }
  /// The entries of each record.
  [[nodiscard]] std::vector<EntryRange> clusters() const;
  /// The number of the record with an entry, less than entries().
  [[nodiscard]] std::size_t recordOf(std::uint64_t entry) const noexcept;
  /// "events.hipo: record at byte 616".
  [[nodiscard]] std::string where(const RecordPlace& record) const;

  /// Tells the file from others: made of its header, its first record and its index.
  [[nodiscard]] std::uint64_t id() const noexcept { return m_id; }
  /// Whether its writer finished it.
  [[nodiscard]] bool isComplete() const noexcept { return m_isComplete; }
  /// Bytes of the file header and dictionary, and of the index.
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
  FileHeader m_header;
  Dictionary m_dictionary;
  std::vector<RecordPlace> m_records;
  std::uint64_t m_id = 0;
  bool m_isComplete = false;
};

} // namespace kaon::hipo
