#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Source.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/base/SparseVector.h>
#include <kaon/formats/root/ntuple/LoadedPages.h>
#include <kaon/formats/root/ntuple/NTuple.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kaon::root {

/// The rows of a table in some entries of a cluster, counted from the beginning of the cluster.
struct ClusterRows {
  std::uint64_t first = 0, last = 0;
  /// Counted tables only: where the rows of each row above begin, from 0 on, and the end of the
  /// last.
  std::span<const std::uint32_t> offsets = {};
  [[nodiscard]] std::uint64_t size() const noexcept { return last - first; }
};

/// A stored column in one cluster.
struct ClusterColumn {
  std::uint32_t column = 0;  ///< number of the stored column
  std::uint64_t missing = 0; ///< number of zeros before the first stored element
};

/// Finds the rows of tables for one reader from the columns that store the ends of lists. Keeps the
/// rows of the last range of entries of each table.
class RowFinder {
public:
  RowFinder(const NTuple& ntuple, LoadedPages& pages)
      : m_ntuple(ntuple), m_pages(pages), m_current(ntuple.mapping.schema.size()) {}

  /// The result is valid until the same table is requested with another range. Throws
  /// Error(corrupt) for columns that contradict each other.
  [[nodiscard]] ClusterRows rows(std::uint32_t table, const detail::PageRange& range);

  /// Returns the column that has `perRow` elements for each row of a table. The rows of the range
  /// end at `last`. Throws Error(corrupt) if the cluster has too few elements. In the last range of
  /// a cluster, too many elements are an error, too.
  [[nodiscard]] ClusterColumn memberColumn(std::uint32_t table,
                                           std::span<const std::uint32_t> columns,
                                           std::uint64_t perRow, std::uint64_t last,
                                           const detail::PageRange& range) const {
    return checkedColumn(table, columns, m_ntuple.mapping.rules[table].rowsPerEntry, perRow, last,
                         range);
  }

  /// Like memberColumn() for a column that has one element for each entry.
  [[nodiscard]] ClusterColumn entryColumn(std::uint32_t table,
                                          std::span<const std::uint32_t> columns,
                                          std::uint64_t last,
                                          const detail::PageRange& range) const {
    return checkedColumn(table, columns, 1, 1, last, range);
  }

private:
  struct Current {
    detail::PageRange range = {}; // without entries if there are no rows yet
    bool follows = false;         // whether `rows` belong to the entries right before the range
    ClusterRows rows;
    Buffer offsets = {};

    /// Returns room for `count` more offsets.
    std::span<std::uint32_t> grow(std::size_t count) {
      return {detail::valuesAt<std::uint32_t>(offsets.grow(count * sizeof(std::uint32_t))), count};
    }
  };
  static void beginOffsets(const ClusterRows& above, std::uint64_t first, Current& current);
  void takeEnds(std::uint32_t table, const ClusterRows& above, const detail::PageRange& range,
                Current& current);
  void takeChoices(std::uint32_t table, const ClusterRows& above, const detail::PageRange& range,
                   Current& current);
  void takeFixed(std::uint32_t table, const ClusterRows& above, const detail::PageRange& range,
                 Current& current) const;
  [[nodiscard]] ClusterRows rowsAbove(std::uint32_t table, const detail::PageRange& range);
  [[nodiscard]] ClusterColumn columnAbove(std::uint32_t table, const ClusterRows& above,
                                          const detail::PageRange& range) const;
  [[nodiscard]] ClusterColumn checkedColumn(std::uint32_t table,
                                            std::span<const std::uint32_t> columns,
                                            std::uint64_t rowsPerEntry, std::uint64_t perRow,
                                            std::uint64_t last,
                                            const detail::PageRange& range) const;
  [[nodiscard]] std::uint64_t endAt(const ClusterColumn& column, std::uint64_t element,
                                    std::size_t cluster);
  [[nodiscard]] std::uint64_t choicesBefore(const ClusterColumn& column, std::uint64_t tag,
                                            std::uint64_t element, std::size_t cluster);
  /// Returns the place of rows, for messages.
  [[nodiscard]] std::string where(std::uint32_t table, const detail::PageRange& range) const;
  [[noreturn]] void failDamaged(std::uint32_t table, const detail::PageRange& range,
                                std::string_view what) const;

  const NTuple& m_ntuple;
  LoadedPages& m_pages;
  detail::SparseVector<Current> m_current; // by table
};

} // namespace kaon::root
