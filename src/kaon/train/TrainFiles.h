#pragma once

#include <kaon/batch/BatchWriter.h>
#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/PartOrder.h>
#include <kaon/train/EntryContents.h>
#include <kaon/train/SharedClusters.h>
#include <kaon/train/TrainPlan.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace kaon {

/// Outputs of a train that hold the same of an entry, which they may share.
struct TrainStream {
  /// The objects of a collection that they take.
  struct Thinning {
    std::string collection;
    std::size_t argument; // of the action, which says for each object whether it is taken
    LostReference lost;
  };
  OutputSet outputs = 0;
  EntryContents contents;
  std::vector<Thinning> thinnings = {};
  bool isShared = true;       ///< else each entry is encoded for each of them
  bool isWhole = false;       ///< entries may be copied as they are stored: nothing is thinned
  bool takesClusters = false; ///< as .kaon files store them
  std::unique_ptr<SharedClusters> clusters = nullptr;
};

/// Entries of a part of the dataset on their way to streams, before it is their turn.
struct TrainEntries {
  using Sets = std::map<OutputSet, std::unique_ptr<JoinedBatch>>;
  std::vector<Sets> streams;
  std::vector<OutputSet> decisions;
  std::uint64_t count = 0;
  std::size_t bytes = 0;
  void clear();
};

/// The files of a train while its dataset is gone through. Any thread.
class TrainFiles {
public:
  /// Begins the files; what they hold, the streams say. In a trial nothing is written, and there
  /// are `trialScale` times as many entries as those that come.
  TrainFiles(std::vector<TrainOutput> outputs, TrainOptions options,
             std::shared_ptr<const Dataset> dataset, std::optional<double> trialScale,
             std::vector<TrainStream> streams);
  TrainFiles(const TrainFiles&) = delete;
  TrainFiles& operator=(const TrainFiles&) = delete;

  [[nodiscard]] const std::vector<TrainOutput>& outputs() const noexcept { return m_outputs; }
  [[nodiscard]] const std::vector<TrainStream>& streams() const noexcept { return m_streams; }
  [[nodiscard]] bool hasDecisions() const noexcept {
    return !m_options.decisions.empty() && !m_trialScale;
  }

  /// Whether a stream takes the entries of a source as they are stored: StoredEntries.
  [[nodiscard]] bool takesStored(const TrainStream& stream, const Source& source) const;

  /// Whether a cluster of a source may be copied: it has the entries that are wanted, or, where
  /// that is not said, is not small, as small ones are joined to others.
  [[nodiscard]] bool isLarge(const Source& source, std::size_t cluster, EntryRange range) const;

  /// Memory for a part's entries: empty.
  [[nodiscard]] std::unique_ptr<TrainEntries> take();
  void giveBack(std::unique_ptr<TrainEntries> entries);
  /// Waits until all parts before this one are written, and writes and clears some of its entries.
  void write(const DatasetPart& part, TrainEntries& entries);
  /// Whether all parts before this one are written.
  [[nodiscard]] bool isTurnOf(const DatasetPart& part) { return m_order.isTurnOf(part.number); }
  /// Adds runs of entries of a batch to outputs of a stream, when it is the turn of their part and
  /// what came before them is written.
  void add(std::size_t stream, OutputSet outputs, const Batch& batch,
           std::span<const RowRange> runs) {
    m_streams[stream].clusters->write(outputs, batch, runs);
  }
  /// Waits likewise, and copies a cluster of the part's file as it is stored, with the provenance
  /// of its entries if they have it, to outputs of a stream. False, and nothing is done, if the
  /// cluster is of another codec. `entries` are written before.
  [[nodiscard]] bool copy(const DatasetPart& part, std::size_t stream, OutputSet outputs,
                          std::size_t cluster, EntryRange range, TrainEntries& entries);
  /// The last entries of a part.
  void writeLast(const DatasetPart& part, TrainEntries& entries);
  /// Completes the files.
  [[nodiscard]] TrainReport finish();
  void interrupt() noexcept { m_order.interrupt(); }
  void abandon() noexcept;

private:
  [[nodiscard]] std::unique_ptr<Sink> sinkOf(const TrainOutput& output,
                                             const WriterOptions& options);
  [[nodiscard]] std::map<std::string, std::string> documents() const;
  void begin(TrainStream& stream, const std::map<std::string, std::string>& documents);
  void writeOtherCategories();
  void nameSource(const File& file);
  void warnOfUnread(const Source& source);
  void writeDecisions(const TrainEntries& entries);
  [[nodiscard]] std::uint64_t scaled(std::uint64_t ofTrial) const;
  [[nodiscard]] std::uint64_t bytesOf(std::size_t output) const;

  std::vector<TrainOutput> m_outputs;
  TrainOptions m_options;
  std::shared_ptr<const Dataset> m_dataset;
  std::optional<double> m_trialScale;
  MemoryBudget m_budget;
  std::vector<std::shared_ptr<std::uint64_t>> m_bytes; // of a trial
  std::vector<std::uint64_t> m_bytesBefore;            // those of them that come before the entries
  std::vector<std::unique_ptr<Sink>> m_sinks;          // by output
  std::vector<TrainStream> m_streams;
  std::optional<BatchWriter> m_decisions;
  std::vector<std::string> m_decisionNames;

  std::mutex m_mutex; // of the next
  std::vector<std::unique_ptr<TrainEntries>> m_idle;

  PartOrder m_order; // of what follows, and of what is written
  std::uint64_t m_entries = 0;
  std::set<std::uint64_t> m_sources; // files that are named in the outputs
  std::set<std::string> m_unread;    // what was warned of
};

} // namespace kaon
