#pragma once

#include <kaon/batch/Batch.h>
#include <kaon/batch/EntrySelection.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/detail/batch/PassIterator.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/detail/reading/Window.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kaon {

/// Streams members of a source batch by batch: through buffers that stay in the cache, or directly
/// from their place in memory. A batch ends where a page of one of its columns ends, so that each
/// column is one contiguous piece. A batch is valid until the next one is made. A single pass, for
/// one thread; each thread makes its own.
///
/// With a selection, batches have only the selected entries, in order. A long run of entries is a
/// batch of its own, a view like all others. Short runs in the same pages are copied into one
/// batch. Pages without a selected entry are not decoded.
class Batches {
public:
  /// Selects members by name, see Schema::membersBelow(). Throws Error(name) for unknown names.
  /// Ignores selected entries beyond the end of the source. `file`, if given, is kept open, and the
  /// batches name it as their origin.
  Batches(const Source& source, const std::vector<std::string>& names,
          const EntrySelection& entries = {}, std::shared_ptr<const File> file = nullptr);

  /// Selects tables, and members as pairs of table and member, by their numbers in the schema.
  Batches(const Source& source, std::vector<std::uint32_t> tables, std::vector<TableMember> members,
          const EntrySelection& entries = {}, std::shared_ptr<const File> file = nullptr);

  /// Selects all members.
  [[nodiscard]] static Batches ofAll(const Source& source, const EntrySelection& entries = {},
                                     std::shared_ptr<const File> file = nullptr);

  /// Moves to the next batch. Returns false at the end.
  bool next();
  [[nodiscard]] const Batch& batch() const noexcept { return m_batch; }

  // For loops that rarely need some columns. Columns that are not loaded keep the values of an
  // earlier batch.

  /// Moves to the next batch like next(), but decodes nothing.
  bool advance();
  /// Loads the rows of a selected table: their number, offsets and presence.
  void loadRows(TableNumber table);
  /// Loads the rows of a table and the values of one of its members.
  void loadMember(TableNumber table, MemberNumber member);
  /// Returns the extremes in the page of the batch; see Cursor::extremes().
  [[nodiscard]] std::optional<Extremes> extremes(TableNumber table, MemberNumber member) {
    return m_window.extremes(table, member, m_batch.firstEntry());
  }

  using Iterator = detail::PassIterator<Batches, &Batches::batch>;
  [[nodiscard]] Iterator begin() { return Iterator(*this); }
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

private:
  struct Selected { // a selected table
    TableNumber table;
    std::vector<MemberNumber> members;
    std::vector<std::uint32_t> offsets = {}; // if a batch begins inside a page
    Buffer present = {};                     // if a batch has several runs
    std::vector<Buffer> gathered = {};       // members of several runs, or in rows
    std::vector<detail::RowRange> rows = {}; // rows in the page, by run
    bool hasRows = false;                    // whether rows are loaded.
  };
  struct Wanted {
    std::vector<std::uint32_t> tables;
    std::vector<TableMember> members; // with their tables
  };
  static Wanted named(const Source& source, const std::vector<std::string>& names);
  static Wanted all(const Schema& schema);
  Batches(const Source& source, Wanted wanted, const EntrySelection& entries,
          std::shared_ptr<const File> file)
      : Batches(source, std::move(wanted.tables), std::move(wanted.members), entries,
                std::move(file)) {}
  void listColumns();
  [[nodiscard]] EntryRange nextRun(std::uint64_t last);
  [[nodiscard]] Selected& selected(TableNumber table);
  [[nodiscard]] std::span<const detail::RowRange> rowsAbove(TableNumber table);
  void viewRows(Selected& selected);
  void viewPresence(Selected& selected, std::span<const detail::RowRange> entries);
  void viewOffsets(Selected& selected, std::span<const detail::RowRange> above);
  void viewMembers(Selected& selected, std::span<const MemberNumber> members);
  void gather(const Selected& selected);

  std::shared_ptr<const File> m_file;
  detail::Window m_window;
  std::vector<Selected> m_selected;          // parents before their children
  std::vector<std::uint32_t> m_columns;      // the columns that these need
  std::vector<detail::StridedCopy> m_copies; // kept for its memory
  EntrySelection m_entries;
  std::size_t m_nextRun = 0;                 // index in the selection
  std::uint64_t m_next = 0;                  // the first entry after this batch
  std::vector<EntryRange> m_runs;            // of the batch
  std::vector<detail::RowRange> m_entryRows; // kept for its memory
  bool m_isFetching = false;
  Batch m_batch;
};

} // namespace kaon
