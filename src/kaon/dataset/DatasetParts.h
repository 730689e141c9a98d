#pragma once

#include <kaon/dataset/Dataset.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace kaon::detail {

/// Entries of one of a dataset's files that one thread goes through.
struct DatasetPart {
  std::size_t number = 0; ///< of the part, from 0
  std::shared_ptr<const File> file;
  const Source* source = nullptr;
  std::vector<EntryRange> clusters; ///< of the file; what of them is looked at
  std::size_t firstCluster = 0;     ///< the number of the first of them
  std::uint64_t firstEntry = 0;     ///< of the file, in the dataset
  std::size_t sample = 0;
};

/// The parts of a dataset in order, some of whose clusters each has: how they are cut depends on
/// the files only. Any thread.
class DatasetParts {
public:
  explicit DatasetParts(const Dataset& dataset) : m_dataset(&dataset) {}
  /// The next part; nothing at the end. Throws as open().
  [[nodiscard]] std::optional<DatasetPart> next();
  /// How much was given away so far, from 0 to 1.
  [[nodiscard]] double share() const;

private:
  bool openNext();

  const Dataset* m_dataset;
  mutable std::mutex m_mutex; // of all that follows
  std::size_t m_nextFile = 0;
  DatasetPart m_part;                 // the last one that was given away
  std::vector<EntryRange> m_clusters; // of the file
  std::size_t m_entriesOfPart = 0;    // at least
  std::size_t m_nextCluster = 0;
};

} // namespace kaon::detail
