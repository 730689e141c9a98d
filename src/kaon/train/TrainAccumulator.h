#pragma once

#include <kaon/dataset/DatasetParts.h>
#include <kaon/dataset/PartBatches.h>
#include <kaon/detail/dataset/Action.h>
#include <kaon/train/TrainFiles.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace kaon {

/// Sorts a part's entries by the outputs that take them. The arguments are, in order: the entries'
/// numbers in their file, the selections of the outputs that have one, and the thinnings of the
/// streams.
class TrainAccumulator final : public detail::Accumulator {
public:
  explicit TrainAccumulator(std::shared_ptr<TrainFiles> files);
  ~TrainAccumulator() override;
  void begin(const detail::DatasetPart& part) override;
  void add(std::size_t entries, std::span<const detail::ArgumentValues> arguments) override;
  void commit() override;
  void merge(detail::Accumulator& /*next*/) override {} // the data are in the files

private:
  struct Group {
    OutputSet outputs;
    std::vector<detail::RowRange> runs = {};
  };
  /// The entries of an incomplete cluster that some outputs took completely so far. These outputs
  /// wait for its end, because they may then copy the stored cluster.
  struct HeldCluster {
    std::size_t number = 0; ///< in the file
    EntryRange range{0, 0};
    std::uint64_t next = 0; ///< the next expected entry
    OutputSet outputs = 0;
  };
  /// Which entries to copy from a batch: their numbers in the file, and the outputs that take each.
  struct SelectedEntries {
    std::span<const std::uint64_t> numbers;
    std::span<const OutputSet> outputs;
  };
  void use(const Source& source);
  [[nodiscard]] std::size_t endOfBatch(std::span<const std::uint64_t> numbers, std::size_t first);
  void select(std::size_t entries, std::span<const detail::ArgumentValues> arguments);
  void hold(std::span<const std::uint64_t> numbers, std::size_t first, std::size_t last);
  void settle();
  void release(OutputSet outputs, EntryRange entries);
  void copy(PartBatches& batches, const SelectedEntries& selected, std::size_t first,
            std::size_t last, std::span<const detail::ArgumentValues> arguments);
  void takeTurn();
  void gather(std::size_t stream, const Batch& batch);
  void group(const TrainStream& stream, const SelectedEntries& selected, std::size_t first,
             std::size_t last, std::uint64_t begin);
  void addToGroup(OutputSet outputs, std::size_t entry);
  [[nodiscard]] std::vector<TakenObjects>
  takenOf(const TrainStream& stream, const Batch& batch, const SelectedEntries& selected,
          std::size_t first, std::size_t last,
          std::span<const detail::ArgumentValues> arguments) const;

  std::shared_ptr<TrainFiles> m_files;
  detail::DatasetPart m_part;
  const Source* m_stored = nullptr; // the part's source before it took the form that is copied
  const Source* m_source = nullptr;
  std::vector<std::vector<std::uint32_t>> m_numbers; // of the source's tables in each stream
  std::vector<bool> m_isStored;        // whether each stream takes entries in stored form
  std::vector<std::uint32_t> m_wanted; // tables of the source that any stream takes
  bool m_hasTables = false;
  bool m_hasStored = false;
  PartBatches m_batches;
  PartBatches m_storedBatches;
  OutputSet m_takingClusters = 0;     // outputs that may copy clusters of the source
  std::vector<EntryRange> m_clusters; // of the source, if any output may copy them
  HeldCluster m_held;
  std::vector<OutputSet> m_selected; // the outputs that take each entry of a batch
  std::vector<Group> m_groups;
  std::size_t m_groupCount = 0; // in use
  std::unordered_map<OutputSet, std::size_t> m_groupOf;
  bool m_isTurn = false; // all earlier parts, and the gathered entries of this one, are written
  std::unique_ptr<TrainEntries> m_entries;
};

} // namespace kaon
