#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace kaon::root {

/// Entries that were written without a table that came later. Collections have no rows in them.
/// Values have the value for missing members.
class MissingRows {
public:
  /// The batch has all tables under the same root as `table`; other tables are empty. If `isThere`,
  /// entries have the root table, without rows. The schema must outlive this.
  MissingRows(const Schema& schema, TableNumber table, std::size_t entries, bool isThere);

  [[nodiscard]] const Batch& batch() const noexcept { return m_batch; }

private:
  Batch m_batch;
  std::vector<std::uint32_t> m_offsets; // of all tables
  std::vector<std::byte> m_present;
  std::deque<Buffer> m_rows;
};

} // namespace kaon::root
