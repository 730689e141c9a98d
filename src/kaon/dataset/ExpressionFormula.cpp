#include <kaon/dataset/ExpressionFormula.h>

#include <kaon/base/Error.h>
#include <kaon/batch/UnreadColumns.h>
#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/KnownBounds.h>
#include <kaon/dataset/Origin.h>
#include <kaon/detail/expression/Evaluation.h>
#include <kaon/expression/ValueBounds.h>
#include <kaon/model/Structure.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

namespace kaon {
namespace {

class ExpressionEvaluator final : public detail::Evaluator {
public:
  explicit ExpressionEvaluator(const expression::Expression& expression)
      : m_expression(&expression), m_inputs(expression.inputs()),
        m_evaluation(std::span(&expression, 1)) {}

  [[nodiscard]] bool canHold(const detail::KnownBounds& known) const override {
    return expression::canHold(*m_expression, extremesOfInputs(known));
  }
  [[nodiscard]] std::optional<expression::ValueBounds>
  extremes(const detail::KnownBounds& known) const override {
    return expression::boundsOf(*m_expression, extremesOfInputs(known));
  }

  detail::ColumnValues evaluate(const expression::Entries& entries,
                                std::span<const detail::ArgumentValues> arguments) override {
    m_columns.clear();
    for (const detail::ArgumentValues& argument : arguments)
      m_columns.push_back(argument.column);
    m_evaluation.begin(entries, m_columns);
    return m_evaluation.evaluate(0);
  }

private:
  [[nodiscard]] expression::KnownValueBounds
  extremesOfInputs(const detail::KnownBounds& known) const {
    return [this, &known](const expression::Input& input) {
      const auto number = std::ranges::find(m_inputs, input) - m_inputs.begin();
      return known.extremes(static_cast<std::size_t>(number));
    };
  }

