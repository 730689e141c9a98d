#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Source.h>
#include <kaon/batch/Window.h>
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

/// A file of a data source, and where its entries are among those of all files.
struct FilePart {
  std::shared_ptr<const File> file;
  std::string category;
  std::string id; ///< as RDataFrame has it: "events.kaon/events"
  const ROOT::RDF::Experimental::RSample* sample = nullptr;
  const Source* source = nullptr;
  EntryRange entries = {};
  std::shared_ptr<const ColumnList> columns = {};
};

/// A level of lists in the page that is being read.
struct PageLevel {
  std::uint32_t table = Table::none;
  std::size_t extent = 1;
  const std::uint32_t* offsets = nullptr; ///< null: fixed
  /// The rows below a row.
  [[nodiscard]] std::pair<std::size_t, std::size_t> below(std::size_t row) const noexcept {
    return offsets ? std::pair<std::size_t, std::size_t>{offsets[row], offsets[row + 1]}
                   : std::pair{row * extent, (row + 1) * extent};
  }
};

/// A column's page with the entry that a slot is at, as one piece of memory. For the slot's thread.
class PagedColumn {
public:
  /// Of a column of the data source's.
  PagedColumn(std::shared_ptr<Slot> slot, const FrameColumn& column);
  ~PagedColumn();
  PagedColumn(const PagedColumn&) = delete;
  PagedColumn& operator=(const PagedColumn&) = delete;

  /// Has the page with this entry of the slot's file; false if the file lacks the column. Throws
  /// Error(name) if it does, and may not.
  [[nodiscard]] bool moveTo(std::uint64_t entry) {
    return entry - m_first < m_entries || load(entry);
  }
  /// The entry's number in the page.
  [[nodiscard]] std::size_t row(std::uint64_t entry) const noexcept {
    return static_cast<std::size_t>(entry - m_first);
  }
  [[nodiscard]] const std::byte* values() const noexcept { return m_values; }
  [[nodiscard]] const PageLevel* levels() const noexcept { return m_levels.data(); }

  // For the slot.

  /// Finds the column in a file. Throws Error(type) if it has it as another type.
  void bind(const FilePart& part);
  /// The window's pages went elsewhere.
  void forget() noexcept { m_entries = 0; }
  /// Adds the columns of the source that it reads.
  void listColumns(std::vector<std::uint32_t>& columns) const;

private:
  [[nodiscard]] bool load(std::uint64_t entry);
  [[nodiscard]] const std::byte* memberValues(std::uint64_t entry);
  [[nodiscard]] const std::byte* sizes(std::uint64_t entry);

  std::shared_ptr<Slot> m_slot;
  std::string m_name;
  std::string m_type;                    // in the first file that has it
  const FrameColumn* m_column = nullptr; // null: the file lacks it
  std::uint64_t m_first = 0;
  std::uint64_t m_entries = 0;
  const std::byte* m_values = nullptr;
  std::vector<PageLevel> m_levels;
  Buffer m_gathered; // values that do not lie next to each other, and sizes
};

/// One of the threads of a data source: the file and entries that it is at, and the columns that
/// the graph reads. For one thread at a time.
class Slot {
public:
  /// A loop begins in which files may lack these columns.
  void begin(const std::set<std::string>& mayBeMissing) { m_mayBeMissing = mayBeMissing; }
  [[nodiscard]] bool mayBeMissing(const std::string& column) const {
    return m_mayBeMissing.contains(column);
  }
  /// Whether it is at entries that this one is among.
  [[nodiscard]] bool holds(std::uint64_t entry) const noexcept {
    return entry - m_task.first < m_task.size();
  }
  /// Goes to entries of a file, to read them front to back.
  void enter(const FilePart& part, EntryRange task);
  /// Entries will be entered anew, be they the same.
  void leave() noexcept { m_task = {0, 0}; }
  /// Gives its memory back.
  void close();

  /// The number in its file of an entry of all files.
  [[nodiscard]] std::uint64_t inFile(std::uint64_t entry) const noexcept {
    return entry - m_part->entries.first;
  }
  [[nodiscard]] Window& window() noexcept { return *m_window; }

  void add(PagedColumn& column);
  void remove(PagedColumn& column) noexcept;

private:
  std::set<std::string> m_mayBeMissing;
  EntryRange m_task{0, 0};
  const FilePart* m_part = nullptr;
  std::optional<Window> m_window;
  std::vector<PagedColumn*> m_columns;
};

} // namespace kaon::root
