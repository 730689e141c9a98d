#pragma once

#include <kaon/base/Error.h>
#include <kaon/batch/Batch.h>
#include <kaon/batch/Source.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/detail/reading/Window.h>
#include <kaon/model/Table.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon {

/// Reads columns of a range of entries into the caller's memory, each as one array, in the threads
/// of the caller's arena:
///
///   kaon::ColumnReader reader(file->category("events"), {"Muon"});
///   std::vector<std::int64_t> offsets(reader.rowsAbove("Muon") + 1); // of the entries
///   std::vector<float> pt(reader.rows("Muon"));
///   reader.setOffsets("Muon", offsets);
///   reader.setValues("Muon.pt", std::span(pt));
///   reader.read();
///
/// The constructor reads only the numbers of rows, and keeps them: 4 bytes for each entry or row of
/// the parent. read() reads the columns that have memory. Both throw Error(corrupt) for damaged
/// files, and Error(io). For one thread at a time.
class ColumnReader {
public:
  /// Selects the tables of members by name, see Schema::membersBelow(), and the tables above them.
  /// Throws Error(name) for unknown names. Ignores entries beyond the end of the source. `file`, if
  /// given, is kept open. The source must outlive the reader.
  ColumnReader(const Source& source, const std::vector<std::string>& names, EntryRange range = {},
               std::shared_ptr<const File> file = nullptr);
  /// Selects tables by their numbers in the schema. Throws Error(usage) for unknown numbers.
  ColumnReader(const Source& source, std::span<const std::uint32_t> tables, EntryRange range = {},
               std::shared_ptr<const File> file = nullptr);

  /// Returns the range of entries, without entries beyond the end of the source.
  [[nodiscard]] EntryRange range() const noexcept { return m_range; }

  // These functions accept selected tables. They throw Error(usage) for other tables, and
  // Error(name) for unknown names.

  [[nodiscard]] std::size_t rows(TableNumber table) const;
  [[nodiscard]] std::size_t rows(std::string_view table) const { return rows(number(table)); }
  /// Returns the number of rows of the parent, or of entries.
  [[nodiscard]] std::size_t rowsAbove(TableNumber table) const;
  [[nodiscard]] std::size_t rowsAbove(std::string_view table) const {
    return rowsAbove(number(table));
  }

  // These functions set the memory that read() fills. It must stay valid until then. They throw
  // Error(usage) if its size is wrong.

  /// Sets the memory for the offsets of a counted table: entry i, or row i of the parent, has the
  /// rows [offsets[i], offsets[i + 1]). It takes rowsAbove() + 1 offsets.
  void setOffsets(TableNumber table, std::span<std::int64_t> offsets);
  void setOffsets(std::string_view table, std::span<std::int64_t> offsets) {
    setOffsets(number(table), offsets);
  }
  /// Sets the memory for the presence of a table: whether each entry has it. Only for tables that
  /// can be absent.
  void setPresence(TableNumber table, std::span<bool> present);
  void setPresence(std::string_view table, std::span<bool> present) {
    setPresence(number(table), present);
  }
  /// Sets the memory for the values of a member in all rows, aligned for its type.
  void setValues(TableNumber table, MemberNumber member, std::span<std::byte> values);
  /// Sets the memory for a member by its name, "Muon.pt". Throws Error(type) if its type is not T.
  /// An optional, "Hits.time", also needs memory for the bools "Hits.time.has_value". Without it,
  /// read() throws Error(usage).
  template <class T>
  void setValues(std::string_view name, std::span<T> values) {
    setValues(name, scalarOf<T>(), std::as_writable_bytes(values));
  }

  /// Fills all memory that was set. Also throws Error(corrupt) if it notices that the file changed
  /// after the rows were counted. The contents of the memory are then undefined.
  void read();

private:
  struct Values { // values of a member
    MemberNumber member;
    std::uint32_t size; // bytes of a row
    std::byte* out;
  };
  struct Target { // a table and its memory
    TableNumber table;
    std::size_t parent; // index among the targets; unused for tables under entries
    std::int64_t* offsets = nullptr;
    bool* present = nullptr;
    std::vector<Values> members = {};
    [[nodiscard]] bool isWanted() const { return offsets || present || !members.empty(); }
  };
  class PartReader; // reads some of the entries, in one thread
  class CountKeeper;

  [[nodiscard]] const Schema& schema() const noexcept { return m_source->schema(); }
  [[nodiscard]] std::uint32_t number(std::string_view table) const {
    return schema().tableNamed(table);
  }
  void setValues(std::string_view name, Scalar type, std::span<std::byte> values);
  [[nodiscard]] std::size_t indexOf(TableNumber table) const;
  void checkSize(std::size_t size, std::size_t expected, std::string_view what) const;
  [[nodiscard]] std::vector<std::uint64_t> borders() const;
  [[nodiscard]] std::uint64_t separatePage(detail::Cursor& cursor, EntryRange cluster,
                                           std::uint64_t entry) const;
  [[nodiscard]] std::vector<EntryRange>::const_iterator clusterOf(std::uint64_t entry) const;
  [[nodiscard]] std::shared_ptr<const void> hold(const std::vector<std::uint32_t>& columns) const;
  void requirePresences() const;
  void countRows();
  [[nodiscard]] std::vector<std::uint32_t> columnsToCount() const;
  [[nodiscard]] std::vector<std::uint32_t> columnsToRead() const;

  const Source* m_source;
  std::shared_ptr<const File> m_file;
  EntryRange m_range;
  std::vector<Target> m_targets;                   // parents before their children
  std::vector<TableMember> m_named;                // members set by name.
  std::vector<std::vector<std::size_t>> m_groups;  // targets with pages of the same entries
  std::vector<EntryRange> m_clusters;              // of the source
  std::vector<std::uint64_t> m_borders;            // first entries of the parts, and the end.
  std::vector<std::vector<std::size_t>> m_rows{1}; // rows of each target before each border
  /// Decoded pages of counts and presence, by column and first entry. Each is decoded once.
  using CountPages = std::map<std::pair<std::uint32_t, std::uint64_t>, detail::Page>;
  std::vector<std::shared_ptr<CountPages>> m_counts; // of each part
};

} // namespace kaon
