#pragma once

#include <kaon/detail/dataset/Formula.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {
class Dataset;
} // namespace kaon

namespace kaon::detail {

class Bookings;

/// The kinds of steps of a dataframe.
enum class NodeKind : std::uint8_t {
  dataset, ///< The first step.
  filter,  ///< Keeps entries for which its formula is true.
  define,  ///< Adds a column.
  alias,   ///< Gives a column a further name.
  record,  ///< Names the objects that an expression selects.
  vary,    ///< Gives a column other values in a variation.
  origin,  ///< Adds a column with the origin of entries.
  unnamed, ///< Computes an expression for one argument; other steps do not see it.
  explode, ///< Makes each object of a collection an entry.
  implode  ///< Ends the last explode().
};

/// One step of a dataframe. It is immutable, and dataframes share the steps above their last one.
struct DataframeNode {
  NodeKind kind = NodeKind::dataset;
  std::shared_ptr<const DataframeNode> above = {}; ///< Null: this is the first step.
  std::shared_ptr<const Dataset> dataset = {};     ///< Only in the first step.
  std::shared_ptr<Bookings> bookings = {};         ///< Only in the first step.
  std::string name = {}; ///< The column, the filter (may be empty) or the collection.
  std::string of = {};   ///< The alias's other name, the variation or the expression.
  Formula formula = {};
  /// For a column with missing values: the columns that tell which values or lists exist, see
  /// presenceOf().
  std::vector<std::string> presences = {};
  bool isHidden = false; ///< Only expressions see this column.
  bool isStage = false;  ///< The next filter tests a further part of this condition.
};

/// The column that a name means at a node.
struct NamedColumn {
  ColumnId id;
  ColumnType type;
};

/// Returns the first step of a node's dataframe.
[[nodiscard]] const DataframeNode& beginningOf(const DataframeNode& node) noexcept;
/// Returns whether two unnamed columns are the same expression after the same step.
[[nodiscard]] bool areSame(const DataframeNode& unnamed, const DataframeNode& other) noexcept;
/// Returns the explode() whose objects are the entries of a node; null if they are entries of the
/// dataset.
[[nodiscard]] const DataframeNode* frameOf(const DataframeNode* node) noexcept;
/// Returns the explode() that an implode() ends.
[[nodiscard]] const DataframeNode& explodeOf(const DataframeNode& implode) noexcept;
/// Returns whether a step changes which entries exist.
[[nodiscard]] bool isChoice(const DataframeNode& node) noexcept;
/// Returns whether a name is the number of objects that an implode() leaves, such as "#Muon".
[[nodiscard]] bool isCountOf(std::string_view name, const DataframeNode& implode) noexcept;
/// Returns whether a name is a collection or belongs to it: "Muon", "Muon.pt", "#Muon.hits".
[[nodiscard]] bool isOf(std::string_view name, std::string_view collection) noexcept;

/// Returns the name of the column that tells which values of a column exist. It belongs to the same
/// collection.
[[nodiscard]] std::string presenceOf(std::string_view column);

/// Returns whether a text has operators or words of expressions, which names hardly ever have.
[[nodiscard]] bool looksLikeExpression(std::string_view text) noexcept;

/// Returns the step that gave this name its meaning; null if only the dataset can define it. If
/// this is an explode(), the column was a list before it, and implode() makes it a list again.
[[nodiscard]] const DataframeNode* definitionOf(const DataframeNode& node, std::string_view name);
/// Returns the step that computes this column; null if only the files can have it.
[[nodiscard]] const DataframeNode* computationOf(const DataframeNode& node, std::string_view name);
/// Returns the column that a name means after this node. Throws Error(name) with a suggestion, and
/// Error(type) if the name is not a column of numbers.
[[nodiscard]] NamedColumn columnNamed(const DataframeNode& node, std::string_view name);
/// Returns the column of this name, or nothing.
[[nodiscard]] std::optional<NamedColumn> findColumn(const DataframeNode& node,
                                                    std::string_view name);
/// Returns the names of the columns defined up to here, in order.
[[nodiscard]] std::vector<std::string> definedColumns(const DataframeNode& node);
/// Returns these names, and the names of defined objects.
[[nodiscard]] std::vector<std::string> definedNames(const DataframeNode& node);
/// Returns the sorted names of the variations up to here.
[[nodiscard]] std::set<std::string> variationsOf(const DataframeNode& node);

} // namespace kaon::detail
