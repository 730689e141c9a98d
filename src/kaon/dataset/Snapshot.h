#pragma once

#include <kaon/batch/BatchWriter.h>
#include <kaon/batch/JoinedBatch.h>
#include <kaon/batch/MissingValues.h>
#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/DatasetParts.h>
#include <kaon/dataset/PartBatches.h>
#include <kaon/dataset/PartOrder.h>
#include <kaon/dataset/SnapshotOptions.h>
#include <kaon/dataset/SnapshotPlan.h>
#include <kaon/detail/dataset/Action.h>
#include <kaon/event/FileMetadata.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace kaon {

/// A file that a dataframe is written to while its entries are gone through, part by part. It
/// appears when all is there. Any thread.
class SnapshotFile {
public:
  /// Throws Error(usage) if the path is that of one of the dataset's files, and for what files of
  /// the format cannot hold. `isOfAll`: all that the
  /// first file has was to be written.
  SnapshotFile(std::string path, SnapshotOptions options, std::shared_ptr<const Dataset> dataset,
               SnapshotPlan plan, bool isOfAll);

  [[nodiscard]] const SnapshotPlan& plan() const noexcept { return m_plan; }
  [[nodiscard]] const std::string& path() const noexcept { return m_path; }
  [[nodiscard]] const std::string& category() const noexcept { return m_options.category; }

  /// The numbers of a source's tables in the plan's copies(). Where all was to be written, warns of
  /// what the source has and the first file lacks, once each. Throws Error(name) for what was named
  /// and is not there; Error(type), Error(usage) for what is something else than in the first file.
  [[nodiscard]] std::vector<std::uint32_t> numbersOf(const Source& source);
  /// Waits until all parts before this one are in the file, and writes some of its entries. Throws
  /// Error(io), and Error(usage) after interrupt().
  void write(const detail::DatasetPart& part, const Batch& batch);
  /// The last entries of a part, which may be none.
  void writeLast(const detail::DatasetPart& part, const Batch& batch);
  /// Completes the file. Throws Error(io).
  void finish();
  /// Nobody has to wait any more: not all parts will come.
  void interrupt() noexcept { m_order.interrupt(); }
  /// Leaves it unfinished; it can be begun anew.
  void abandon() noexcept;

private:
  void checkFormat() const;
  BatchWriter& writer();
  void warnOfLeftOut(const Source& source, std::span<const std::uint32_t> numbers);

  std::string m_path;
  SnapshotOptions m_options;
  std::shared_ptr<const Dataset> m_dataset;
  SnapshotPlan m_plan;
  bool m_isOfAll;
  std::mutex m_warningMutex;
  std::set<std::string> m_leftOut; // tables of which it warned
  std::set<std::string> m_unread;  // what is not read, of which it warned
  PartOrder m_order;
  std::optional<BatchWriter> m_writer; // for whose turn it is
  WrittenMetadata m_metadata;          // likewise
  detail::MissingValues m_missing;     // likewise
  std::set<std::uint64_t> m_parents;   // likewise, whose names the file has
  bool m_hasMetadata = false;          // that of the first file, until it is finished
};

/// Writes a part's entries to a file. The first argument is their numbers in the file that they are
/// from.
class SnapshotAccumulator final : public detail::Accumulator {
public:
  explicit SnapshotAccumulator(std::shared_ptr<SnapshotFile> file);
  void begin(const detail::DatasetPart& part) override;
  void add(std::size_t entries, std::span<const detail::ArgumentValues> arguments) override;
  void commit() override;
  void merge(detail::Accumulator& /*next*/) override {} // it is in the file

private:
  void copy(std::span<const std::uint64_t> entries);

  std::shared_ptr<SnapshotFile> m_file;
  detail::DatasetPart m_part;
  JoinedBatch m_gathered; // what is not in the file yet
  JoinedBatch m_copies;   // those entries of a batch that are copied
  // Of what is copied from the dataset's file.
  const Source* m_source = nullptr;
  std::vector<std::uint32_t> m_numbers;
  PartBatches m_batches;
};

} // namespace kaon
