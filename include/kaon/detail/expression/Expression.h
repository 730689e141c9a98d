#pragma once

#include <kaon/detail/expression/Graph.h>
#include <kaon/detail/expression/Scope.h>
#include <kaon/detail/expression/Value.h>
#include <kaon/detail/reading/ColumnValues.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::expression {

/// An expression of columns, written as docs/expressions.md describes: "count(Muon[Muon.pt > 20])
/// >= 2". It is parsed and checked once, and is immutable. Thread-safe.
class Expression {
public:
  /// Parses and checks `text`. Throws Error(usage) for invalid syntax, Error(name) for names that
  /// the scope does not know, and Error(type) for values that cannot be combined. Messages show the
  /// place in the text.
  Expression(std::string_view text, const Scope& scope);

  [[nodiscard]] const std::string& text() const noexcept { return m_text; }
  /// Returns whether it stands for objects, such as "Muon[Muon.pt > 20]". Objects have no values; a
  /// scope can name them by an Alias.
  [[nodiscard]] bool isRecord() const noexcept { return m_value.node == Node::none; }
  /// Returns the type of its values for one entry. Throws Error(type) for objects.
  [[nodiscard]] detail::ColumnType type() const;
  /// Returns whether some values may be missing, such as those of optional members. Evaluation
  /// returns arbitrary numbers for missing values.
  [[nodiscard]] bool mayBeMissing() const noexcept { return m_value.mayBeMissing(); }
  /// Returns whether values in existing lists may be missing.
  [[nodiscard]] bool mayLackValues() const noexcept { return m_value.present != Node::none; }
  /// Returns whether whole lists may be missing, such as optional arrays.
  [[nodiscard]] bool mayLackLists() const noexcept { return m_value.mayLackLists(); }
  /// Returns the expression that tells which values exist: bools in the same lists. If no value can
  /// be missing, all are true. Throws Error(type) for texts.
  [[nodiscard]] Expression presence() const;
  /// Returns the expression that tells which lists exist: bools in fewer lists. Only for
  /// expressions whose lists may be missing.
  [[nodiscard]] Expression presenceOfLists() const;
  /// Returns the expressions that tell which values exist, then which lists. Empty if nothing can
  /// be missing.
  [[nodiscard]] std::vector<Expression> presences() const;
  /// Returns this expression as a condition that is false where values are missing.
  [[nodiscard]] Expression asCondition() const;
  /// Returns whether it is slow enough to select entries first: transcendental functions,
  /// combinations, relations.
  [[nodiscard]] bool isCostly() const;
  /// Returns the columns that it needs, each once.
  [[nodiscard]] std::vector<Input> inputs() const;
  /// Returns whether a column is read only at objects that references lead to. Files without these
  /// objects may lack the column.
  [[nodiscard]] bool isOnlyFollowed(const Input& input) const;

  /// Returns the steps of the computation.
  [[nodiscard]] const Graph& graph() const noexcept { return m_graph; }
  [[nodiscard]] std::uint32_t root() const;

private:
  [[nodiscard]] Expression of(Value value) const;
  [[nodiscard]] bool follows(const Node& node, std::size_t operand) const;

  std::string m_text;
  Graph m_graph;
  Value m_value; // without a step: objects
};

} // namespace kaon::expression
