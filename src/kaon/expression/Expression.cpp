#include <kaon/expression/Expression.h>

#include <kaon/base/Error.h>
#include <kaon/expression/Binder.h>

#include <utility>

namespace kaon::expression {

Expression::Expression(std::string_view text, const Scope& scope) : m_text(text) {
  Bound bound = bindExpression(m_text, scope);
  m_graph = std::move(bound.graph);
  m_root = bound.root;
}

std::uint32_t Expression::root() const {
  if (isRecord())
    fail(ErrorKind::type, "'", m_text,
         "' stands for objects, not for numbers; name a member, as in '", m_text,
         ".pt', or count them");
  return m_root;
}

ColumnType Expression::type() const { return m_graph.at(root()).type; }

std::vector<Input> Expression::inputs() const {
  std::vector<Input> needed;
  for (const std::uint32_t step : m_graph.stepsTo(root()))
    if (m_graph.at(step).operation == Operation::input)
      needed.push_back(m_graph.inputs()[m_graph.at(step).parameter]);
  return needed;
}

} // namespace kaon::expression
