#pragma once

#include <kaon/batch/Batches.h>
#include <kaon/detail/batch/ColumnPlace.h>
#include <kaon/detail/batch/ColumnValues.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kaon::detail {

/// Columns of a source, batch by batch, each decoded when it is asked for. What loops over
/// entries and dataframes read by. A single pass, for one thread.
class ColumnBatches {
public:
  /// Columns by columnPlace(). The selection is cut to what there is. `file`, if given, is kept
  /// open.
  ColumnBatches(const Source& source, std::vector<ColumnPlace> columns,
                const EntrySelection& entries = {}, std::shared_ptr<const File> file = nullptr);

  /// Goes on to the next batch, of which nothing is decoded yet; false at the end.
  bool next();
  [[nodiscard]] std::uint64_t firstEntry() const noexcept { return m_batches.batch().firstEntry(); }
  [[nodiscard]] std::size_t entries() const noexcept { return m_batches.batch().entries(); }

  /// A column of this batch. Lasts until the next batch. Throws Error(corrupt), Error(io).
  [[nodiscard]] const ColumnValues& values(std::size_t column);
  /// What its values lie between, in this batch and maybe some more entries, as far as the file
  /// says so of its pages. Nothing is decoded.
  [[nodiscard]] std::optional<Extremes> extremes(std::size_t column);

private:
  struct State {
    ColumnValues values;
    bool isLoaded = false;
    // Of rows in lists, or of collections; or where arrays of fixed length begin.
    std::vector<std::uint32_t> numbers;
    std::vector<std::byte> present; // where several optionals lie in each other
  };
  [[nodiscard]] static std::vector<std::pair<std::uint32_t, std::uint32_t>>
  membersOf(const std::vector<ColumnPlace>& columns);
  [[nodiscard]] static std::vector<std::uint32_t> tablesOf(const std::vector<ColumnPlace>& columns);
  void load(const ColumnPlace& place, State& state);
  void loadEmptyLists(const ColumnPlace& place, State& state);
  void loadCounts(const ColumnPlace& place, State& state);
  void loadPresence(const ColumnPlace& place, State& state);
  static void renumber(const ColumnPlace& place, State& state);
  static void listArrays(const ColumnPlace& place, std::size_t rows, State& state);

  std::vector<ColumnPlace> m_columns;
  std::vector<State> m_states;
  Batches m_batches;
};

} // namespace kaon::detail
