#pragma once

#include <kaon/batch/Source.h>
#include <kaon/io/ByteSource.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::sio {

/// Where a record lies.
struct RecordPlace {
  io::ByteRange range;     ///< of its header and data in the file
  std::uint32_t bytes = 0; ///< decompressed
  std::uint32_t name = 0;  ///< a number, see Container::nameOf()
};

/// A SIO file as its records. All functions are safe for concurrent use.
class Container {
public:
  /// Goes from record to record, of which it reads the headers only. Where the file was cut, whole
  /// records are read, with a warning. In a distant file, what lies from these positions on, in
  /// order, is fetched at once: the headers of entries, most likely. Throws Error(corrupt),
  /// Error(io).
  Container(std::unique_ptr<io::ByteSource> bytes, const OpenOptions& options,
            std::span<const std::uint64_t> headers = {});

  [[nodiscard]] const io::ByteSource& bytes() const noexcept { return *m_bytes; }
  [[nodiscard]] const std::string& name() const noexcept { return m_bytes->name(); }
  [[nodiscard]] const OpenOptions& options() const noexcept { return m_options; }
  [[nodiscard]] std::span<const RecordPlace> records() const noexcept { return m_records; }
  [[nodiscard]] const std::string& nameOf(const RecordPlace& record) const noexcept {
    return m_names[record.name];
  }
  /// The records of this name.
  [[nodiscard]] std::vector<RecordPlace> recordsNamed(std::string_view name) const;
  /// "events.slcio: record at byte 616".
  [[nodiscard]] std::string where(std::uint64_t position) const;

  /// Tells the file from others: made of its beginning and its end.
  [[nodiscard]] std::uint64_t id() const noexcept { return m_id; }
  /// Whether it ends with a whole record.
  [[nodiscard]] bool isComplete() const noexcept { return m_isComplete; }

private:
  void holdHeaders(std::span<const std::uint64_t> positions);
  void findRecords();
  [[nodiscard]] std::uint32_t numberOf(std::string_view name);
  void setId();

  std::unique_ptr<io::ByteSource> m_bytes;
  std::shared_ptr<const void> m_held; // headers
  OpenOptions m_options;
  std::vector<std::string> m_names;
  std::vector<RecordPlace> m_records;
  std::uint64_t m_id = 0;
  bool m_isComplete = true;
};

} // namespace kaon::sio
