#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/detail/batch/StridedCopy.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace kaon::detail {

/// Gathers entries, one at a time, into a batch. Tables may be added at any time: earlier entries
/// are then without them. Values and decorations that an entry is not given are what their members
/// are where they are missing, and lists are empty. Rows are kept as structs, as objects are in
/// memory; the sink cuts them into the columns of its layout. For one thread at a time.
class BatchBuilder {
public:
  BatchBuilder() = default;
  /// One for frames, many of which make a cluster: it cuts rows into the columns of their layout
  /// itself, a few at a time, while they are in the fastest cache.
  [[nodiscard]] static BatchBuilder ofColumns() {
    BatchBuilder builder;
    builder.m_makesColumns = true;
    return builder;
  }
  [[nodiscard]] const Schema& schema() const noexcept { return m_schema; }
  /// Throws Error(usage) for a table that does not fit.
  std::uint32_t add(const TableDefinition& table);

  /// Appends rows to a table and returns where they begin, for the caller to fill; the bytes
  /// between members may stay as they are. Valid until the next call for this table.
  std::byte* append(std::uint32_t table, std::size_t rows) {
    Rows& all = m_rows[table];
    if (rows > std::numeric_limits<std::uint32_t>::max() - all.count) [[unlikely]]
      failTooMany(table);
    all.count += rows;
    return all.rows.grow(rows * all.rowSize);
  }
  /// Counted tables under others: the rows of the parent's next row are complete.
  void endRow(std::uint32_t table) {
    m_rows[table].offsets.push_back(static_cast<std::uint32_t>(m_rows[table].count));
  }
  /// Ends a row of the parent with `count` rows, after rows of several parents were appended.
  void endRow(std::uint32_t table, std::uint32_t count);
  /// Root tables that can be absent: this entry has it, even if without rows.
  void setPresent(std::uint32_t table) { m_rows[table].isPresent = true; }
  void endEntry();
  /// Forgets what was appended since the last entry ended; tables that were added stay.
  void dropEntry() noexcept;

  /// The schema's, which is dear to ask for each entry.
  [[nodiscard]] TableKind kind(std::uint32_t table) const { return m_rows[table].kind; }
  [[nodiscard]] std::size_t entries() const noexcept { return m_entries; }
  [[nodiscard]] std::size_t rows(std::uint32_t table) const { return m_rows[table].count; }
  /// Those since the last entry ended.
  [[nodiscard]] std::size_t newRows(std::uint32_t table) const {
    return m_rows[table].count - m_rows[table].endedRows;
  }
  /// Memory that the rows take.
  [[nodiscard]] std::size_t bytes() const noexcept;

  /// What was gathered since clear(), as a batch that begins at `firstEntry`.
  [[nodiscard]] Batch batch(std::uint64_t firstEntry) const;
  /// Forgets the entries and keeps tables and memory.
  void clear();
  /// Forgets the entries and their memory, and keeps the tables.
  void release();

private:
  struct Column { // a member, cut from the rows
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
    Buffer values;
  };
  struct Rows;
  void cut(Rows& rows) const;
  void fill(std::uint32_t table, std::size_t rows);
  void fillLists(std::uint32_t table, std::size_t parents);
  [[noreturn]] void failTooMany(std::uint32_t table) const;
  struct Rows {
    std::uint32_t rowSize = 0; // of the table, which is dear to ask for each entry
    std::uint32_t parent = 0;
    TableKind kind = TableKind::collection;
    Buffer rows; // those that are not in columns yet
    std::vector<Column> columns;
    std::size_t cut = 0;       // how many rows are in columns
    std::size_t count = 0;     // of rows, which may have no bytes
    std::size_t endedRows = 0; // of them, those of entries that are ended
    std::vector<std::uint32_t> offsets{0};
    std::vector<std::byte> present;
    bool isPresent = false;
    /// So that the rows are somewhere, even if there are none.
    void takeMemory() {
      rows.reserve(std::max(rowSize, 1U));
      for (Column& column : columns)
        column.values.reserve(column.size);
    }
  };

  bool m_makesColumns = false;
  Schema m_schema;
  mutable std::vector<Rows> m_rows; // batch() cuts what is left
  mutable std::vector<StridedCopy> m_copies;
  std::size_t m_entries = 0;
};

} // namespace kaon::detail
