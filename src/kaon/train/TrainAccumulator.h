#pragma once

#include <kaon/dataset/Action.h>
#include <kaon/dataset/PartBatches.h>
#include <kaon/train/TrainFiles.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace kaon {

/// Sorts a part's entries by the outputs that take them. The first argument is their numbers in the
/// file that they are from; then come the selections of the outputs that have any, in order, and
/// the thinnings of streams.
class TrainAccumulator final : public Accumulator {
public:
  explicit TrainAccumulator(std::shared_ptr<TrainFiles> files);
  ~TrainAccumulator() override;
  void begin(const DatasetPart& part) override;
  void add(std::size_t entries, std::span<const ArgumentValues> arguments) override;
  void commit() override;
  void merge(Accumulator& /*next*/) override {} // it is in the files

private:
  struct Group {
    OutputSet outputs;
    std::vector<RowRange> runs = {};
  };
  void select(std::size_t entries, std::span<const ArgumentValues> arguments);
  void copy(std::span<const std::uint64_t> numbers, std::size_t first, std::size_t last,
            std::span<const ArgumentValues> arguments);
  void group(const TrainStream& stream, std::span<const std::uint64_t> numbers, std::size_t first,
             std::size_t last, std::uint64_t begin);
  void addToGroup(OutputSet outputs, std::size_t entry);
  [[nodiscard]] std::vector<TakenObjects> takenOf(const TrainStream& stream, const Batch& batch,
                                                  std::span<const std::uint64_t> numbers,
                                                  std::size_t first, std::size_t last,
                                                  std::span<const ArgumentValues> arguments) const;

  std::shared_ptr<TrainFiles> m_files;
  DatasetPart m_part;
  const Source* m_source = nullptr;
  std::vector<std::vector<std::uint32_t>> m_numbers; // of the source's tables in each stream
  bool m_hasTables = false;
  PartBatches m_batches;
  std::vector<OutputSet> m_selected; // which outputs take each entry of a batch
  std::vector<Group> m_groups;
  std::size_t m_groupCount = 0; // in use
  std::unordered_map<OutputSet, std::size_t> m_groupOf;
  std::unique_ptr<TrainEntries> m_entries;
};

} // namespace kaon
