#pragma once

#include <kaon/batch/Batch.h>
#include <kaon/batch/Source.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/detail/reading/Window.h>
#include <kaon/model/Table.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace kaon {

/// Fills the caller's memory, such as a buffer of a GPU driver, with columns. Each call fills in as
/// many entries as fit:
///
///   kaon::ColumnFiller filler = events.filler();
///   filler.setOffsets("Muon", offsets);                // std::span<std::uint32_t>
///   filler.setValues("Muon.pt", std::span<float>(pt));
///   for (std::uint64_t entry = 0; std::size_t count = filler.fill(entry); entry += count)
///     use(pt, filler.rows("Muon"), offsets, count);
///
/// A page that fits as a whole is decoded directly into that memory. Raw pages, rows and parts of
/// pages are copied. After the first calls, only the small description of each further cluster is
/// allocated. For one thread at a time.
class ColumnFiller {
public:
  /// The source must outlive the filler. `file`, if given, is kept open.
  explicit ColumnFiller(const Source& source, std::shared_ptr<const File> file = nullptr);

  // These functions set the memory to fill. They throw Error(name) for unknown names.

  /// Sets the memory for the values of a member, "Muon.pt", in all rows of the entries. Throws
  /// Error(type) if its type is not T. An optional, "Hits.time", also needs memory for the bools
  /// "Hits.time.has_value". Without it, fill() throws Error(usage).
  template <class T>
  void setValues(std::string_view member, std::span<T> values) {
    setValues(member, scalarOf<T>(), std::as_writable_bytes(values));
  }
  /// Sets the memory for the offsets of a counted table: entry i, or row i of the parent, has the
  /// rows [offsets[i], offsets[i + 1]). Rows count from the first row that is filled in. n entries
  /// or rows take n + 1 offsets. Throws Error(usage) if the table is not counted or the memory is
  /// empty.
  void setOffsets(std::string_view table, std::span<std::uint32_t> offsets);
  /// Sets the memory for the presence of a table: whether each entry has it. Throws Error(usage) if
  /// the table cannot be absent.
  void setPresence(std::string_view table, std::span<bool> present);

  /// Fills all memory with entries from `first` on, at most `most`. Returns the number of entries
  /// that fit: 0 at the end. Throws Error(usage) if not even one entry fits, or if no memory was
  /// set. Throws Error(corrupt) for damaged files. Memory behind the filled values is undefined
  /// afterwards.
  std::size_t fill(std::uint64_t first, std::size_t most = std::numeric_limits<std::size_t>::max());
  /// Returns the number of rows of a table that the last call of fill() filled in. Throws
  /// Error(usage) if no memory was set for the table.
  [[nodiscard]] std::size_t rows(std::string_view table) const;

private:
  struct Values { // values of a member
    MemberNumber member;
    std::size_t size; // bytes of a row
    std::byte* out;
    std::size_t room; // in rows
  };
  struct Target { // a table and its memory
    TableNumber table;
    std::size_t parent; // index among the targets; unused for tables under entries
    std::span<std::uint32_t> offsets = {};
    std::span<bool> present = {};
    std::vector<Values> members = {};
    std::size_t room = 0;         // in rows
    std::size_t nextRow = 0;      // the next row to fill
    detail::RowRange inPage = {}; // the rows filled last
  };
  struct Group { // tables whose pages have the same entries
    std::uint32_t number;
    std::vector<std::size_t> targets = {};
    EntryRange filled{0, 0}; // the entries filled last, all in one page
  };

  [[nodiscard]] const Schema& schema() const noexcept { return m_source->schema(); }
  void setValues(std::string_view member, Scalar type, std::span<std::byte> values);
  Target& target(TableNumber table);
  void requireMemory(TableMember presence, TableMember value) const;
  void plan();
  [[nodiscard]] std::size_t roomForEntries() const;
  std::uint64_t fillPage(Group& group, std::uint64_t last);
  [[nodiscard]] bool hasRoom(const Group& group, EntryRange entries);
  [[nodiscard]] std::uint64_t endOfRoom(const Group& group, EntryRange entries);
  [[nodiscard]] detail::RowRange rowsOf(const Target& target, EntryRange entries);
  void fillTarget(Target& target, EntryRange entries);
  void fillOffsets(Target& target, EntryRange entries);
  void fillMembers(Target& target, EntryRange entries);
  void takeBack(Group& group, std::uint64_t last);
  [[noreturn]] void failNoRoom(std::uint64_t entry);

  std::shared_ptr<const File> m_file;
  const Source* m_source;
  detail::Window m_window;
  std::vector<Target> m_targets; // parents before their children
  std::vector<Group> m_groups;
  std::vector<std::uint32_t> m_columns;
  std::vector<detail::StridedCopy> m_copies; // kept for its memory
  bool m_isPlanned = false;                  // whether the groups and columns match the targets
  std::uint64_t m_expected = 0;              // the next entry, if it was announced to the cursor
  std::uint64_t m_first = 0;                 // the first entry of the current call
};

} // namespace kaon
