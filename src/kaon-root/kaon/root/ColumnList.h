#pragma once

#include <kaon/model/Schema.h>
#include <kaon/model/Table.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root {

/// The type of the innermost values of a column.
enum class ElementKind : std::uint8_t {
  number, ///< or bool
  text,   ///< std::string
  size    ///< std::size_t: the number of a table's rows for each row above
};

/// A level of lists: rows of a counted table, or a fixed number of values in a row.
struct Level {
  TableNumber table = Table::none; ///< Table::none for a fixed length
  std::uint32_t extent = 1;
};

/// The most levels of RVec in a column.
inline constexpr std::size_t mostLists = 4;

/// A column of RDataFrame for a member, or for the counts of a table.
struct FrameColumn {
  std::string name;
  ElementKind element = ElementKind::number;
  Scalar type = Scalar::Bool;      ///< of numbers
  TableNumber table = Table::none; ///< its rows have the values, or are counted
  MemberNumber member = 0;         ///< unless rows are counted
  /// From entries to values; the last level of texts has characters.
  std::vector<Level> levels = {};
  /// Bools of the same rows, or of the rows with texts. A row has a value if all are true. Empty if
  /// every row has one.
  std::vector<TableMember> presences = {};

  [[nodiscard]] bool isOptional() const noexcept { return !presences.empty(); }
  /// Whether each row has an array of numbers, which is the last level.
  [[nodiscard]] bool isArray() const noexcept {
    return !levels.empty() && levels.back().table == Table::none;
  }
  /// The number of levels of RVec around a value; an optional array is one value.
  [[nodiscard]] std::size_t lists() const noexcept {
    return levels.size() - (element == ElementKind::text || (isOptional() && isArray()) ? 1 : 0);
  }
  /// Returns the type's name: "ROOT::VecOps::RVec<std::optional<float>>".
  [[nodiscard]] std::string typeName() const;
};

/// The columns of a category for RDataFrame.
class ColumnList {
public:
  explicit ColumnList(const Schema& schema);
  /// Adds the columns whose names are new.
  void add(const ColumnList& others);
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return m_names; }
  /// Returns null for unknown names.
  [[nodiscard]] const FrameColumn* find(std::string_view name) const;

private:
  void add(FrameColumn column);
  std::vector<FrameColumn> m_columns;
  std::vector<std::string> m_names;
  std::map<std::string, std::size_t, std::less<>> m_byName;
};

} // namespace kaon::root
