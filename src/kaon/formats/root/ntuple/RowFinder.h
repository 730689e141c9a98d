#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/SparseVector.h>
#include <kaon/batch/Source.h>
#include <kaon/formats/root/ntuple/LoadedPages.h>
#include <kaon/formats/root/ntuple/NTuple.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace kaon::root {

/// The rows of a table in some entries of a cluster, counted from the beginning of the cluster.
struct TableRows {
  std::uint64_t first = 0, last = 0;
  std::span<const std::uint32_t> offsets = {}; ///< of a counted table: where the rows of each row
                                               ///< above begin, from 0 on, and where the last end
  [[nodiscard]] std::uint64_t size() const noexcept { return last - first; }
};

/// A column as a cluster has it.
struct ClusterColumn {
  std::uint32_t column = 0;  ///< as it is stored
  std::uint64_t missing = 0; ///< so many zeros come before the elements that are stored
};

/// Finds the rows of tables for one reader, by the columns that say where lists end. It keeps those
/// of the last entries of each table.
class RowFinder {
public:
  RowFinder(const NTuple& ntuple, LoadedPages& pages)
      : m_ntuple(ntuple), m_pages(pages), m_current(ntuple.mapping.schema.size()) {}

  /// What it returns lasts until the same table is asked for with another range. Throws
  /// Error(corrupt) for columns that contradict each other.
  [[nodiscard]] TableRows rows(std::uint32_t table, const PageRange& range);

  /// The column that has `perRow` elements for each of a table's rows, of which the range has those
  /// up to `last`. Throws Error(corrupt) if the cluster has too few, or, where the range is its
  /// last one, too many.
  [[nodiscard]] ClusterColumn memberColumn(std::uint32_t table,
                                           std::span<const std::uint32_t> columns,
                                           std::uint64_t perRow, std::uint64_t last,
                                           const PageRange& range) const {
    return checkedColumn(table, columns, m_ntuple.mapping.rules[table].rowsPerEntry, perRow, last,
                         range);
  }

  /// The same of a column that has one element for each entry.
  [[nodiscard]] ClusterColumn entryColumn(std::uint32_t table,
                                          std::span<const std::uint32_t> columns,
                                          std::uint64_t last, const PageRange& range) const {
    return checkedColumn(table, columns, 1, 1, last, range);
  }

private:
  struct Current {
    PageRange range = {}; // without entries: of none
    bool follows = false; // whether `rows` are those right before the range
    TableRows rows;
    Buffer offsets = {};

    /// Room for further offsets.
    std::span<std::uint32_t> grow(std::size_t count) {
      return {reinterpret_cast<std::uint32_t*>(offsets.grow(count * sizeof(std::uint32_t))), count};
    }
  };
  static void beginOffsets(const TableRows& above, std::uint64_t first, Current& current);
  void takeEnds(std::uint32_t table, const TableRows& above, const PageRange& range,
                Current& current);
  void takeChoices(std::uint32_t table, const TableRows& above, const PageRange& range,
                   Current& current);
  void takeFixed(std::uint32_t table, const TableRows& above, const PageRange& range,
                 Current& current) const;
  [[nodiscard]] TableRows rowsAbove(std::uint32_t table, const PageRange& range);
  [[nodiscard]] ClusterColumn columnAbove(std::uint32_t table, const TableRows& above,
                                          const PageRange& range) const;
  [[nodiscard]] ClusterColumn checkedColumn(std::uint32_t table,
                                            std::span<const std::uint32_t> columns,
                                            std::uint64_t rowsPerEntry, std::uint64_t perRow,
                                            std::uint64_t last, const PageRange& range) const;
  [[nodiscard]] std::uint64_t endAt(const ClusterColumn& column, std::uint64_t element,
                                    std::size_t cluster);
  [[nodiscard]] std::uint64_t choicesBefore(const ClusterColumn& column, std::uint64_t tag,
                                            std::uint64_t element, std::size_t cluster);
  [[noreturn]] void failDamaged(std::uint32_t table, const PageRange& range,
                                std::string_view what) const;

  const NTuple& m_ntuple;
  LoadedPages& m_pages;
  SparseVector<Current> m_current; // by table
};

} // namespace kaon::root
