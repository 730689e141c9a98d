#pragma once

#include <kaon/base/Error.h>
#include <kaon/batch/Batch.h>
#include <kaon/batch/Source.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/detail/batch/Window.h>
#include <kaon/detail/model/MemberPlace.h>

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

/// Reads columns of a range of entries, each in one piece, straight into the caller's memory, in
/// the threads of the caller's arena:
///
///   kaon::ColumnReader reader(file->category("events"), {"Muon"});
///   std::vector<std::int64_t> offsets(reader.rowsAbove("Muon") + 1); // of the entries
///   std::vector<float> pt(reader.rows("Muon"));
///   reader.setOffsets("Muon", offsets);
///   reader.setValues("Muon.pt", std::span(pt));
///   reader.read();
///
/// The constructor reads only how many rows there are, and keeps it: 4 bytes for each row above;
/// read() reads what memory was given for. Both throw Error(corrupt) for damaged files, and
/// Error(io). One thread at a time.
class ColumnReader {
public:
  /// The tables with members as in Schema::membersBelow(), and those that they lie under. Throws
  /// Error(name) for unknown ones. The range is cut to what there is. `file`, if given, is kept
  /// open; the source must not go before.
  ColumnReader(const Source& source, const std::vector<std::string>& names, EntryRange range = {},
               std::shared_ptr<const File> file = nullptr);
  /// Reads tables by their numbers in the schema.
  ColumnReader(const Source& source, std::span<const std::uint32_t> tables, EntryRange range = {},
               std::shared_ptr<const File> file = nullptr);

  /// The entries, after the cut.
  [[nodiscard]] EntryRange range() const noexcept { return m_range; }

  // Of the tables that were asked for; else Error(usage). Unknown names: Error(name).

  [[nodiscard]] std::size_t rows(std::uint32_t table) const;
  [[nodiscard]] std::size_t rows(std::string_view table) const { return rows(number(table)); }
  /// Those of the table that it lies under, or the entries.
  [[nodiscard]] std::size_t rowsAbove(std::uint32_t table) const;
  [[nodiscard]] std::size_t rowsAbove(std::string_view table) const {
    return rowsAbove(number(table));
  }

  // Memory that read() fills. It must live until then. Throws Error(usage) if its size is another.

  /// Where the rows of each entry, or row above, begin, and at last where they end: one more than
  /// rowsAbove(). Only for counted tables.
  void setOffsets(std::uint32_t table, std::span<std::int64_t> offsets);
  void setOffsets(std::string_view table, std::span<std::int64_t> offsets) {
    setOffsets(number(table), offsets);
  }
  /// Whether each entry has the table. Only for those that can be absent.
  void setPresence(std::uint32_t table, std::span<bool> present);
  void setPresence(std::string_view table, std::span<bool> present) {
    setPresence(number(table), present);
  }
  /// The values of a member in all rows, aligned as its type is.
  void setValues(std::uint32_t table, std::uint32_t member, std::span<std::byte> values);
  /// Sets the memory for a member by its name, "Muon.pt". Throws Error(type) if its type is not T.
  /// An optional, "Hits.time", also needs memory for the bools "Hits.time.has_value". Without it,
  /// read() throws Error(usage).
  template <class T>
  void setValues(std::string_view name, std::span<T> values) {
    setValues(name, scalarOf<T>(), std::as_writable_bytes(values));
  }

  /// Fills all memory that was given. Throws Error(corrupt) also if the file was changed since the
  /// rows were counted, as far as that shows; what is in the memory then is not defined.
  void read();

private:
  struct Values { // of a member
    std::uint32_t member;
    std::uint32_t size; // bytes of a row
    std::byte* out;
  };
  struct Target { // a table and where it goes
    std::uint32_t table;
    std::size_t parent; // among the targets; unless it is under the entries
    std::int64_t* offsets = nullptr;
    bool* present = nullptr;
    std::vector<Values> members = {};
    [[nodiscard]] bool isWanted() const { return offsets || present || !members.empty(); }
  };
  class PartReader; // of some of the entries, in one thread
  class CountKeeper;

  [[nodiscard]] const Schema& schema() const noexcept { return m_source->schema(); }
  [[nodiscard]] std::uint32_t number(std::string_view table) const {
    return schema().tableNamed(table);
  }
  void setValues(std::string_view name, Scalar type, std::span<std::byte> values);
  [[nodiscard]] std::size_t indexOf(std::uint32_t table) const;
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
  std::vector<detail::MemberPlace> m_named;        // that were asked for by name
  std::vector<std::vector<std::size_t>> m_groups;  // of targets, whose pages go together
  std::vector<EntryRange> m_clusters;              // of the source
  std::vector<std::uint64_t> m_borders;            // of the parts: where each begins, and the end
  std::vector<std::vector<std::size_t>> m_rows{1}; // at each border, of each target
  /// Pages that say how many rows there are, by column and first entry: they are decoded once.
  using CountPages = std::map<std::pair<std::uint32_t, std::uint64_t>, detail::Page>;
  std::vector<std::shared_ptr<CountPages>> m_counts; // of each part
};

} // namespace kaon
