#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/detail/batch/BatchRows.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kaon {

/// Batches that are joined to one. It owns its schema, and its columns, each in one piece. For one
/// thread at a time.
class JoinedBatch {
public:
  explicit JoinedBatch(Schema schema);
  JoinedBatch(const JoinedBatch&) = delete;
  JoinedBatch& operator=(const JoinedBatch&) = delete;

  [[nodiscard]] const Schema& schema() const noexcept { return m_schema; }
  [[nodiscard]] std::size_t entries() const noexcept { return m_entries; }
  /// Returns the size of rows and counts in bytes.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return m_bytes; }
  /// Returns the maximum of bytes() so far, which is the memory that clear() keeps.
  [[nodiscard]] std::size_t mostBytes() const noexcept {
    return static_cast<std::size_t>(std::max(m_bytes, m_mostBytes));
  }

  /// Appends the entries [first, last) of a batch that has the same tables, in any layout. Throws
  /// Error(usage) if a member is missing, or a table gets more than 2^32 - 1 rows.
  void append(const Batch& batch, std::size_t first, std::size_t last) {
    const detail::RowRange entries{first, last};
    append(batch, std::span(&entries, 1));
  }
  /// Appends several runs of a batch's entries, in this order.
  void append(const Batch& batch, std::span<const detail::RowRange> entries);
  void append(const Batch& batch) { append(batch, 0, batch.entries()); }

  /// Returns all entries as a batch; valid until more are appended.
  [[nodiscard]] Batch batch(std::uint64_t firstEntry) const;
  /// Drops the entries and keeps the memory.
  void clear();

private:
  struct Rows { // of one table
    std::size_t count = 0;
    std::vector<std::uint32_t> offsets{0};
    Buffer present;
    std::vector<Buffer> members;
  };
  [[nodiscard]] std::size_t findRows(const Batch& batch, TableNumber table,
                                     std::span<const detail::RowRange> above);
  void appendOffsets(Rows& rows, std::span<const std::uint32_t> offsets);

  Schema m_schema;
  std::vector<Rows> m_tables;
  std::size_t m_entries = 0;
  std::uint64_t m_bytes = 0;
  std::uint64_t m_mostBytes = 0; // up to the last clear()
  std::vector<detail::FileEntries> m_origins;
  std::vector<std::vector<detail::RowRange>>
      m_ranges; // of append(), by table; kept for their memory
};

} // namespace kaon
