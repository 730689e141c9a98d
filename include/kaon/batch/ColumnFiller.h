#pragma once

#include <kaon/batch/Batch.h>
#include <kaon/batch/Source.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/detail/batch/Window.h>
#include <kaon/detail/model/MemberPlace.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace kaon {

/// Fills memory that the caller gives, such as that of a GPU's driver, with columns of some
/// entries, as many as have room, again and again:
///
///   kaon::ColumnFiller filler = events.filler();
///   filler.setOffsets("Muon", offsets);                // std::span<std::uint32_t>
///   filler.setValues("Muon.pt", std::span<float>(pt));
///   for (std::uint64_t entry = 0; std::size_t count = filler.fill(entry); entry += count)
///     use(pt, filler.rows("Muon"), offsets, count);
///
/// A page that has room as a whole is decoded right there; what is stored raw, lies in rows, or is
/// only a part of a page, is copied there. After the first calls nothing is allocated, but for the
/// little that each further cluster is described by. For one thread at a time.
class ColumnFiller {
public:
  /// The source must not go before; `file`, if given, is kept open.
  explicit ColumnFiller(const Source& source, std::shared_ptr<const File> file = nullptr);

  // The memory that is filled from now on. Unknown names: Error(name).

  /// Of the values of a member, "Muon.pt", in all rows of the entries. Throws Error(type) if its
  /// type is not T. An optional, "Hits.time", also needs memory for the bools
  /// "Hits.time.has_value": else fill() throws Error(usage).
  template <class T>
  void setValues(std::string_view member, std::span<T> values) {
    setValues(member, scalarOf<T>(), std::as_writable_bytes(values));
  }
  /// Of where the rows of each entry, or row above, begin, and at last where they end, counted from
  /// the first row that is filled in: one more than there are entries, or rows above. Throws
  /// Error(usage) for a table that is not counted, and for no memory at all.
  void setOffsets(std::string_view table, std::span<std::uint32_t> offsets);
  /// Of whether each entry has the table. Throws Error(usage) for one that cannot be absent.
  void setPresence(std::string_view table, std::span<bool> present);

  /// Fills it all with entries from `first` on, at most so many, and returns how many had room: 0
  /// at the end. Throws Error(usage) if there is no room for a single one, or nothing to be filled;
  /// Error(corrupt). What lies behind them in the memory is not defined.
  std::size_t fill(std::uint64_t first, std::size_t most = std::numeric_limits<std::size_t>::max());
  /// How many rows of a table of which memory was given the last call of fill() filled in.
  [[nodiscard]] std::size_t rows(std::string_view table) const;

private:
  struct Values { // of a member
    std::uint32_t member;
    std::size_t size; // bytes of a row
    std::byte* out;
    std::size_t room; // for so many rows
  };
  struct Target { // a table and where it goes
    std::uint32_t table;
    std::size_t parent; // among the targets; unless it is under the entries
    std::span<std::uint32_t> offsets = {};
    std::span<bool> present = {};
    std::vector<Values> members = {};
    std::size_t room = 0;         // for so many rows
    std::size_t nextRow = 0;      // in the memory
    detail::RowRange inPage = {}; // the rows filled last
  };
  struct Group { // tables whose pages have the same entries
    std::uint32_t number;
    std::vector<std::size_t> targets = {};
    EntryRange filled{0, 0}; // the entries filled last, all in one page
  };

  [[nodiscard]] const Schema& schema() const noexcept { return m_source->schema(); }
  void setValues(std::string_view member, Scalar type, std::span<std::byte> values);
  Target& target(std::uint32_t table);
  void requireMemory(detail::MemberPlace presence, detail::MemberPlace value) const;
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
  bool m_isPlanned = false;                  // the groups and columns are those of the targets
  std::uint64_t m_expected = 0;              // the next entry of those that were told to the cursor
  std::uint64_t m_first = 0;                 // of the current call
};

} // namespace kaon
