#pragma once

#include <kaon/detail/batch/ColumnValues.h>
#include <kaon/detail/expression/Graph.h>
#include <kaon/detail/expression/Scope.h>
#include <kaon/detail/expression/Value.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::expression {

/// What is to be computed of columns, written as docs/expressions.md says: "count(Muon[Muon.pt >
/// 20]) >= 2". It is read and checked once, and does not change: any number of threads may use it.
class Expression {
public:
  /// Throws Error(usage) for what is no expression, Error(name) for names that the scope does not
  /// know, Error(type) for values that do not go together; the message shows the place in the text.
  Expression(std::string_view text, const Scope& scope);

  [[nodiscard]] const std::string& text() const noexcept { return m_text; }
  /// Whether it stands for objects, such as "Muon[Muon.pt > 20]", and not for numbers: it has no
  /// values, but a scope can have it as an Alias.
  [[nodiscard]] bool isRecord() const noexcept { return m_value.node == Node::none; }
  /// What it has for each entry. Throws Error(type) if it is a record.
  [[nodiscard]] detail::ColumnType type() const;
  /// Whether some of its values may be missing, as those of optional members are. What evaluation
  /// gives there means nothing.
  [[nodiscard]] bool mayBeMissing() const noexcept { return m_value.mayBeMissing(); }
  /// Whether that may be so in lists that are there.
  [[nodiscard]] bool mayLackValues() const noexcept { return m_value.present != Node::none; }
  /// Whether some of its lists may be missing as a whole, as optional arrays are.
  [[nodiscard]] bool mayLackLists() const noexcept { return m_value.mayLackLists(); }
  /// Where its values are there, as an expression: bools in the same lists. They are all true where
  /// nothing may be missing. Throws Error(type) for texts.
  [[nodiscard]] Expression presence() const;
  /// Where its lists are there: bools in fewer lists. Of an expression that may lack lists.
  [[nodiscard]] Expression presenceOfLists() const;
  /// The expressions that say where values, and where lists are there. None if nothing may be
  /// missing.
  [[nodiscard]] std::vector<Expression> presences() const;
  /// Returns this expression as a condition that is false where values are missing.
  [[nodiscard]] Expression asCondition() const;
  /// Whether it takes so long that it is worth to choose entries first: what is transcendental,
  /// combinations, relations.
  [[nodiscard]] bool isCostly() const;
  /// The columns that it needs, each once.
  [[nodiscard]] std::vector<Input> inputs() const;
  /// Whether one of them is only looked into where references lead: nobody misses it where there
  /// are no such objects.
  [[nodiscard]] bool isOnlyFollowed(const Input& input) const;

  /// The steps of the computation, and the last one.
  [[nodiscard]] const Graph& graph() const noexcept { return m_graph; }
  [[nodiscard]] std::uint32_t root() const;

private:
  [[nodiscard]] Expression of(Value value) const;
  [[nodiscard]] bool follows(const Node& node, std::size_t operand) const;

  std::string m_text;
  Graph m_graph;
  Value m_value; // no step: it is a record
};

} // namespace kaon::expression
