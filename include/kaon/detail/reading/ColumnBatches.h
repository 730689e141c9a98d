#pragma once

#include <kaon/detail/reading/ColumnLocator.h>
#include <kaon/detail/reading/ColumnValues.h>
#include <kaon/reading/Batches.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kaon::detail {

/// Reads columns of a source batch by batch, and decodes each column on request. Loops over entries
/// and dataframes use it. A single pass, for one thread.
class ColumnBatches {
public:
  /// Selects columns by columnPlace(). Ignores selected entries beyond the end of the source.
  /// `file`, if given, is kept open.
  ColumnBatches(const Source& source, std::vector<ColumnLocator> columns,
                const EntrySelection& entries = {}, std::shared_ptr<const File> file = nullptr);

  /// Moves to the next batch without decoding it. Returns false at the end.
  bool next();
  [[nodiscard]] std::uint64_t firstEntry() const noexcept { return m_batches.batch().firstEntry(); }
  [[nodiscard]] std::size_t entries() const noexcept { return m_batches.batch().entries(); }

  /// Returns a column of this batch, valid until the next batch. Throws Error(corrupt) and
  /// Error(io).
  [[nodiscard]] const ColumnValues& values(std::size_t column);
  /// Returns the extremes of a column's values in this batch, and possibly in further entries, if
  /// the file states them for its pages. Decodes nothing.
  [[nodiscard]] std::optional<Extremes> extremes(std::size_t column);

private:
  struct State {
    ColumnValues values;
    bool isLoaded = false;
    // Numbers of rows, numbers of collections, or offsets of arrays of fixed length.
    std::vector<std::uint32_t> numbers;
    std::vector<std::byte> present; // of optionals inside optionals
  };
  [[nodiscard]] static std::vector<TableMember>
  membersOf(const std::vector<ColumnLocator>& columns);
  [[nodiscard]] static std::vector<std::uint32_t>
  tablesOf(const std::vector<ColumnLocator>& columns);
  void load(const ColumnLocator& place, State& state);
  void loadEmptyLists(const ColumnLocator& place, State& state);
  void loadCounts(const ColumnLocator& place, State& state);
  void loadPresence(const ColumnLocator& place, State& state);
  static void renumber(const ColumnLocator& place, State& state);
  static void listArrays(const ColumnLocator& place, std::size_t rows, State& state);

  std::vector<ColumnLocator> m_columns;
  std::vector<State> m_states;
  Batches m_batches;
};

} // namespace kaon::detail
