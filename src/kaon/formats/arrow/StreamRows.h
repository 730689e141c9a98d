#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/formats/arrow/CInterface.h>
#include <kaon/formats/arrow/StreamTables.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace kaon::arrow {

/// Entries of a stream as a batch, in memory of its own. For one thread.
class StreamRows {
public:
  explicit StreamRows(StreamTables tables);
  [[nodiscard]] const Schema& schema() const noexcept { return m_schema; }

  /// The entries of one of the stream's arrays, until the next call. Lists and strings that are
  /// null in others are empty. Throws Error(usage) for numbers and structs that are null,
  /// references to what is no collection, and arrays whose parts do not fit each other.
  [[nodiscard]] const Batch& batch(const ArrowArray& entries);
  /// One without entries, until the next call.
  [[nodiscard]] const Batch& emptyBatch();

private:
  struct Rows {
    std::vector<std::uint32_t> offsets = {};
    std::vector<std::byte> present = {};
    std::vector<Buffer> members = {};
  };
  using Runs = std::vector<detail::RowRange>;

  void put(const StreamColumn& column, const ArrowArray& array, const Runs& runs);
  void putNumbers(const StreamColumn& column, const ArrowArray& array, const Runs& runs);
  void putWhetherThere(const StreamColumn& column, const ArrowArray& array, const Runs& runs);
  void putRecord(const StreamColumn& column, const ArrowArray& array, const Runs& runs);
  void putElements(const StreamColumn& column, const ArrowArray& array, const Runs& runs);
  void putList(const StreamColumn& column, const ArrowArray& array, const Runs& runs);
  void putText(const StreamColumn& column, const ArrowArray& array, const Runs& runs);
  void putRuns(const StreamColumn& column, const ArrowArray& array, const Runs& runs);
  void putCollectionNames(const StreamColumn& column, const ArrowArray& array, const Runs& runs);
  void clear();
  const Batch& view(std::size_t entries);
  void viewTable(std::uint32_t number);
  void checkReferences(std::uint32_t number);
  void endRow(const StreamColumn& column, std::size_t rows);
  void setPresent(const StreamColumn& column, bool isPresent);
  [[nodiscard]] std::uint32_t collectionNamed(std::string_view name, const StreamColumn& column);

  StreamTables m_tables;
  Schema m_schema;
  Batch m_batch;
  std::vector<Rows> m_rows; // of each table
};

} // namespace kaon::arrow
