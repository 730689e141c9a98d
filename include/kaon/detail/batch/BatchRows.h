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

/// The rows of a counted table that lie under these rows of the table above it, or entries. Throws
/// Error(usage) if offsets fall, or lead beyond the rows.
[[nodiscard]] RowRange rowsUnder(const Batch& batch, std::uint32_t table, RowRange above);

/// The rows of each table that belong to the entries [first, last) of a batch, counted from the
/// batch's first entry. All tables of the batch are there. Throws Error(usage) if offsets fall, or
/// lead beyond the rows.
[[nodiscard]] std::vector<RowRange> rowsOf(const Batch& batch, std::size_t first, std::size_t last);

/// What these entries take in memory: rows and their counts.
[[nodiscard]] std::uint64_t bytesOf(const Batch& batch, std::size_t first, std::size_t last);

/// The end of the shortest run of entries, from `first` on, that takes at least so many bytes or
/// has so many entries; that of the batch if there is none.
[[nodiscard]] std::size_t endOfRun(const Batch& batch, std::size_t first, std::uint64_t bytes,
                                   std::size_t entries);

/// Consecutive entries of a batch as a batch of their own, which points into it.
class BatchSlice {
public:
  /// `schema` has the batch's tables, which may lie in other layouts. Both outlive the slice.
  BatchSlice(const Batch& batch, std::size_t first, std::size_t last, const Schema& schema);
  BatchSlice(const BatchSlice&) = delete;
  BatchSlice& operator=(const BatchSlice&) = delete;
  [[nodiscard]] const Batch& batch() const noexcept { return m_batch; }

private:
  Batch m_batch;
  std::vector<std::vector<std::uint32_t>> m_offsets; // those that do not begin with 0
};

} // namespace kaon::detail
