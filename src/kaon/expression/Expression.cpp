#include <kaon/detail/expression/Expression.h>

#include <kaon/base/Error.h>
#include <kaon/expression/Binder.h>

#include <algorithm>

namespace kaon::expression {

Expression::Expression(std::string_view text, const Scope& scope) : m_text(text) {
  m_value = Binder(m_graph, scope).resultOf(m_text).value_or(Value{});
}

/// Returns another value of the same steps as an expression.
Expression Expression::of(Value value) const {
  Expression other = *this;
  other.m_value = value;
  return other;
}

Expression Expression::presence() const {
  Expression presence = *this;
  presence.m_value = Operators(presence.m_graph).presence(m_value);
  return presence;
}

Expression Expression::presenceOfLists() const { return of({m_value.presentLists}); }

std::vector<Expression> Expression::presences() const {
  std::vector<Expression> presences;
  for (const std::uint32_t present : {m_value.present, m_value.presentLists})
    if (present != Node::none)
      presences.push_back(of({present}));
  return presences;
}

Expression Expression::asCondition() const {
  Expression condition = *this;
  if (mayBeMissing() && type().scalar == Scalar::Bool)
    condition.m_value = Operators(condition.m_graph).asBool(m_value);
  return condition;
}

std::uint32_t Expression::root() const {
  if (isRecord())
    fail(ErrorKind::type, "'", m_text,
         "' stands for objects, not for numbers; name a member, as in '", m_text,
         ".pt', or count them");
  return m_value.node;
}

detail::ColumnType Expression::type() const { return m_graph.at(root()).type; }

bool Expression::isCostly() const {
  return std::ranges::any_of(m_graph.stepsTo(root()), [this](std::uint32_t step) {
    return expression::isCostly(m_graph.at(step).operation);
  });
}

std::vector<Input> Expression::inputs() const {
  std::vector<Input> needed;
  for (const std::uint32_t step : m_graph.stepsTo(root()))
    if (m_graph.at(step).operation == Operation::input)
      needed.push_back(m_graph.inputs()[m_graph.at(step).parameter]);
  return needed;
}

/// Returns whether a step reads only the rows of an operand that references lead to.
bool Expression::follows(const Node& node, std::size_t operand) const {
  if (node.operation == Operation::rowsRelated)
    return operand == 0;
  return node.operation == Operation::gather && (operand == 0 || operand == 2) &&
         m_graph.at(node.operands[1]).operation == Operation::rowsRelated;
}

bool Expression::isOnlyFollowed(const Input& input) const {
  std::vector<bool> isLookedAt(m_graph.size()); // through steps that follow no references
  isLookedAt[root()] = true;
  for (std::uint32_t step = root() + 1; step-- > 0;) {
    const Node& node = m_graph.at(step);
    if (!isLookedAt[step])
      continue;
    if (node.operation == Operation::input && m_graph.inputs()[node.parameter] == input)
      return false;
    for (std::size_t i = 0; i < node.operands.size(); ++i)
      if (node.operands[i] != Node::none && !follows(node, i))
        isLookedAt[node.operands[i]] = true;
  }
  return true;
}

} // namespace kaon::expression
