#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/base/SparseVector.h>
#include <kaon/formats/hdf5/CategoryDatasets.h>
#include <kaon/formats/hdf5/DatasetReader.h>
#include <kaon/formats/hdf5/PageWidths.h>
#include <kaon/formats/hdf5/VariableReader.h>
#include <kaon/reading/PlannedReads.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace kaon::hdf5 {

/// Reads a category dataset by dataset. Pages are ranges of entries. Offsets locate the rows of
/// tables in their datasets. It keeps the offsets of the last page of each table.
class Hdf5Cursor final : public detail::Cursor {
public:
  /// The arguments must outlive the cursor.
  Hdf5Cursor(const CategoryDatasets& contents, const PageWidths& widths);

  /// Fetches data of distant files only. Other files are read chunk by chunk on demand.
  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override;
  [[nodiscard]] detail::PageRange pages(TableNumber group, std::uint64_t entry) override;
  void read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
            detail::Page& page) override;

private:
  /// The rows of a table in a range of entries.
  struct TableRows {
    EntryRange entries{0, 0};
    EntryRange rows{0, 0};
    Buffer offsets; ///< counted tables: std::uint32_t, from 0 on
    Buffer values;  ///< tables whose rows are in those of a dataset
  };
  [[nodiscard]] PlannedReads::Portion portionAt(std::uint64_t entry);
  void holdOffsets(EntryRange entries);
  [[nodiscard]] std::vector<io::ByteRange> rangesOfValues(EntryRange entries);
  void holdRanges(std::vector<io::ByteRange> ranges);
  [[nodiscard]] const TableRows& rows(TableNumber table, EntryRange entries);
  void takeOffsets(TableNumber table, EntryRange above, bool isLast, TableRows& rows);
  void takeVariable(TableNumber table, EntryRange above, TableRows& rows);
  void readRows(std::uint32_t dataset, EntryRange rows, RowPart part, detail::Page& page);
  [[nodiscard]] DatasetReader& reader(std::uint32_t dataset);
  [[nodiscard]] VariableReader& variableReader(std::uint32_t dataset);
  [[noreturn]] void failTable(TableNumber table, EntryRange rows, std::string_view what) const;

  const CategoryDatasets& m_contents;
  const PageWidths& m_widths;
  detail::SparseVector<std::unique_ptr<DatasetReader>> m_readers;   // by dataset
  detail::SparseVector<std::unique_ptr<VariableReader>> m_variable; // by dataset
  detail::SparseVector<TableRows> m_rows;                           // by table
  Buffer m_ends;
  std::vector<std::uint32_t> m_planned; // columns that will be read
  PlannedReads m_reads;                 // of distant files only
  // The fetched bytes of a portion. The source keeps them, because libhdf5 reads chunks from it.
  std::vector<std::shared_ptr<const void>> m_held;
};

} // namespace kaon::hdf5
