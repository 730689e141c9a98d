#include <kaon/dataset/Stages.h>

#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/ExpressionFormula.h>
#include <kaon/dataset/TagFilter.h>
#include <kaon/expression/Syntax.h>

#include <algorithm>

namespace kaon {
namespace {

/// Returns whether an argument of a formula is computed by a user's function.
bool callsFunction(const detail::Formula& formula) {
  return std::ranges::any_of(formula.arguments, [](const detail::ColumnArgument& argument) {
    const detail::DataframeNode* const node = argument.column.node;
    return node && node->formula.function &&
           (!node->formula.function->isRepeatable() || callsFunction(node->formula));
  });
}

} // namespace

std::vector<std::string> stagesOf(std::string_view condition, const detail::DataframeNode& node) {
  const NodeScope scope(node);
  const Schema& schema = detail::beginningOf(node).dataset->schema();
  std::vector<std::string> stages;
  bool allOfTags = true;
  for (const std::string_view part : expression::conditionsOf(condition)) {
    const expression::Expression expression(part, scope);
    const detail::Formula formula = formulaOf(expression, node);
    const bool readsMore = allOfTags && !isOfTags(formula, schema);
    std::string text = '(' + std::string(part) + ')';
    if (formula.type.scalar != Scalar::Bool)
      text += " != 0"; // "and" accepts numbers in this way.
    if (stages.empty() || readsMore || expression.isCostly() || callsFunction(formula))
      stages.push_back(std::move(text));
    else
      stages.back() += " and " + text;
    allOfTags = allOfTags && !readsMore;
  }
  return stages;
}

} // namespace kaon
