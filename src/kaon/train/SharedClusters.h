#pragma once

#include <kaon/batch/BatchRows.h>
#include <kaon/batch/ClusterQueue.h>
#include <kaon/batch/JoinedBatch.h>
#include <kaon/batch/MemoryBudget.h>
#include <kaon/batch/Sink.h>
#include <kaon/batch/Source.h>
#include <kaon/batch/WriterOptions.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kaon {

/// Some of the outputs of a train: bit i stands for output i.
using OutputSet = std::uint64_t;
inline constexpr std::size_t mostOutputs = 64;

/// Less than this is encoded with what else a file takes: pages would be too small.
inline constexpr std::size_t leastCluster = std::size_t{512} << 10;

/// Calls a function for the number of each output.
void forEachOutput(OutputSet outputs, const auto& call) {
  for (; outputs != 0; outputs &= outputs - 1)
    call(static_cast<std::size_t>(std::countr_zero(outputs)));
}

/// Entries on their way to several files that hold the same of an entry. What the same files take
/// is gathered together, encoded once, and appended to each of them. So entries of one file are in
/// the order in which they came as far as the same files take them. Where too many sets of files
/// share the memory, small ones are not kept apart, and their entries are encoded for each file.
/// What is written depends only on what came in which order. For one thread at a time; clusters are
/// encoded in the background.
class SharedClusters {
public:
  /// `sinks` are those of all outputs, by number, and outlive it, as the budget does. The one of
  /// `encoder` learns what suits the data. Of `room` bytes, at least 1, entries are gathered. The
  /// files have the category with these tables already.
  SharedClusters(const std::vector<std::unique_ptr<Sink>>& sinks, std::size_t encoder,
                 std::string category, const Schema& schema, const WriterOptions& options,
                 std::size_t room, MemoryBudget& budget);

  /// Adds runs of entries of a batch, which have the tables or are as they are stored, to these
  /// files. Throws as Sink::encode() and append() do: then the files cannot be completed.
  void write(OutputSet outputs, const Batch& batch, std::span<const RowRange> runs);
  /// Writes all entries of a batch.
  void write(OutputSet outputs, const Batch& batch) {
    const RowRange all{0, batch.entries()};
    write(outputs, batch, std::span(&all, 1));
  }
  /// Adds a cluster as it is stored, of so many entries, to these files, behind all that each has
  /// got alone. It points into the file.
  void copy(OutputSet outputs, std::unique_ptr<EncodedBatch> stored, std::size_t entries,
            std::shared_ptr<const File> file);
  /// Writes what was gathered.
  void finish();

  /// How many entries a file has got so far.
  [[nodiscard]] std::uint64_t entries(std::size_t output) const noexcept {
    return m_entries[output];
  }
  /// How many were encoded for all files.
  [[nodiscard]] std::uint64_t encodedEntries() const noexcept { return m_encodedEntries; }
  /// How many were copied, counted for each file.
  [[nodiscard]] std::uint64_t copiedEntries() const noexcept { return m_copiedEntries; }

private:
  using Sets = std::map<OutputSet, std::unique_ptr<JoinedBatch>>;
  [[nodiscard]] std::unique_ptr<JoinedBatch> emptyBatch(const Schema& schema);
  [[nodiscard]] std::size_t bytesOfCluster() const noexcept;
  [[nodiscard]] bool hasRoom(const JoinedBatch& gathered, const Batch& batch) const;
  void add(OutputSet outputs, const Batch& batch);
  void writeCluster(OutputSet outputs, std::unique_ptr<JoinedBatch> entries);
  void writeShared();
  [[nodiscard]] Sink& encoderOf(OutputSet outputs) const;
  void append(std::unique_ptr<EncodedBatch> encoded);

  const std::vector<std::unique_ptr<Sink>>& m_sinks;
  std::size_t m_encoder;
  std::string m_category;
  std::size_t m_clusterBytes;
  std::size_t m_clusterEntries;
  std::size_t m_room;
  std::array<std::uint64_t, mostOutputs> m_entries{};
  std::uint64_t m_encodedEntries = 0;
  std::uint64_t m_copiedEntries = 0;
  Sets m_sets;
  std::unique_ptr<JoinedBatch> m_piece; // runs that may be more than a cluster has room for
  ClusterQueue m_queue;                 // after what its tasks use
};

} // namespace kaon
