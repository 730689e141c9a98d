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

/// The place of a record.
struct SioRecordLocator {
  io::ByteRange range;     ///< of its header and data in the file
  std::uint32_t bytes = 0; ///< decompressed
  std::uint32_t name = 0;  ///< a number, see SioContainer::nameOf()
};

/// A SIO file with its records. All functions are thread-safe.
class SioContainer {
public:
  /// Walks from record to record and reads their headers only. If the file is truncated, reads the
  /// complete records and warns. `headers` are positions in order, probably of entries' headers. In
  /// distant files, the bytes there are fetched in one request. Throws Error(corrupt), Error(io).
  SioContainer(std::unique_ptr<io::ByteSource> bytes, const OpenOptions& options,
               std::span<const std::uint64_t> headers = {});

  [[nodiscard]] const io::ByteSource& bytes() const noexcept { return *m_bytes; }
  [[nodiscard]] const std::string& name() const noexcept { return m_bytes->name(); }
  [[nodiscard]] const OpenOptions& options() const noexcept { return m_options; }
  [[nodiscard]] std::span<const SioRecordLocator> records() const noexcept { return m_records; }
  [[nodiscard]] const std::string& nameOf(const SioRecordLocator& record) const noexcept {
    return m_names[record.name];
  }
  /// Returns the records of this name.
  [[nodiscard]] std::vector<SioRecordLocator> recordsNamed(std::string_view name) const;
  /// Returns the place of a record for messages: "events.slcio: record at byte 616".
  [[nodiscard]] std::string where(std::uint64_t position) const;

  /// A number that identifies the file, computed from its beginning and end.
  [[nodiscard]] std::uint64_t id() const noexcept { return m_id; }
  /// Whether the file ends with a complete record.
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
  std::vector<SioRecordLocator> m_records;
  std::uint64_t m_id = 0;
  bool m_isComplete = true;
};

} // namespace kaon::sio
