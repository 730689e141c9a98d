#pragma once

#include <kaon/batch/Batch.h>
#include <kaon/detail/formats/arrow/CInterface.h>
#include <kaon/formats/arrow/StreamColumn.h>
#include <kaon/formats/arrow/TableRows.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kaon::arrow {

/// Converts entries of a stream to batches. Numbers that already have the type of their table stay
/// in the stream's arrays; other values are copied. For one thread.
class StreamRows {
public:
  explicit StreamRows(StreamPlan plan);
  [[nodiscard]] const Schema& schema() const noexcept { return m_plan.schema; }

  /// Returns the entries of an array of the stream. The batch is valid until the next call, and
  /// while the array exists. Throws Error(usage) for nulls that have no stored form, for references
  /// to missing objects, and for arrays whose parts do not match.
  [[nodiscard]] const Batch& batch(const ArrowArray& entries);
  /// Returns a batch without entries, which is valid until the next call.
  [[nodiscard]] const Batch& emptyBatch();

private:
  void put(const StreamColumn& column, const ArrowArray* array, const RowRuns& given);
  void putNumbers(const StreamColumn& column, const ArrowArray* array, const RowRuns& runs);
  void putElements(const StreamColumn& column, const ArrowArray& array, RowRun run, bool isOnly);
  void putPresence(const StreamColumn& column, const ArrowArray* array, const RowRuns& given);
  void putRecord(const StreamColumn& column, const ArrowArray* array, const RowRuns& runs);
  void putArray(const StreamColumn& column, const ArrowArray* array, const RowRuns& runs);
  void putList(const StreamColumn& column, const ArrowArray* array, const RowRuns& runs);
  void putSingle(const StreamColumn& column, const ArrowArray* array, const RowRuns& runs);
  void putText(const StreamColumn& column, const ArrowArray* array, const RowRuns& runs);
  void putEnds(const StreamColumn& column, const ArrowArray& array, const RowRuns& given);
  void putNames(const StreamColumn& column, const ArrowArray* array, const RowRuns& runs);
  void putEmpty(const StreamColumn& column, std::size_t rows);
  void clear();
  const Batch& view(std::size_t entries);
  void viewTable(std::uint32_t number);
  void endRow(const StreamColumn& column, std::size_t rows);
  void setPresent(const StreamColumn& column, std::size_t rows, bool isPresent);
  [[nodiscard]] std::uint32_t numberOfName(std::string_view name);
  MemberRows& membersOf(const StreamColumn& column) {
    return m_rows[column.table].members[column.member];
  }

  StreamPlan m_plan;
  Batch m_batch;
  std::vector<TableRows> m_rows; // of each table, then whole references
  std::vector<std::string> m_names;
  std::unordered_map<std::string_view, std::uint32_t> m_numbersOfNames;
};

} // namespace kaon::arrow
