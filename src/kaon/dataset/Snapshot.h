#pragma once

#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/DatasetParts.h>
#include <kaon/dataset/PartBatches.h>
#include <kaon/dataset/PartOrder.h>
#include <kaon/dataset/SnapshotPlan.h>
#include <kaon/detail/dataset/Action.h>
#include <kaon/event/FileMetadata.h>
#include <kaon/selecting/LeftOutColumns.h>
#include <kaon/selecting/MissingDecorations.h>
#include <kaon/writing/BatchWriter.h>
#include <kaon/writing/JoinedBatch.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace kaon {

/// A file that a pass over a dataframe writes, part by part. It gets its name when it is complete.
/// Thread-safe.
class SnapshotFile {
public:
  /// `tables` are copied, by their numbers in the first file; `columns` are added. `isOfAll`: all
  /// data of the first file were requested. Throws Error(usage) if the path is that of one of the
  /// dataset's files, and for data that files of the format cannot hold.
  SnapshotFile(std::string path, std::string category, WriterOptions options,
               std::shared_ptr<const Dataset> dataset, std::span<const std::uint32_t> tables,
               std::vector<SnapshotColumn> columns, bool isOfAll);

  [[nodiscard]] const SnapshotPlan& plan() const noexcept { return m_plan; }
  [[nodiscard]] const std::string& path() const noexcept { return m_path; }
  [[nodiscard]] const std::string& category() const noexcept { return m_category; }

  /// Returns the numbers of a source's tables in the plan's copies(). If all contents are written,
  /// warns once of each table that the first file lacks. Throws Error(name) for a named table that
  /// the source lacks. Throws Error(type) or Error(usage) for tables that differ from the first
  /// file.
  [[nodiscard]] std::vector<std::uint32_t> numbersOf(const Source& source);
  /// Throws the errors of numbersOf().
  void check(const Source& source) const;
  /// If all data were requested, leaves out columns that cannot be read. Call it between passes.
  [[nodiscard]] bool leaveOut(const UnreadableColumns& error);
  /// A part without these columns.
  [[nodiscard]] detail::DatasetPart withoutUnreadable(const detail::DatasetPart& part) const {
    return detail::without(m_unreadable, part, m_dataset->category());
  }
  /// Waits until all parts before this one are in the file, then writes some entries of this part.
  /// Throws Error(io), and Error(usage) after interrupt().
  void write(const detail::DatasetPart& part, const Batch& batch);
  /// Writes the last entries of a part, possibly none.
  void writeLast(const detail::DatasetPart& part, const Batch& batch);
  /// Completes the file. Throws Error(io).
  void finish();
  /// Makes all waiting threads throw, because some parts will never come.
  void interrupt() noexcept { m_order.interrupt(); }
  /// Leaves the file unfinished; writing can begin anew.
  void abandon() noexcept;

private:
  void checkFormat() const;
  [[nodiscard]] SnapshotPlan planFor(const Schema& schema) const;
  [[nodiscard]] std::vector<std::uint32_t> copiesIn(const Source& source) const;
  BatchWriter& writer();
  void warnOfLeftOut(const Source& source, std::span<const std::uint32_t> numbers);

  std::string m_path;
  std::string m_category; // in the new file
  WriterOptions m_options;
  std::shared_ptr<const Dataset> m_dataset;
  std::set<std::string, std::less<>> m_copied; // names of tables
  std::vector<SnapshotColumn> m_columns;
  SnapshotPlan m_plan;
  bool m_isOfAll;
  detail::LeftOutColumns m_unreadable; // columns
  std::mutex m_warningMutex;
  std::set<std::string> m_leftOut; // tables already warned of
  std::set<std::string> m_unread;  // unreadable members already warned of
  PartOrder m_order;
  std::optional<BatchWriter> m_writer;  // guarded by m_order
  WrittenMetadata m_metadata;           // guarded by m_order
  detail::MissingDecorations m_missing; // guarded by m_order
  std::set<std::uint64_t> m_parents;    // parents with names in the file, guarded by m_order
  bool m_hasMetadata = false;           // whether the first file has metadata
};

/// Writes the entries of a part to a file. The first argument has their numbers in the file that
/// they come from.
class SnapshotAccumulator final : public detail::Accumulator {
public:
  explicit SnapshotAccumulator(std::shared_ptr<SnapshotFile> file);
  void begin(const detail::DatasetPart& part) override;
  void add(std::size_t entries, std::span<const detail::ArgumentValues> arguments) override;
  void commit() override;
  void merge(detail::Accumulator& /*next*/) override {} // The file already has the entries.

private:
  void copy(std::span<const std::uint64_t> entries);

  std::shared_ptr<SnapshotFile> m_file;
  detail::DatasetPart m_part;
  JoinedBatch m_gathered; // entries that are not in the file yet
  JoinedBatch m_copies;   // copied entries of the current batch
  // For tables copied from the dataset's file.
  const Source* m_source = nullptr;
  std::vector<std::uint32_t> m_numbers;
  PartBatches m_batches;
};

} // namespace kaon
