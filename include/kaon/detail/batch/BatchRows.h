#pragma once

#include <kaon/batch/Batch.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kaon::detail {

/// Rows of a table in a batch: [first, last).
struct RowRange {
  std::size_t first = 0;
  std::size_t last = 0;
  [[nodiscard]] std::size_t size() const noexcept { return last - first; }
};

/// Returns the rows of a counted table under these rows of its parent, or under these entries.
/// Throws Error(usage) if offsets decrease or exceed the table's rows.
[[nodiscard]] RowRange rowsUnder(const Batch& batch, TableNumber table, RowRange above);

/// Returns the rows of each table that belong to the entries [first, last), counted from the
/// batch's first entry. The batch must have all tables. Throws Error(usage) if offsets decrease or
/// exceed a table's rows.
[[nodiscard]] std::vector<RowRange> rowsOf(const Batch& batch, std::size_t first, std::size_t last);

/// Returns the size of these entries in memory, in bytes: rows and their counts.
[[nodiscard]] std::uint64_t bytesOf(const Batch& batch, std::size_t first, std::size_t last);

/// Returns the end of the shortest run of entries from `first` on with at least this many bytes or
/// entries. If all entries have fewer, returns the end of the batch.
[[nodiscard]] std::size_t endOfRun(const Batch& batch, std::size_t first, std::uint64_t bytes,
                                   std::size_t entries);

/// Consecutive entries of a batch as a batch of their own, which points into the original.
class BatchSlice {
public:
  /// `schema` has the batch's tables, possibly with other layouts. Both must outlive the slice.
  BatchSlice(const Batch& batch, std::size_t first, std::size_t last, const Schema& schema);
  BatchSlice(const BatchSlice&) = delete;
  BatchSlice& operator=(const BatchSlice&) = delete;
  [[nodiscard]] const Batch& batch() const noexcept { return m_batch; }

private:
  Batch m_batch;
  std::vector<std::vector<std::uint32_t>> m_offsets; // offsets that did not begin with 0
};

} // namespace kaon::detail
