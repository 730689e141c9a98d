#pragma once

#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/DatasetParts.h>
#include <kaon/reading/Batches.h>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace kaon {

/// Whole tables of the parts of a dataset. Only batches that are requested are decoded. For one
/// thread.
class PartBatches {
public:
  /// Begins a part. Reads the tables of its schema whose number in `numbers` is not Table::none.
  void begin(const detail::DatasetPart& part, std::span<const std::uint32_t> numbers);
  /// Returns the batch with an entry, given by its number in the file. Batches must be requested in
  /// order.
  [[nodiscard]] const Batch& at(std::uint64_t entry);
  /// Returns the range of the batch with an entry, without decoding it.
  [[nodiscard]] EntryRange rangeAt(std::uint64_t entry);

private:
  const Source* m_source = nullptr;
  std::vector<std::uint32_t> m_tables;
  std::vector<TableMember> m_members;
  std::optional<Batches> m_batches;
  bool m_isLoaded = false; // the whole batch is decoded
};

} // namespace kaon
