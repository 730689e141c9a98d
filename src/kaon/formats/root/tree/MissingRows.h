#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace kaon::root {

/// Entries that were written without a table that came later: it has no rows in them, or, if it is
/// a value, the one that its members have where they are missing.
class MissingRows {
public:
  /// The batch has what is under the same entries' table as `table`, and nothing of others. That
  /// table is there, without rows, if `isThere`. The schema outlives it.
  MissingRows(const Schema& schema, std::uint32_t table, std::size_t entries, bool isThere);

  [[nodiscard]] const Batch& batch() const noexcept { return m_batch; }

private:
  Batch m_batch;
  std::vector<std::uint32_t> m_offsets; // of all tables
  std::vector<std::byte> m_present;
  std::deque<Buffer> m_rows;
};

} // namespace kaon::root
