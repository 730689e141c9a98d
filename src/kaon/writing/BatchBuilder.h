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

/// Collects entries, one at a time, into a batch. You may add tables at any time; earlier entries
/// lack them. If an entry gives no data, values and decorations have the missing values of their
/// members, and lists are empty. Rows are kept as structs, like objects in memory; the sink cuts
/// them into the columns of its layout. For one thread at a time.
class BatchBuilder {
public:
  BatchBuilder() = default;
  /// Returns a builder for frames. A cluster has many frames. The builder therefore cuts rows into
  /// the columns of their layout itself, a few at a time, while they are in the fastest cache.
  [[nodiscard]] static BatchBuilder ofColumns() {
    BatchBuilder builder;
    builder.m_makesColumns = true;
    return builder;
  }
  [[nodiscard]] const Schema& schema() const noexcept { return m_schema; }
  /// Adds a table and returns its number. Throws Error(usage) for a table that does not fit.
  TableNumber add(const TableDefinition& table);

  /// Appends rows to a table and returns their address, for the caller to fill in. Bytes between
  /// members may stay as they are. The address is valid until the next call for this table.
  std::byte* append(TableNumber table, std::size_t rows) {
    Rows& all = m_rows[table];
    if (rows > std::numeric_limits<std::uint32_t>::max() - all.count) [[unlikely]]
      failTooMany(table);
    all.count += rows;
    return all.rows.grow(rows * all.rowSize);
  }
  /// Begins to take the rows of a huge entry as views, or ends it.
  void setViewing(bool isViewing) noexcept { m_isViewing = isViewing; }
  /// Whether to call view() for rows of this many bytes instead of append().
  [[nodiscard]] bool takesView(TableNumber table, std::size_t bytes) const noexcept {
    return m_isViewing && bytes >= leastView && m_rows[table].count == 0;
  }
  /// Appends rows in the caller's memory, `stride` bytes apart. Write the batch before they change.
  void view(TableNumber table, const std::byte* rows, std::size_t stride, std::size_t count);
  /// Whether the batch has rows in the memory of callers.
  [[nodiscard]] bool hasViews() const noexcept { return m_hasViews; }
  /// Ends the next row of the parent of a counted table: all rows under it were appended.
  void endRow(TableNumber table) {
    m_rows[table].offsets.push_back(static_cast<std::uint32_t>(m_rows[table].count));
  }
  /// Ends a row of the parent with `count` rows, after rows of several parents were appended.
  void endRow(TableNumber table, std::uint32_t count);
  /// Marks a root table that can be absent as present in this entry, even without rows.
  void setPresent(TableNumber table) { m_rows[table].isPresent = true; }
  void endEntry();
  /// Drops the data that were appended since the last endEntry(). Tables stay.
  void dropEntry() noexcept;

  /// Returns a table's kind, faster than schema() does.
  [[nodiscard]] TableKind kind(TableNumber table) const { return m_rows[table].kind; }
  [[nodiscard]] std::size_t entries() const noexcept { return m_entries; }
  [[nodiscard]] std::size_t rows(TableNumber table) const { return m_rows[table].count; }
  /// Returns the number of rows since the last endEntry().
  [[nodiscard]] std::size_t newRows(TableNumber table) const {
    return m_rows[table].count - m_rows[table].endedRows;
  }
  /// Returns the size of the rows in bytes.
  [[nodiscard]] std::size_t bytes() const noexcept;

  /// Returns the entries since clear() as a batch that begins at `firstEntry`.
  [[nodiscard]] Batch batch(std::uint64_t firstEntry) const;
  /// Drops the entries, and keeps tables and memory.
  void clear();
  /// Drops the entries and their memory, and keeps the tables.
  void release();

private:
  static constexpr std::size_t leastView = std::size_t{64} << 10;

  struct Column { // a member, cut from the rows
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
    Buffer values;
  };
  struct Rows;
  void cut(Rows& rows) const;
  [[nodiscard]] bool areCut(const Rows& rows) const;
  void fill(TableNumber table, std::size_t rows);
  void fillLists(TableNumber table, std::size_t parents);
  [[noreturn]] void failTooMany(TableNumber table) const;
  struct Rows {
    std::uint32_t rowSize = 0; // a copy; the schema is slow
    TableNumber parent = 0;
    TableKind kind = TableKind::collection;
    Buffer rows;                       // rows that are not in columns yet
    const std::byte* viewed = nullptr; // the rows, if they are in the caller's memory
    std::size_t stride = 0;            // of these
    std::vector<Column> columns;
    std::size_t cut = 0;       // number of rows in columns
    std::size_t count = 0;     // number of rows, which may have no bytes
    std::size_t endedRows = 0; // number of rows in ended entries
    std::vector<std::uint32_t> offsets{0};
    std::vector<std::byte> present;
    bool isPresent = false;
    /// Reserves memory, so that rows have an address even if the table is empty.
    void takeMemory() {
      rows.reserve(std::max(rowSize, 1U));
      for (Column& column : columns)
        column.values.reserve(column.size);
    }
  };

  bool m_makesColumns = false;
  bool m_isViewing = false;
  bool m_hasViews = false;
  Schema m_schema;
  mutable std::vector<Rows> m_rows; // batch() cuts the last rows
  mutable std::vector<StridedCopy> m_copies;
  std::size_t m_entries = 0;
};

} // namespace kaon::detail
