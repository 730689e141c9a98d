#include <kaon/detail/reading/ColumnBatches.h>

#include <kaon/base/Error.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace kaon::detail {

ColumnBatches::ColumnBatches(const Source& source, std::vector<ColumnLocator> columns,
                             const EntrySelection& entries, std::shared_ptr<const File> file)
    : m_columns(std::move(columns)), m_states(m_columns.size()),
      m_batches(source, tablesOf(m_columns), membersOf(m_columns), entries, std::move(file)) {}

std::vector<std::uint32_t> ColumnBatches::tablesOf(const std::vector<ColumnLocator>& columns) {
  std::vector<std::uint32_t> tables;
  for (const ColumnLocator& place : columns)
    if (place.table != Table::none)
      tables.push_back(place.table);
  return tables;
}

std::vector<TableMember> ColumnBatches::membersOf(const std::vector<ColumnLocator>& columns) {
  std::vector<TableMember> members;
  for (const ColumnLocator& place : columns) {
    if (place.member != ColumnLocator::noMember)
      members.emplace_back(place.table, place.member);
    for (const auto [table, member] : place.presences)
      members.emplace_back(table, member);
  }
  return members;
}

bool ColumnBatches::next() {
  for (State& state : m_states)
    state.isLoaded = false;
  return m_batches.advance();
}

const ColumnValues& ColumnBatches::values(std::size_t column) {
  State& state = m_states[column];
  if (!state.isLoaded)
    load(m_columns[column], state);
  state.isLoaded = true;
  return state.values;
}

std::optional<Extremes> ColumnBatches::extremes(std::size_t column) {
  const ColumnLocator& place = m_columns[column];
  if (!place.isStored())
    return std::nullopt;
  return m_batches.extremes(place.table, place.member);
}

void ColumnBatches::load(const ColumnLocator& place, State& state) {
  if (place.table == Table::none)
    return loadEmptyLists(place, state);
  if (place.member == ColumnLocator::noMember)
    m_batches.loadRows(place.table);
  else
    m_batches.loadMember(place.table, place.member);
  const Batch& batch = m_batches.batch();
  for (std::size_t level = 0; level < place.lists.size(); ++level)
    state.values.offsets[level] = batch.table(place.lists[level]).offsets;
  if (place.isCount)
    return loadCounts(place, state);
  if (place.member == ColumnLocator::noMember)
    return;
  const TableView& table = batch.table(place.table);
  state.values.values = table.members[place.member].base;
  state.values.size = table.rows * place.extent;
  if (place.isArray)
    listArrays(place, table.rows, state);
  if (!place.numbers.empty() && state.values.size > 0)
    renumber(place, state);
  if (!place.presences.empty())
    loadPresence(place, state);
}

void ColumnBatches::loadPresence(const ColumnLocator& place, State& state) {
  const auto load = [this](TableMember presence) {
    m_batches.loadMember(presence.table, presence.member);
    return m_batches.batch().table(presence.table).members[presence.member].base;
  };
  state.values.present = load(place.presences.front());
  const std::size_t rows = m_batches.batch().table(place.table).rows;
  for (const TableMember presence : std::span(place.presences).subspan(1)) {
    const std::byte* const further = load(presence);
    if (state.values.present != state.present.data())
      state.present.assign(state.values.present, state.values.present + rows);
    for (std::size_t row = 0; row < rows; ++row)
      state.present[row] &= further[row];
    state.values.present = state.present.data();
  }
}

void ColumnBatches::loadEmptyLists(const ColumnLocator& place, State& state) {
  if (place.type.depth == 0)
    return;
  state.numbers.assign(entries() + 1, 0);
  state.values.offsets.fill(std::span(state.numbers).first(1));
  state.values.offsets[0] = state.numbers;
}

void ColumnBatches::loadCounts(const ColumnLocator& place, State& state) {
  const std::span<const std::uint32_t> offsets = m_batches.batch().table(place.table).offsets;
  state.numbers.resize(offsets.size() - 1);
  for (std::size_t row = 0; row < state.numbers.size(); ++row)
    state.numbers[row] = offsets[row + 1] - offsets[row];
  state.values.values = detail::bytesAt(state.numbers.data());
  state.values.size = state.numbers.size();
}

void ColumnBatches::renumber(const ColumnLocator& place, State& state) {
  const auto stored = state.values.as<std::uint32_t>();
  state.numbers.resize(stored.size());
  std::ranges::transform(stored, state.numbers.begin(), [&](std::uint32_t number) {
    return number < place.numbers.size() ? TableNumber(place.numbers[number]) : Table::none;
  });
  state.values.values = detail::bytesAt(state.numbers.data());
}

/// Sets the offsets of arrays of fixed length, which read as lists of equal length.
void ColumnBatches::listArrays(const ColumnLocator& place, std::size_t rows, State& state) {
  if (rows > std::numeric_limits<std::uint32_t>::max() / place.extent)
    fail(ErrorKind::usage, "a batch has more than 2^32 values in arrays of ", place.extent);
  for (std::size_t row = state.numbers.size(); row <= rows; ++row)
    state.numbers.push_back(static_cast<std::uint32_t>(row * place.extent));
  state.values.offsets[place.lists.size()] = std::span(state.numbers).first(rows + 1);
}

} // namespace kaon::detail
