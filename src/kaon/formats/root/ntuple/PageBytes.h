#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/ntuple/NTuple.h>
#include <kaon/reading/PlannedReads.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace kaon::root {

/// Reads the stored bytes of pages for one reader. The portions of its plan are clusters.
class PageBytes {
public:
  explicit PageBytes(const NTuple& ntuple);

  /// Announces that these stored columns will be read for these entries.
  void plan(std::vector<std::uint32_t> columns, const EntrySelection& entries);
  /// See Cursor::hold().
  [[nodiscard]] std::shared_ptr<const void> hold() const { return m_reads.hold(); }
  /// Call this before an entry is read. Fetches its cluster if it is planned and not fetched yet.
  void reach(std::uint64_t entry) { m_reads.reach({entry, entry + 1}); }
  /// Bytes of the file that were fetched.
  [[nodiscard]] const io::FetchedRanges& fetched() const noexcept { return m_reads.fetched(); }

private:
  [[nodiscard]] PlannedReads::Portion portionAt(std::uint64_t entry) const;

  const NTuple& m_ntuple;
  std::vector<std::uint32_t> m_columns;
  PlannedReads m_reads;
};

} // namespace kaon::root
