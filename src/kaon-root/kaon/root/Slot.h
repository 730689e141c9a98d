#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Source.h>
#include <kaon/detail/reading/Window.h>
#include <kaon/root/ColumnList.h>

#include <ROOT/RDF/RSample.hxx>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kaon::root {

class Slot;

/// A file of a data source, and its range among the entries of all files.
struct FilePart {
  std::shared_ptr<const File> file;
  std::string category;
  std::string id; ///< RDataFrame's name: "events.kaon/events"
  const ROOT::RDF::Experimental::RSample* sample = nullptr;
  const Source* source = nullptr;
  EntryRange entries = {};
  std::shared_ptr<const ColumnList> columns = {};
};

/// A level of lists in the current page.
struct PageLevel {
  TableNumber table = Table::none;
  std::size_t extent = 1;
  const std::uint32_t* offsets = nullptr; ///< null for a fixed length
  /// Returns the rows below a row.
  [[nodiscard]] std::pair<std::size_t, std::size_t> below(std::size_t row) const noexcept {
    return offsets ? std::pair<std::size_t, std::size_t>{offsets[row], offsets[row + 1]}
                   : std::pair{row * extent, (row + 1) * extent};
  }
};

/// The page of a column with a slot's current entry, as contiguous memory. For the slot's thread.
class PagedColumn {
public:
  /// Reads a column of the data source.
  PagedColumn(std::shared_ptr<Slot> slot, const FrameColumn& column);
  ~PagedColumn();
  PagedColumn(const PagedColumn&) = delete;
  PagedColumn& operator=(const PagedColumn&) = delete;

  /// Moves to the page with this entry of the slot's file. Returns false if the file may lack the
  /// column and does. Throws Error(name) if it lacks the column otherwise.
  [[nodiscard]] bool moveTo(std::uint64_t entry) {
    return entry - m_first < m_entries || load(entry);
  }
  /// Returns the index of an entry in the page.
  [[nodiscard]] std::size_t row(std::uint64_t entry) const noexcept {
    return static_cast<std::size_t>(entry - m_first);
  }
  [[nodiscard]] const std::byte* values() const noexcept { return m_values; }
  /// Whether a row of an optional column has a value.
  [[nodiscard]] bool isPresent(std::size_t row) const noexcept { return m_isPresent[row]; }
  [[nodiscard]] const PageLevel* levels() const noexcept { return m_levels.data(); }

  // The following functions are for the slot.

  /// Finds the column in a file. Throws Error(type) if its type differs there.
  void bind(const FilePart& part);
  /// Forgets the page, because the window has moved.
  void forget() noexcept { m_entries = 0; }
  /// Adds the columns of the source that it reads.
  void listColumns(std::vector<std::uint32_t>& columns) const;

private:
  [[nodiscard]] bool load(std::uint64_t entry);
  [[nodiscard]] const std::byte* memberValues(std::uint64_t entry);
  void findPresentRows(std::uint64_t entry);
  [[nodiscard]] const std::byte* sizes(std::uint64_t entry);

  std::shared_ptr<Slot> m_slot;
  std::string m_name;
  std::string m_type;                    // in the first file that has it
  const FrameColumn* m_column = nullptr; // null if the file lacks it
  std::uint64_t m_first = 0;
  std::uint64_t m_entries = 0;
  const std::byte* m_values = nullptr;
  std::vector<PageLevel> m_levels;
  Buffer m_gathered;             // sizes, and values that are not contiguous in the page
  std::vector<bool> m_isPresent; // by row; empty unless the column is optional
};

/// The state of one thread of a data source: its file and entries, and the columns that the graph
/// reads. For one thread at a time.
class Slot {
public:
  /// Begins a loop in which files may lack these columns.
  void begin(const std::set<std::string>& mayBeMissing) { m_mayBeMissing = mayBeMissing; }
  [[nodiscard]] bool mayBeMissing(const std::string& column) const {
    return m_mayBeMissing.contains(column);
  }
  /// Whether the entry is in the slot's current range.
  [[nodiscard]] bool holds(std::uint64_t entry) const noexcept {
    return entry - m_task.first < m_task.size();
  }
  /// Moves to entries of a file, to read them in order.
  void enter(const FilePart& part, EntryRange task);
  /// Leaves the current entries. They may be entered again.
  void leave() noexcept { m_task = {0, 0}; }
  /// Releases its memory.
  void close();

  /// Returns the number of an entry in its file, from its number among all files.
  [[nodiscard]] std::uint64_t inFile(std::uint64_t entry) const noexcept {
    return entry - m_part->entries.first;
  }
  [[nodiscard]] detail::Window& window() noexcept { return *m_window; }

  void add(PagedColumn& column);
  void remove(PagedColumn& column) noexcept;

private:
  std::set<std::string> m_mayBeMissing;
  EntryRange m_task{0, 0};
  const FilePart* m_part = nullptr;
  std::optional<detail::Window> m_window;
  std::vector<PagedColumn*> m_columns;
};

} // namespace kaon::root
