#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/batch/Source.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/writing/ClusterQueue.h>
#include <kaon/writing/JoinedBatch.h>
#include <kaon/writing/MemoryBudget.h>
#include <kaon/writing/WriterOptions.h>

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

/// A set of a train's outputs: bit i stands for output i.
using OutputSet = std::uint64_t;
inline constexpr std::size_t mostOutputs = 64;

/// Smaller sets of entries are encoded with other entries of a file: their pages would be too
/// small.
inline constexpr std::size_t leastCluster = std::size_t{512} << 10;

/// Calls a function with the number of each output.
void forEachOutput(OutputSet outputs, const auto& call) {
  for (; outputs != 0; outputs &= outputs - 1)
    call(static_cast<std::size_t>(std::countr_zero(outputs)));
}

/// Entries on their way to several files with equal contents per entry. Entries for the same files
/// are gathered together, encoded once, and appended to each of these files. A file therefore keeps
/// the order of its entries only among those that go to the same set of files. If too many sets
/// share the memory, small sets are dissolved, and their entries are encoded for each file. The
/// output depends only on the entries and their order. For one thread at a time; clusters are
/// encoded in the background.
class SharedClusters {
public:
  /// `sinks` are those of all outputs, by number. Sinks and budget must outlive this object. The
  /// sink number `encoder` learns which encodings suit the data. Entries are gathered in `room`
  /// bytes, at least 1. The files must already have the category with these tables.
  SharedClusters(const std::vector<std::unique_ptr<Sink>>& sinks, std::size_t encoder,
                 std::string category, const Schema& schema, const WriterOptions& options,
                 std::size_t room, detail::MemoryBudget& budget);

  /// Adds runs of entries of a batch to these files. The batch has the tables, or holds stored
  /// entries. Throws the errors of Sink::encode() and append(); the files can then not be
  /// completed.
  void write(OutputSet outputs, const Batch& batch, std::span<const detail::RowRange> runs);
  /// Writes all entries of a batch.
  void write(OutputSet outputs, const Batch& batch) {
    const detail::RowRange all{0, batch.entries()};
    write(outputs, batch, std::span(&all, 1));
  }
  /// Adds a stored cluster with `entries` entries to these files, after all entries that went to
  /// each of them alone. The cluster points into `file`.
  void copy(OutputSet outputs, std::unique_ptr<detail::EncodedBatch> stored, std::size_t entries,
            std::shared_ptr<const File> file);
  /// Writes the gathered entries.
  void finish();

  /// Returns the number of entries that a file has got so far.
  [[nodiscard]] std::uint64_t entries(std::size_t output) const noexcept {
    return m_entries[output];
  }
  /// Returns the number of entries that were encoded, for all files.
  [[nodiscard]] std::uint64_t encodedEntries() const noexcept { return m_encodedEntries; }
  /// Returns the number of entries that were copied, counted once per file.
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
  void append(std::unique_ptr<detail::EncodedBatch> encoded);

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
  std::unique_ptr<JoinedBatch> m_piece; // runs that may exceed the room in a cluster
  ClusterQueue m_queue;                 // declared after the members that its tasks use
};

} // namespace kaon
