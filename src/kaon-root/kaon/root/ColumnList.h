#pragma once

#include <kaon/model/Schema.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root {

/// What the innermost values of a column are.
enum class Element : std::uint8_t {
  number, ///< or bool
  text,   ///< std::string
  size    ///< std::size_t: how many rows of a table each row above has
};

/// A level of lists: rows of a counted table, or a fixed number of values in a row.
struct Level {
  std::uint32_t table = Table::none; ///< none: fixed
  std::uint32_t extent = 1;
};

/// So many levels of RVec can a column have.
inline constexpr std::size_t mostLists = 4;

/// What RDataFrame sees of a member, or of the counts of a table.
struct FrameColumn {
  std::string name;
  Element element = Element::number;
  Scalar type = Scalar::Bool;        ///< of numbers
  std::uint32_t table = Table::none; ///< whose rows have the values, or are counted
  std::uint32_t member = 0;          ///< unless rows are counted
  std::vector<Level> levels = {};    ///< from entries to values; of text, the last are characters

  /// How many levels of RVec it has.
  [[nodiscard]] std::size_t lists() const noexcept {
    return levels.size() - (element == Element::text ? 1 : 0);
  }
  /// "ROOT::VecOps::RVec<float>".
  [[nodiscard]] std::string typeName() const;
};

/// The columns of a category for RDataFrame.
class ColumnList {
public:
  explicit ColumnList(const Schema& schema);
  /// Adds those that it has none of the names of.
  void add(const ColumnList& others);
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return m_names; }
  /// Null if there is none of that name.
  [[nodiscard]] const FrameColumn* find(std::string_view name) const;

private:
  void add(FrameColumn column);
  std::vector<FrameColumn> m_columns;
  std::vector<std::string> m_names;
  std::map<std::string, std::size_t, std::less<>> m_byName;
};

} // namespace kaon::root
