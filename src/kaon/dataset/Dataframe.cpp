#include <kaon/dataset/Dataframe.h>

#include <kaon/base/Error.h>
#include <kaon/dataset/ExpressionFormula.h>

#include <algorithm>

namespace kaon {

Dataframe::Dataframe(std::shared_ptr<const Dataset> dataset) {
  Node node;
  node.dataset = std::move(dataset);
  node.bookings = std::make_shared<Bookings>();
  m_node = std::make_shared<const Node>(std::move(node));
}

Dataframe Dataframe::with(Node node) const {
  node.above = m_node;
  return Dataframe(std::make_shared<const Node>(std::move(node)));
}

Formula Dataframe::parsed(std::string_view expression) const {
  return formulaOf(expression::Expression(expression, NodeScope(*m_node)), *m_node);
}

Dataframe Dataframe::filter(std::string_view expression, std::string label) const {
  return filtered(parsed(expression), label.empty() ? std::string(expression) : std::move(label));
}

Dataframe Dataframe::define(std::string name, std::string_view text) const {
  checkNew(name);
  const expression::Expression expression(text, NodeScope(*m_node));
  if (expression.isRecord())
    return with({.kind = NodeKind::record, .name = std::move(name), .of = std::string(text)});
  return defined(std::move(name), formulaOf(expression, *m_node));
}

Dataframe Dataframe::redefine(std::string name, std::string_view expression) const {
  checkKnown(name);
  return defined(std::move(name), parsed(expression));
}

Dataframe Dataframe::vary(std::string column, std::string variation,
                          std::string_view expression) const {
  return varied(std::move(column), std::move(variation), parsed(expression));
}

Dataframe Dataframe::filtered(Formula formula, std::string label) const {
  if (!(formula.type == ColumnType{Scalar::Bool, 0}))
    fail(ErrorKind::type, "a filter wants a bool for each entry, not a ", nameOf(formula.type));
  return with({.kind = NodeKind::filter, .name = std::move(label), .formula = std::move(formula)});
}

Dataframe Dataframe::defined(std::string name, Formula formula) const {
  if (name.empty())
    fail(ErrorKind::usage, "a column without a name");
  return with({.kind = NodeKind::define, .name = std::move(name), .formula = std::move(formula)});
}

Dataframe Dataframe::alias(std::string name, std::string column) const {
  checkNew(name);
  checkKnown(column);
  return with({.kind = NodeKind::alias, .name = std::move(name), .of = std::move(column)});
}

Dataframe Dataframe::varied(std::string column, std::string variation, Formula formula) const {
  const NamedColumn nominal = columnNamed(*m_node, column);
  if (variation.empty())
    fail(ErrorKind::usage, "a variation of '", column, "' without a name");
  if (!(formula.type == nominal.type))
    fail(ErrorKind::type, "'", column, "' is a ", nameOf(nominal.type), ", and a ",
         nameOf(formula.type), " in the variation '", variation, "'");
  return with({.kind = NodeKind::vary,
               .name = std::move(column),
               .of = std::move(variation),
               .formula = std::move(formula)});
}

void Dataframe::checkNew(std::string_view name) const {
  if (findColumn(*m_node, name))
    fail(ErrorKind::name, "there is a column '", name, "' already; redefine() replaces it");
}

std::vector<Argument> Dataframe::numbers(std::span<const std::string> columns) const {
  std::vector<Argument> arguments;
  for (const std::string& name : columns) {
    const NamedColumn column = columnNamed(*m_node, name);
    arguments.push_back({column.id, column.type, column.type.scalar, true});
  }
  return arguments;
}

Result<std::uint64_t> Dataframe::count() const { return book(detail::Count(), {}); }

/// A state of numbers of any type, which is told what they are.
template <class State>
auto Dataframe::gather(State empty, std::string_view column) const {
  std::vector<Argument> arguments = numbers(std::vector{std::string(column)});
  empty.scalar = arguments[0].as;
  return book(std::move(empty), std::move(arguments));
}

Result<double> Dataframe::sum(std::string_view column) const {
  return gather(detail::Sum(), column);
}

Result<std::optional<double>> Dataframe::min(std::string_view column) const {
  return gather(detail::Extreme{.isGreatest = false}, column);
}

Result<std::optional<double>> Dataframe::max(std::string_view column) const {
  return gather(detail::Extreme{.isGreatest = true}, column);
}

Result<std::optional<double>> Dataframe::mean(std::string_view column) const {
  return gather(detail::Mean(), column);
}

Result<Statistics> Dataframe::stats(std::string_view column) const {
  return gather(detail::GatheredStatistics(), column);
}

Result<Histogram> Dataframe::histogram(const Axis& axis, std::string_view column,
                                       std::string_view weight) const {
  return histogram(std::vector{axis}, {std::string(column)}, weight);
}

Result<Histogram> Dataframe::histogram(const std::vector<Axis>& axes,
                                       const std::vector<std::string>& columns,
                                       std::string_view weight) const {
  if (axes.empty() || axes.size() != columns.size())
    fail(ErrorKind::usage, "a histogram of ", axes.size(), " axes and ", columns.size(),
         " columns");
  std::vector<std::string> names = columns;
  if (!weight.empty())
    names.emplace_back(weight);
  std::vector<Argument> arguments = numbers(names);
  std::vector<unsigned> depths;
  for (std::size_t i = 0; i < names.size(); ++i) {
    arguments[i].as = Scalar::Float64;
    depths.push_back(arguments[i].type.depth);
    if (depths.back() > 1 && names.size() > 1)
      fail(ErrorKind::type, "'", names[i], "' is a ", nameOf(arguments[i].type),
           ", which goes into a histogram of itself only");
  }
  return book(detail::FilledHistogram(axes, std::move(depths), !weight.empty()),
              std::move(arguments));
}

CutFlow Dataframe::report() const {
  std::vector<std::string> labels;
  std::vector<Result<std::uint64_t>> counts = {count()};
  for (std::shared_ptr<const Node> step = m_node; step->above; step = step->above)
    if (step->kind == NodeKind::filter) {
      labels.push_back(step->name);
      counts.push_back(Dataframe(step->above).count());
    }
  std::ranges::reverse(labels);
  std::ranges::reverse(counts);
  return {std::move(labels), std::move(counts)};
}

std::vector<std::string> Dataframe::columns() const {
  std::vector<std::string> names = definedColumns(*m_node);
  const Schema& schema = beginningOf(*m_node).dataset->schema();
  for (std::uint32_t table = 0; table < schema.size(); ++table)
    for (std::uint32_t member = 0; member < schema.table(table).members.size(); ++member)
      names.push_back(schema.nameOfMember(table, member));
  return names;
}

Dataframe dataset(const std::vector<std::string>& paths, std::string category,
                  OpenOptions options) {
  return Dataframe(std::make_shared<const Dataset>(paths, std::move(category), options));
}

Dataframe dataset(std::string path, std::string category, OpenOptions options) {
  return dataset(std::vector{std::move(path)}, std::move(category), options);
}

} // namespace kaon
