#pragma once

#include <kaon/batch/Batches.h>
#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/DatasetParts.h>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace kaon {

/// Whole tables of the parts of a dataset, of which only those batches are decoded that are asked
/// for. For one thread.
class PartBatches {
public:
  /// Goes on with a part. `numbers` says of each table of its schema whether it is wanted, by a
  /// number that is not Table::none.
  void begin(const detail::DatasetPart& part, std::span<const std::uint32_t> numbers);
  /// The batch that has an entry of the part, by its number in the file; not one that lies before
  /// an earlier one.
  [[nodiscard]] const Batch& at(std::uint64_t entry);
  /// Returns the range of the batch that has an entry, without decoding it.
  [[nodiscard]] EntryRange rangeAt(std::uint64_t entry);

private:
  const Source* m_source = nullptr;
  std::vector<std::uint32_t> m_tables;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> m_members;
  std::optional<Batches> m_batches;
  bool m_isLoaded = false; // all of the batch
};

} // namespace kaon
