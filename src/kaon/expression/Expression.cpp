#include <kaon/expression/Expression.h>

#include <kaon/base/Error.h>
#include <kaon/expression/Binder.h>

#include <algorithm>
#include <optional>

namespace kaon::expression {

Expression::Expression(std::string_view text, const Scope& scope) : m_text(text) {
  if (const std::optional<Value> result = Binder(m_graph, scope).resultOf(m_text))
    m_root = result->node;
}

std::uint32_t Expression::root() const {
  if (isRecord())
    fail(ErrorKind::type, "'", m_text,
         "' stands for objects, not for numbers; name a member, as in '", m_text,
         ".pt', or count them");
  return m_root;
}

ColumnType Expression::type() const { return m_graph.at(root()).type; }

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

} // namespace kaon::expression
