#pragma once

#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/DatasetParts.h>
#include <kaon/dataset/PartOrder.h>
#include <kaon/train/CopiedForm.h>
#include <kaon/train/EntryContents.h>
#include <kaon/train/SharedClusters.h>
#include <kaon/train/TrainPlan.h>
#include <kaon/writing/BatchWriter.h>

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

/// Outputs of a train with equal contents per entry, which they may share.
struct TrainStream {
  /// The objects of a collection that they take.
  struct Thinning {
    std::string collection;
    std::size_t argument; // number of the action's argument: whether each object is taken
    LostReference lost;
  };
  OutputSet outputs = 0;
  EntryContents contents;
  std::vector<Thinning> thinnings = {};
  bool isShared = true;       ///< false: each entry is encoded for each output
  bool isWhole = false;       ///< nothing is thinned: entries may be copied in stored form
  bool takesClusters = false; ///< may copy the clusters of .kaon files
  std::unique_ptr<SharedClusters> clusters = nullptr;
};

/// Entries of a part of the dataset that wait for the part's turn to be written to the streams.
struct TrainEntries {
  using Sets = std::map<OutputSet, std::unique_ptr<JoinedBatch>>;
  std::vector<Sets> streams;
  std::vector<OutputSet> decisions;
  std::uint64_t count = 0;
  std::size_t bytes = 0;
  void clear();
};

/// The output files of a train during its pass over the dataset. Any thread.
class TrainFiles {
public:
  /// Begins the files with the contents of the streams. A trial writes no files and scales its
  /// results by `trialScale`. The streams have the tables of `form`.
  TrainFiles(std::vector<TrainOutput> outputs, TrainOptions options,
             std::shared_ptr<const Dataset> dataset, std::optional<double> trialScale,
             std::vector<TrainStream> streams, CopiedForm form);
  TrainFiles(const TrainFiles&) = delete;
  TrainFiles& operator=(const TrainFiles&) = delete;

  [[nodiscard]] const std::vector<TrainOutput>& outputs() const noexcept { return m_outputs; }
  [[nodiscard]] const std::vector<TrainStream>& streams() const noexcept { return m_streams; }
  [[nodiscard]] bool hasDecisions() const noexcept {
    return !m_options.decisions.empty() && !m_trialScale;
  }

  /// A part in the form that is copied.
  [[nodiscard]] detail::DatasetPart copiedForm(const detail::DatasetPart& part) const {
    return m_form.of(part, m_dataset->category());
  }
  /// Whether a stream takes the entries of a source in stored form; see StoredEntries.
  [[nodiscard]] bool takesStored(const TrainStream& stream, const Source& source) const;

  /// Whether a cluster of a source may be copied: it has the wanted number of entries. If no number
  /// is set, it must be large, because small clusters are joined with others.
  [[nodiscard]] bool isLarge(const Source& source, std::size_t cluster, EntryRange range) const;

  /// Returns empty memory for a part's entries.
  [[nodiscard]] std::unique_ptr<TrainEntries> take();
  void giveBack(std::unique_ptr<TrainEntries> entries);
  /// Waits until all parts before this one are written; then writes and clears these entries of the
  /// part.
  void write(const detail::DatasetPart& part, TrainEntries& entries);
  /// Whether all parts before this one are written.
  [[nodiscard]] bool isTurnOf(const detail::DatasetPart& part) {
    return m_order.isTurnOf(part.number);
  }
  /// Adds runs of entries of a batch to outputs of a stream. It must be the turn of their part, and
  /// earlier entries must be written.
  void add(std::size_t stream, OutputSet outputs, const Batch& batch,
           std::span<const detail::RowRange> runs) {
    m_streams[stream].clusters->write(outputs, batch, runs);
  }
  /// Waits for the turn of the part, then writes `entries` and copies a stored cluster of the
  /// part's file to outputs of a stream. Adds the provenance of its entries if the stream has it.
  /// Returns false, without any effect, if the cluster has another codec.
  [[nodiscard]] bool copy(const detail::DatasetPart& part, std::size_t stream, OutputSet outputs,
                          std::size_t cluster, EntryRange range, TrainEntries& entries);
  /// Writes the last entries of a part.
  void writeLast(const detail::DatasetPart& part, TrainEntries& entries);
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
  detail::MemoryBudget m_budget;
  std::vector<std::shared_ptr<std::uint64_t>> m_bytes; // for trials
  std::vector<std::uint64_t> m_bytesBefore;            // those before the entries
  std::vector<std::unique_ptr<Sink>> m_sinks;          // by output
  std::vector<TrainStream> m_streams;
  CopiedForm m_form;
  std::optional<BatchWriter> m_decisions;
  std::vector<std::string> m_decisionNames;

  std::mutex m_mutex; // guards m_idle
  std::vector<std::unique_ptr<TrainEntries>> m_idle;

  PartOrder m_order; // orders access to the members below, and writing
  std::uint64_t m_entries = 0;
  std::set<std::uint64_t> m_sources; // files named in the outputs
  std::set<std::string> m_unread;    // names that a warning was about
};

} // namespace kaon