  const expression::Expression* m_expression;
  std::vector<expression::Input> m_inputs;
  expression::Evaluation m_evaluation;
  std::vector<detail::ColumnValues> m_columns;
};

class ExpressionFunction final : public detail::Function {
public:
  explicit ExpressionFunction(expression::Expression expression)
      : m_expression(std::move(expression)) {}
  [[nodiscard]] std::unique_ptr<detail::Evaluator> evaluator() const override {
    return std::make_unique<ExpressionEvaluator>(m_expression);
  }
  [[nodiscard]] bool isRepeatable() const noexcept override { return true; }

private:
  expression::Expression m_expression;
};

} // namespace

NodeScope::NodeScope(const detail::DataframeNode& node)
    : m_node(&node), m_schema(detail::beginningOf(node).dataset->schema()) {}

expression::NameMeaning NodeScope::find(std::string_view name) const { return find(*m_node, name); }

expression::NameMeaning NodeScope::find(const detail::DataframeNode& node,
                                        std::string_view name) const {
  const detail::DataframeNode* const step = detail::definitionOf(node, name);
  if (!step)
    return findInFrame(node, name);
  if (step->kind == detail::NodeKind::record)
    return expression::Alias{step->of};
  if (step->kind == detail::NodeKind::alias) {
    expression::NameMeaning meaning = find(*step->above, step->of);
    if (auto* const column = std::get_if<expression::ColumnName>(&meaning))
      column->name = name; // An alias keeps its meaning even if the other name is redefined.
    return meaning;
  }
  if (step->kind == detail::NodeKind::explode || step->kind == detail::NodeKind::implode) {
    const expression::NameMeaning meaning = find(*step->above, name);
    if (const auto* const optional = std::get_if<expression::OptionalName>(&meaning))
      return reframed(*optional, node);
  }
  if (step->presences.empty())
    return expression::ColumnName{std::string(name), detail::columnNamed(*step, name).type};
  return optionalOf(*step, name);
}

/// Returns a column that a step defines, with the columns that tell which values or lists exist.
expression::OptionalName NodeScope::optionalOf(const detail::DataframeNode& step,
                                               std::string_view name) {
  expression::OptionalName optional{
      expression::ColumnName{std::string(name), detail::columnNamed(step, name).type}, {}};
  for (const std::string& presence : step.presences)
    optional.present.push_back({presence, detail::columnNamed(*step.above, presence).type});
  return optional;
}

/// Returns an optional of the objects of explode() or implode(), with one level of lists less or
/// more.
expression::NameMeaning NodeScope::reframed(const expression::OptionalName& optional,
                                            const detail::DataframeNode& node) const {
  const auto column = [&node](const std::string& name) {
    return expression::ColumnName{name, detail::columnNamed(node, name).type};
  };
  expression::OptionalName result{optional.value, {}};
  for (const expression::ColumnName& present : optional.present)
    result.present.push_back(column(present.name));
  if (auto* const record = std::get_if<expression::RecordName>(&result.value)) {
    record->depth = result.present.front().type.depth;
    record->table.clear();
  } else {
    result.value = column(std::get<expression::ColumnName>(optional.value).name);
  }
  return result;
}

/// Finds a name without values of its own. Objects of explode() have one list less around them, and
/// objects of implode() one list more.
expression::NameMeaning NodeScope::findInFrame(const detail::DataframeNode& node,
                                               std::string_view name) const {
  const detail::DataframeNode* step = &node;
  while (step->above && step->kind != detail::NodeKind::explode &&
         step->kind != detail::NodeKind::implode)
    step = step->above.get();
  if (!step->above)
    return findInDataset(name);
  expression::NameMeaning meaning = find(*step->above, name);
  const bool isObject = step->kind == detail::NodeKind::explode;
  const std::string& collection = isObject ? step->name : detail::explodeOf(*step).name;
  const auto* const column = std::get_if<expression::ColumnName>(&meaning);
  if (column && column->name != name) // the alias "Muon_pt" of "Muon.pt"
    return find(node, column->name);
  const bool isOfObjects = detail::isOf(name, collection);
  if (const auto* const optional = std::get_if<expression::OptionalName>(&meaning))
    return isOfObjects ? reframed(*optional, node) : meaning;
  if (auto* const relation = std::get_if<expression::RelationName>(&meaning)) {
    // Files do not have these lists, so no table is named.
    for (expression::ColumnName* const part : {&relation->index, &relation->collection})
      if (isOfObjects)
        *part = {part->name, detail::columnNamed(node, part->name).type, {}};
    if (std::ranges::find(relation->targets, collection,
                          &expression::RelationName::Target::collection) != relation->targets.end())
      relation->changed = collection;
  }
  if (auto* const record = std::get_if<expression::RecordName>(&meaning); record && isOfObjects) {
    record->depth = isObject ? record->depth - std::min(record->depth, 1U) : record->depth + 1;
    record->table.clear();
  }
  return meaning;
}

/// Finds a name of the dataset, or objects that defined columns such as "Lepton.pt" belong to.
expression::NameMeaning NodeScope::findInDataset(std::string_view name) const {
  expression::NameMeaning meaning = m_schema.find(name);
  if (auto* const relation = std::get_if<expression::RelationName>(&meaning);
      relation && relation->targets.empty())
    for (const std::string& datatype :
         detail::beginningOf(*m_node).dataset->datatypesOf(relation->type))
      std::ranges::move(m_schema.collectionsOf(datatype), std::back_inserter(relation->targets));
  if (!std::holds_alternative<std::monostate>(meaning))
    return meaning;
  if (detail::isOf(entryColumn, name))
    return expression::RecordName{std::string(name), 0, ""};
  for (const std::string& defined : detail::definedColumns(*m_node))
    if (detail::isOf(defined, name))
      if (const detail::ColumnType type = detail::columnNamed(*m_node, defined).type;
          type.depth > 0)
        return expression::RecordName{std::string(name), type.depth, ""};
  return meaning;
}

std::string NodeScope::nameOf(std::string_view stored) const {
  if (detail::computationOf(*m_node, stored))
    return std::string(stored);
  if (const std::size_t dot = stored.rfind('.');
      dot != std::string_view::npos && stored.substr(dot + 1) == optionalPresence) {
    const std::string optional(stored.substr(0, dot));
    if (detail::computationOf(*m_node, optional) &&
        std::holds_alternative<expression::OptionalName>(m_schema.find(optional)))
      return "has(" + optional + ")"; // not the presence stored in the files
  }
  return m_schema.nameOf(stored);
}

bool NodeScope::isInOptional(std::string_view name) const {
  for (std::size_t end = name.rfind('.'); end != std::string_view::npos && end > 0;
       end = name.rfind('.', end - 1))
    if (std::holds_alternative<expression::OptionalName>(find(name.substr(0, end))))
      return true;
  return false;
}

std::vector<std::string> NodeScope::names() const {
  std::vector<std::string> names = detail::definedNames(*m_node);
  std::ranges::move(m_schema.names(), std::back_inserter(names));
  return names;
}

std::string NodeScope::where() const {
  return " in " + detail::beginningOf(*m_node).dataset->first().name();
}

std::string NodeScope::whyUnread(std::string_view name) const {
  return kaon::whyUnread(detail::beginningOf(*m_node).dataset->first(), name);
}

detail::Formula formulaOf(const expression::Expression& expression,
                          const detail::DataframeNode& node) {
  detail::Formula formula;
  formula.type = expression.type();
  for (const expression::Input& input : expression.inputs()) {
    detail::NamedColumn column = input.isListsOnly
                                     ? detail::NamedColumn{{nullptr, input.name, true}, input.type}
                                     : detail::columnNamed(node, input.name);
    column.id.isFollowed = !column.id.node && expression.isOnlyFollowed(input);
    formula.arguments.push_back({column.id, column.type, column.type.scalar, true});
  }
  formula.function = std::make_shared<ExpressionFunction>(expression);
  return formula;
}

detail::Missing missingIn(const expression::Expression& expression) {
  detail::Missing missing = {.values = expression.mayLackValues()};
  if (expression.mayLackLists())
    missing.lists = expression.presenceOfLists().type().depth;
  return missing;
}

namespace {

/// Returns the expression that tells which lists exist; it is always true if no list can be
/// missing.
expression::Expression presenceOfLists(const expression::Expression& expression, unsigned depth,
                                       const detail::DataframeNode& node) {
  if (expression.mayLackLists())
    return expression.presenceOfLists();
  std::string counts = expression.text();
  for (unsigned level = expression.type().depth; level > depth; --level)
    counts = "count(" + counts + ")";
  return expression::Expression(counts + " >= 0", NodeScope(node));
}

} // namespace

std::vector<detail::Formula> presenceFormulas(const expression::Expression& expression,
                                              const detail::Missing& missing,
                                              const detail::DataframeNode& node) {
  std::vector<detail::Formula> formulas;
  if (missing.values)
    formulas.push_back(formulaOf(expression.presence(), node));
  if (missing.lists)
    formulas.push_back(formulaOf(presenceOfLists(expression, *missing.lists, node), node));
  return formulas;
}

detail::ColumnArgument argumentOf(detail::Formula formula, std::string name,
                                  const std::shared_ptr<const detail::DataframeNode>& node,
                                  std::string expression) {
  detail::DataframeNode step = {.kind = detail::NodeKind::unnamed,
                                .above = node,
                                .name = std::move(name),
                                .of = std::move(expression)};
  step.formula = std::move(formula);
  const auto kept = std::make_shared<const detail::DataframeNode>(std::move(step));
  const detail::ColumnType type = kept->formula.type;
  return {{kept.get(), kept->name}, type, type.scalar, false, kept};
}

namespace {

/// Returns whether a name continues behind objects that have no column of this name. These are
/// objects of an expression, as in "good.pt", or of a relation, as in "Muon.matched.pt". Also true
/// for members of members, as in "Muon.momentum.x".
bool goesThroughObjects(std::string_view name, const NodeScope& scope) {
  for (std::size_t end = name.rfind('.'); end != std::string_view::npos && end > 0;
       end = name.rfind('.', end - 1)) {
    const std::string_view objects = name.substr(0, end);
    const expression::NameMeaning meaning = scope.find(objects);
    if (std::holds_alternative<expression::Alias>(meaning) ||
        std::holds_alternative<expression::RelationName>(meaning))
      return true;
    if (std::holds_alternative<expression::RecordName>(meaning) &&
        objects.find('.') != std::string_view::npos)
      return true;
  }
  return false;
}

} // namespace

bool hasValues(std::string_view text, const NodeScope& scope) {
  try {
    return !expression::Expression(text, scope).isRecord();
  } catch (const Error& error) {
    // Other errors may concern a text that is not meant as an expression.
    return error.kind() == ErrorKind::type;
  }
}

detail::OptionalArgument
optionalArgumentNamed(const std::string& written,
                      const std::shared_ptr<const detail::DataframeNode>& node) {
  const NodeScope scope(*node);
  const std::string text = scope.nameOf(written);
  const auto columnOf = [&node](const std::string& name) -> detail::ColumnArgument {
    const detail::NamedColumn column = detail::columnNamed(*node, name);
    return {column.id, column.type, column.type.scalar};
  };
  const expression::NameMeaning meaning = scope.find(text);
  const auto* const optional = std::get_if<expression::OptionalName>(&meaning);
  if (optional) {
    const auto* const value = std::get_if<expression::ColumnName>(&optional->value);
    if (value && optional->present.size() == 1 &&
        value->type.depth == optional->present.front().type.depth)
      return {columnOf(value->name), columnOf(optional->present.front().name), std::nullopt, true};
  } else if (detail::findColumn(*node, text) ||
             !(detail::looksLikeExpression(text) || goesThroughObjects(text, scope) ||
               hasValues(text, scope))) {
    return {columnOf(text)};
  }
  const expression::Expression expression(text, scope);
  detail::OptionalArgument argument{argumentOf(formulaOf(expression, *node), text, node, text)};
  if (expression.mayBeMissing()) // No expression begins with "?".
    argument.present = argumentOf(formulaOf(expression.presence(), *node), text, node, '?' + text);
  argument.mayLackValues = expression.mayLackValues();
  if (expression.mayLackLists())
    argument.presentLists =
        argumentOf(formulaOf(expression.presenceOfLists(), *node), text, node, "??" + text);
  return argument;
}

detail::ColumnArgument argumentNamed(const std::string& text,
                                     const std::shared_ptr<const detail::DataframeNode>& node) {
  detail::OptionalArgument argument = optionalArgumentNamed(text, node);
  if (argument.present)
    fail(ErrorKind::type, "'", text, "' may be missing, which is not allowed here; use \"default(",
         text, ", value)\", or test for it with \"has(", text, ")\"");
  return std::move(argument.value);
}

} // namespace kaon
