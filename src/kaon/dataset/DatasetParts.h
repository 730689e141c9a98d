#pragma once

#include <kaon/dataset/Dataset.h>
#include <kaon/selecting/LeftOutColumns.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::detail {

/// Clusters of one file of a dataset that one thread processes.
struct DatasetPart {
  std::size_t number = 0; ///< number of the part, from 0
  std::shared_ptr<const File> file;
  const Source* source = nullptr;
  std::vector<EntryRange> clusters; ///< clusters of the file; passes may shorten them
  std::size_t firstCluster = 0;     ///< number of the first cluster
  std::uint64_t firstEntry = 0;     ///< number in the dataset of the file's first entry
  std::size_t sample = 0;
};

/// Returns a part of a category without some columns.
[[nodiscard]] DatasetPart without(const LeftOutColumns& leftOut, DatasetPart part,
                                  std::string_view category);

/// The parts of a dataset in order, each with some clusters of a file. The division depends only on
/// the files. Thread-safe.
class DatasetParts {
public:
  /// `check` is for Dataset::isGood().
  explicit DatasetParts(const Dataset& dataset, std::function<void(const Source&)> check = {})
      : m_dataset(&dataset), m_check(std::move(check)) {}
  /// Returns the next part; nothing at the end. Throws the errors of open() and Dataset::isGood().
  [[nodiscard]] std::optional<DatasetPart> next();
  /// Returns the fraction of the dataset in the parts returned so far, from 0 to 1.
  [[nodiscard]] double share() const;

private:
  bool openNext();

  const Dataset* m_dataset;
  std::function<void(const Source&)> m_check;
  mutable std::mutex m_mutex; // protects the following members
  std::size_t m_nextFile = 0;
  DatasetPart m_part;                 // the last part returned
  std::vector<EntryRange> m_clusters; // clusters of the current file
  std::size_t m_entriesOfPart = 0;    // at least
  std::size_t m_nextCluster = 0;
};

} // namespace kaon::detail
