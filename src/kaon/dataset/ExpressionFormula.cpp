#include <kaon/dataset/ExpressionFormula.h>

#include <kaon/dataset/Dataset.h>
#include <kaon/expression/Evaluation.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace kaon {
namespace {

class ExpressionEvaluator final : public Evaluator {
public:
  explicit ExpressionEvaluator(const expression::Expression& expression)
      : m_evaluation(std::span(&expression, 1)) {}

  ColumnValues evaluate(const expression::Entries& entries,
                        std::span<const ArgumentValues> arguments) override {
    m_columns.clear();
    for (const ArgumentValues& argument : arguments)
      m_columns.push_back(argument.column);
    m_evaluation.begin(entries, m_columns);
    return m_evaluation.evaluate(0);
  }

private:
  expression::Evaluation m_evaluation;
  std::vector<ColumnValues> m_columns;
};

class ExpressionFunction final : public Function {
public:
  explicit ExpressionFunction(expression::Expression expression)
      : m_expression(std::move(expression)) {}
  [[nodiscard]] std::unique_ptr<Evaluator> evaluator() const override {
    return std::make_unique<ExpressionEvaluator>(m_expression);
  }

private:
  expression::Expression m_expression;
};

} // namespace

NodeScope::NodeScope(const Node& node)
    : m_node(&node), m_schema(beginningOf(node).dataset->schema()) {}

expression::NameMeaning NodeScope::find(std::string_view name) const {
  const Node* const step = definitionOf(*m_node, name);
  if (!step)
    return findInDataset(name);
  if (step->kind == NodeKind::record)
    return expression::Alias{step->of};
  if (step->kind == NodeKind::alias)
    return NodeScope(*step->above).find(step->of);
  return expression::ColumnName{std::string(name), step->formula.type};
}

/// What the dataset has; else the objects of which members were defined, as "Lepton.pt".
expression::NameMeaning NodeScope::findInDataset(std::string_view name) const {
  expression::NameMeaning meaning = m_schema.find(name);
  if (!std::holds_alternative<std::monostate>(meaning))
    return meaning;
  const std::string prefix = std::string(name) + ".";
  for (const std::string& defined : definedColumns(*m_node))
    if (defined.starts_with(prefix))
      if (const ColumnType type = columnNamed(*m_node, defined).type; type.depth > 0)
        return expression::RecordName{std::string(name), type.depth, ""};
  return meaning;
}

std::vector<std::string> NodeScope::names() const {
  std::vector<std::string> names = definedColumns(*m_node);
  std::ranges::move(m_schema.names(), std::back_inserter(names));
  return names;
}

Formula formulaOf(const expression::Expression& expression, const Node& node) {
  Formula formula;
  formula.type = expression.type();
  for (const expression::Input& input : expression.inputs()) {
    const NamedColumn column = input.isListsOnly
                                   ? NamedColumn{{nullptr, input.name, true}, input.type}
                                   : columnNamed(node, input.name);
    formula.arguments.push_back({column.id, column.type, column.type.scalar, true});
  }
  formula.function = std::make_shared<ExpressionFunction>(expression);
  return formula;
}

} // namespace kaon
