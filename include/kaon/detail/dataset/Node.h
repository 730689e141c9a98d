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

/// What a step of a dataframe does.
enum class NodeKind : std::uint8_t {
  dataset, ///< the beginning
  filter,  ///< keeps entries for which its formula is true
  define,  ///< adds a column
  alias,   ///< gives a column a further name
  record,  ///< gives objects a name: those of an expression
  vary,    ///< says what a column is in a variation
  origin,  ///< adds a column that says where entries come from
  unnamed, ///< computes what is asked for by an expression; other steps do not know it
  explode, ///< each object of a collection is an entry
  implode  ///< what was an entry before explode() is one again
};

/// One step of a dataframe. It does not change any more: dataframes share those above them.
struct Node {
  NodeKind kind = NodeKind::dataset;
  std::shared_ptr<const Node> above = {};      ///< null: the beginning
  std::shared_ptr<const Dataset> dataset = {}; ///< of the beginning
  std::shared_ptr<Bookings> bookings = {};     ///< of the beginning
  std::string name = {}; ///< of the column, of the filter, which may have none, of the collection
  std::string of = {};   ///< what an alias is called otherwise, a variation's name, the expression
  Formula formula = {};
  /// Of a column that may be missing: the columns that say where its values or lists are there, see
  /// presenceOf().
  std::vector<std::string> presences = {};
  bool isHidden = false; ///< a column that only expressions know, as such a one
  bool isStage = false;  ///< of a filter: the step below goes on with the same condition
};

/// A column that a name means, seen from a node.
struct NamedColumn {
  ColumnId id;
  ColumnType type;
};

/// Where a node's dataframe begins.
[[nodiscard]] const Node& beginningOf(const Node& node) noexcept;
/// Whether two columns that no name stands for are the same expression after the same step.
[[nodiscard]] bool areSame(const Node& unnamed, const Node& other) noexcept;
/// The explode() whose objects are the entries of a node; null: they are those of the dataset.
[[nodiscard]] const Node* frameOf(const Node* node) noexcept;
/// The explode() that an implode() ends.
[[nodiscard]] const Node& explodeOf(const Node& implode) noexcept;
/// Whether a step decides which entries there are after it.
[[nodiscard]] bool isChoice(const Node& node) noexcept;
/// Whether a name says how many objects an implode() leaves: "#Muon".
[[nodiscard]] bool isCountOf(std::string_view name, const Node& implode) noexcept;
/// Whether a name is that of a collection or of something in it: "Muon", "Muon.pt", "#Muon.hits".
[[nodiscard]] bool isOf(std::string_view name, std::string_view collection) noexcept;

/// The name of the column that says where a column has values. It is of the same collection.
[[nodiscard]] std::string presenceOf(std::string_view column);

/// Whether a text has signs or words of expressions, so that hardly anything is called so.
[[nodiscard]] bool looksLikeExpression(std::string_view text) noexcept;

/// The step that gave this name its meaning; null: the dataset has it, if anything. Where that is
/// explode(), the objects' column was a list above; implode() makes it a list again.
[[nodiscard]] const Node* definitionOf(const Node& node, std::string_view name);
/// The step that computes this column; null: the files have it, if anything.
[[nodiscard]] const Node* computationOf(const Node& node, std::string_view name);
/// What a name means after this node. Throws Error(name) with a suggestion, Error(type) for what is
/// no column of numbers.
[[nodiscard]] NamedColumn columnNamed(const Node& node, std::string_view name);
/// The column of this name, nothing where there is none.
[[nodiscard]] std::optional<NamedColumn> findColumn(const Node& node, std::string_view name);
/// The names of the columns that were defined up to here, the first first.
[[nodiscard]] std::vector<std::string> definedColumns(const Node& node);
/// These names, and those of the objects that were defined.
[[nodiscard]] std::vector<std::string> definedNames(const Node& node);
/// The names of the variations up to here, sorted.
[[nodiscard]] std::set<std::string> variationsOf(const Node& node);

} // namespace kaon::detail
