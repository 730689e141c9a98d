#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/batch/EntrySelection.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/writing/JoinedBatch.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <string_view>
#include <vector>

namespace kaon {

/// Appends some entries of a batch to another, in the order of the list, which may repeat entries.
/// References lead to objects of the same entry and stay as they are. Throws Error(usage) for an
/// entry that the batch lacks, and as JoinedBatch::append().
void takeEntries(const Batch& batch, std::span<const std::size_t> entries, JoinedBatch& out);

/// A batch with only some objects of a collection, in all entries. All relations lead to the same
/// objects as before, also relations of other collections. The object owns the data that differ
/// from the batch. All else points into the batch, which must outlive it.
class SelectedRows {
public:
  /// `isTaken` has a value for each row of the collection. Throws Error(name) for an unknown
  /// collection. Throws Error(usage) if the number of values is wrong, if the batch lacks the
  /// collection or members of relations, or if offsets do not fit. Also throws it for a lost
  /// reference, if `lost` says so. Throws Error(corrupt) for a reference to an object that the
  /// entry lacks.
  SelectedRows(const Batch& batch, std::string_view collection, std::span<const bool> isTaken,
               LostReference lost);
  SelectedRows(const SelectedRows&) = delete;
  SelectedRows& operator=(const SelectedRows&) = delete;
  [[nodiscard]] const Batch& batch() const noexcept { return m_batch; }

private:
  void take(const Batch& from, TableNumber table);
  void takeOffsets(const Batch& from, TableNumber table);
  void takeMembers(const Batch& from, TableNumber table);
  void numberRows(const Batch& from, std::span<const bool> isTaken);
  void redirect(const Batch& from, std::uint32_t relation, LostReference lost);

  Batch m_batch;
  std::uint32_t m_collection;
  std::vector<std::vector<detail::RowRange>> m_taken; // of the collection and tables under it
  std::vector<std::int32_t> m_newIndices;             // of the collection's rows; -1 if not taken
  std::list<std::vector<std::uint32_t>> m_offsets;
  std::list<Buffer> m_values;
};

} // namespace kaon
