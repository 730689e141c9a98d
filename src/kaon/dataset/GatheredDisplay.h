#pragma once

#include <kaon/dataset/Result.h>
#include <kaon/detail/dataset/Formula.h>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kaon::detail {

/// Gathers a display. It is full when it has the wanted number of rows.
class GatheredDisplay {
public:
  /// A column. The columns that tell which of its values exist follow it.
  struct Column {
    ColumnType type;
    Missing missing = {};
  };
  GatheredDisplay(std::vector<std::string> columns, std::vector<Column> shown, std::size_t rows)
      : m_columns(std::move(shown)), m_wanted(rows), m_display{std::move(columns), {}} {}
  void add(std::size_t entries, std::span<const ArgumentValues> arguments);
  void merge(GatheredDisplay&& next);
  [[nodiscard]] bool isFull() const { return m_display.rows.size() >= m_wanted; }
  [[nodiscard]] Display result() && { return std::move(m_display); }

private:
  std::vector<Column> m_columns;
  std::size_t m_wanted;
  Display m_display;
};

} // namespace kaon::detail
