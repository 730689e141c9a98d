#pragma once

#include <kaon/batch/Batch.h>
#include <kaon/batch/EntrySelection.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/detail/batch/PassIterator.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/detail/batch/Window.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kaon {

/// Members of a source, streamed batch by batch, through buffers that stay in the cache or straight
/// from where the values lie. A batch ends where a page of one of its columns ends, so that each
/// column is one contiguous piece. It lasts until the next one is made. A single pass, for one
/// thread: each thread makes its own.
///
/// Of a selection of entries a batch has only those that are wanted, in order. A long run of them
/// is a batch by itself, a view like all others; short ones that lie in the same pages are
/// gathered, each column in a piece of its own. Pages without a wanted entry are not decoded.
class Batches {
public:
  /// Names as in Schema::membersBelow(). Throws Error(name) for unknown ones. The selection is cut
  /// to what there is. `file`, if given, is kept open, and is where the batches say they come from.
  Batches(const Source& source, const std::vector<std::string>& names,
          const EntrySelection& entries = {}, std::shared_ptr<const File> file = nullptr);

  /// Tables and members (and their tables) by number, which are those of the schema.
  Batches(const Source& source, std::vector<std::uint32_t> tables,
          std::vector<std::pair<std::uint32_t, std::uint32_t>> members,
          const EntrySelection& entries = {}, std::shared_ptr<const File> file = nullptr);

  /// Of all members.
  [[nodiscard]] static Batches ofAll(const Source& source, const EntrySelection& entries = {},
                                     std::shared_ptr<const File> file = nullptr);

  /// Goes on to the next batch; false at the end.
  bool next();
  [[nodiscard]] const Batch& batch() const noexcept { return m_batch; }

  // For who needs some of the columns only now and then: the next batch, but nothing of it. What is
  // loaded of it is there; what is not, is what was there of an earlier batch.

  /// As next(), but nothing is decoded.
  bool advance();
  /// Loads the rows of a wanted table: their number, where they begin, and which entries have them.
  void loadRows(std::uint32_t table);
  /// Loads the rows of a table and the values of its member.
  void loadMember(std::uint32_t table, std::uint32_t member);
  /// As Cursor::extremes(), of the page that has the batch.
  [[nodiscard]] std::optional<Extremes> extremes(std::uint32_t table, std::uint32_t member) {
    return m_window.extremes(table, member, m_batch.firstEntry());
  }

  using Iterator = detail::PassIterator<Batches, &Batches::batch>;
  [[nodiscard]] Iterator begin() { return Iterator(*this); }
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

private:
  struct Selected { // one table of which something was asked for
    std::uint32_t table;
    std::vector<std::uint32_t> members;
    std::vector<std::uint32_t> offsets = {}; // those of a batch that begins inside a page
    Buffer present = {};                     // of a batch of several runs
    std::vector<Buffer> gathered = {};       // members of such a batch, or that lie in rows
    std::vector<detail::RowRange> rows = {}; // in the page, of each run
    bool hasRows = false;                    // they are loaded
  };
  struct Wanted {
    std::vector<std::uint32_t> tables;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> members; // and their tables
  };
  static Wanted named(const Source& source, const std::vector<std::string>& names);
  static Wanted all(const Schema& schema);
  Batches(const Source& source, Wanted wanted, const EntrySelection& entries,
          std::shared_ptr<const File> file)
      : Batches(source, std::move(wanted.tables), std::move(wanted.members), entries,
                std::move(file)) {}
  void listColumns();
  [[nodiscard]] EntryRange nextRun(std::uint64_t last);
  [[nodiscard]] Selected& selected(std::uint32_t table);
  [[nodiscard]] std::span<const detail::RowRange> rowsAbove(std::uint32_t table);
  void viewRows(Selected& selected);
  void viewPresence(Selected& selected, std::span<const detail::RowRange> entries);
  void viewOffsets(Selected& selected, std::span<const detail::RowRange> above);
  void viewMembers(Selected& selected, std::span<const std::uint32_t> members);
  void gather(const Selected& selected);

  std::shared_ptr<const File> m_file;
  detail::Window m_window;
  std::vector<Selected> m_selected;          // parents before their children
  std::vector<std::uint32_t> m_columns;      // that these need
  std::vector<detail::StridedCopy> m_copies; // kept for its memory
  EntrySelection m_entries;
  std::size_t m_nextRun = 0;                 // of the selection
  std::uint64_t m_next = 0;                  // the first entry that was not given yet
  std::vector<EntryRange> m_runs;            // of the batch
  std::vector<detail::RowRange> m_entryRows; // kept for its memory
  bool m_isFetching = false;
  Batch m_batch;
};

} // namespace kaon
