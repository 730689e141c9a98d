#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/model/Schema.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace kaon::sio {

/// Tables that are decoded together, because they come from the same block: [first, last).
struct TableUnit {
  TableNumber firstTable = 0;
  TableNumber lastTable = 0;
};

/// The columns of a unit's tables in some events, decoded event by event. Counts are cumulated.
class UnitColumns {
public:
  UnitColumns(const Schema& schema, TableUnit unit) : m_unit(unit) {
    m_firstColumn = schema.columnsOf(unit.firstTable).first;
    m_columns.resize(schema.columnsOf(unit.lastTable - 1).last - m_firstColumn);
    m_tables.resize(unit.lastTable - unit.firstTable);
    for (std::uint32_t number = unit.firstTable; number < unit.lastTable; ++number) {
      const Table table = schema.table(number);
      State& state = m_tables[number - unit.firstTable];
      state.presence = table.canBeAbsent() ? schema.presenceColumn(number) : Column::none;
      state.counts = table.isCounted() ? schema.countsColumn(number) : Column::none;
      state.ends.push_back(0);
      if (table.isCounted())
        put(state.counts, std::uint32_t{0});
    }
  }

  /// Appends a value to a column.
  template <class T>
  void put(ColumnNumber column, T value) {
    std::memcpy(room(column, sizeof(T)), &value, sizeof(T));
  }
  [[nodiscard]] std::byte* room(ColumnNumber column, std::size_t bytes) {
    return m_columns[column - m_firstColumn].grow(bytes);
  }
  [[nodiscard]] Buffer& column(ColumnNumber column) { return m_columns[column - m_firstColumn]; }
  template <class T>
  [[nodiscard]] std::span<T> values(ColumnNumber column) {
    Buffer& buffer = this->column(column);
    return {detail::valuesAt<T>(buffer.data()), buffer.size() / sizeof(T)};
  }

  void addRows(TableNumber table, std::uint32_t rows) { state(table).rows += rows; }
  /// The number of rows so far.
  [[nodiscard]] std::uint32_t rows(TableNumber table) const { return state(table).rows; }
  /// Ends the rows of an event, or of a row of the table above.
  void endList(TableNumber table) { put(state(table).counts, state(table).rows); }
  void setPresence(TableNumber table, bool isPresent) {
    put(state(table).presence, static_cast<std::uint8_t>(isPresent ? 1 : 0));
  }
  /// Whether the table's presence was set for the event that is being decoded.
  [[nodiscard]] bool hasPresence(TableNumber table) {
    return column(state(table).presence).size() == state(table).ends.size();
  }
  /// Ends an event in all tables.
  void endEvent() {
    for (State& state : m_tables)
      state.ends.push_back(state.rows);
  }
  /// Returns the start of each event's rows, and the end of the last.
  [[nodiscard]] std::span<const std::uint32_t> eventRows(TableNumber table) const {
    return state(table).ends;
  }

  /// Whether the columns that depend on others are complete.
  [[nodiscard]] bool isComplete(TableNumber table) const { return state(table).isComplete; }
  void setComplete(TableNumber table) { state(table).isComplete = true; }

private:
  struct State {
    ColumnNumber presence = Column::none, counts = Column::none;
    std::uint32_t rows = 0;
    std::vector<std::uint32_t> ends;
    bool isComplete = false;
  };
  [[nodiscard]] State& state(TableNumber table) { return m_tables[table - m_unit.firstTable]; }
  [[nodiscard]] const State& state(TableNumber table) const {
    return m_tables[table - m_unit.firstTable];
  }

  TableUnit m_unit;
  std::uint32_t m_firstColumn = 0;
  std::vector<Buffer> m_columns;
  std::vector<State> m_tables;
};

} // namespace kaon::sio
