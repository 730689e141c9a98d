#include <kaon/dataset/Dataframe.h>
#include <kaon/dataset/GatheredDisplay.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Unwinding.h>
#include <kaon/base/Warning.h>
#include <kaon/base/Wording.h>
#include <kaon/dataset/Bookings.h>
#include <kaon/dataset/ExpressionFormula.h>
#include <kaon/dataset/ObjectFormula.h>
#include <kaon/dataset/Origin.h>
#include <kaon/dataset/Snapshot.h>
#include <kaon/dataset/SnapshotNames.h>
#include <kaon/dataset/Stages.h>
#include <kaon/dataset/TextPositions.h>
#include <kaon/dataset/WrittenColumns.h>
#include <kaon/expression/ObjectMembers.h>
#include <kaon/expression/Optionals.h>
#include <kaon/model/Texts.h>

#include <algorithm>
#include <sstream>

namespace kaon {
namespace {

void checkCondition(const detail::Formula& formula) {
  if (!(formula.type == detail::ColumnType{Scalar::Bool, 0}))
    fail(ErrorKind::type, "a filter wants a bool for each entry", detail::notBools(formula.type));
}

} // namespace

Dataframe::Dataframe(std::shared_ptr<const Dataset> dataset) {
  detail::DataframeNode node;
  node.dataset = std::move(dataset);
  node.bookings = std::make_shared<detail::Bookings>();
  m_node = std::make_shared<const detail::DataframeNode>(std::move(node));
  const auto add = [this](std::string_view name, detail::Formula formula) {
    *this = with({.kind = detail::NodeKind::origin,
                  .name = std::string(name),
                  .formula = std::move(formula)});
  };
  add(entryColumn, entryNumbers());
  add(fileEntryColumn, numbersInFile());
  add(sampleColumn, sampleNumbers());
  add(weightColumn, sampleWeights(detail::beginningOf(*m_node).dataset));
}

Dataframe Dataframe::with(detail::DataframeNode node) const {
  node.above = m_node;
  return Dataframe(std::make_shared<const detail::DataframeNode>(std::move(node)));
}

detail::Formula Dataframe::condition(std::string_view expression) const {
  return formulaOf(expression::Expression(expression, NodeScope(*m_node)).asCondition(), *m_node);
}

Dataframe Dataframe::filter(std::string_view expression, std::string label) const {
  detail::Formula condition = this->condition(expression); // for messages about the whole text
  if (label.empty())
    label = expression;
  const std::vector<std::string> stages = stagesOf(expression, *m_node);
  if (stages.size() == 1)
    return filter(std::move(condition), std::move(label));
  checkCondition(condition);
  Dataframe tested = *this;
  for (const std::string& stage : std::span(stages).first(stages.size() - 1))
    tested = tested.with({.kind = detail::NodeKind::filter,
                          .name = label,
                          .formula = tested.condition(stage),
                          .isStage = true});
  return tested.filter(tested.condition(stages.back()), std::move(label));
}

Dataframe Dataframe::define(std::string name, std::string_view text) const {
  const expression::Expression expression(text, NodeScope(*m_node));
  checkNew(name, text);
  if (expression.isRecord())
    return with(
        {.kind = detail::NodeKind::record, .name = std::move(name), .of = std::string(text)});
  return defined(std::move(name), expression);
}

Dataframe Dataframe::redefine(std::string name, std::string_view text) const {
  const expression::Expression expression(text, NodeScope(*m_node));
  return defined(known(name), expression);
}

/// Defines a column. If its values may be missing, further columns tell which values or lists
/// exist.
Dataframe Dataframe::defined(std::string name, const expression::Expression& expression) const {
  if (!expression.mayBeMissing())
    return defined(std::move(name), formulaOf(expression, *m_node));
  std::vector<detail::Formula> presences;
  for (const expression::Expression& presence : expression.presences())
    presences.push_back(formulaOf(presence, *m_node));
  return withOptional({.kind = detail::NodeKind::define, .name = std::move(name)},
                      formulaOf(expression, *m_node), std::move(presences));
}

/// Adds a step that gives a column values which may be missing. Each column that tells which values
/// or lists exist gets the same step.
Dataframe Dataframe::withOptional(detail::DataframeNode step, detail::Formula value,
                                  std::vector<detail::Formula> presences) const {
  Dataframe known = *this;
  for (detail::Formula& present : presences) {
    step.presences.push_back(
        detail::presenceOf(step.presences.empty() ? step.name : step.presences.back()));
    detail::DataframeNode presence = {
        .kind = step.kind, .name = step.presences.back(), .of = step.of, .isHidden = true};
    presence.formula = std::move(present);
    known = known.with(std::move(presence));
  }
  step.formula = std::move(value);
  return known.with(std::move(step));
}

Dataframe Dataframe::define(std::string name, detail::Formula formula) const {
  checkNew(name);
  return defined(std::move(name), std::move(formula));
}

Dataframe Dataframe::redefine(std::string name, detail::Formula formula) const {
  return defined(known(name), std::move(formula));
}

Dataframe Dataframe::filter(detail::Formula formula, std::string label) const {
  checkCondition(formula);
  return with(
      {.kind = detail::NodeKind::filter, .name = std::move(label), .formula = std::move(formula)});
}

Dataframe Dataframe::defined(std::string name, detail::Formula formula) const {
  if (name.empty())
    fail(ErrorKind::usage, "the name of a column must not be empty");
  return with(
      {.kind = detail::NodeKind::define, .name = std::move(name), .formula = std::move(formula)});
}

Dataframe Dataframe::fallback(std::string column, Number value) const {
  if (!detail::findColumn(*m_node, column) && hasValues(column, NodeScope(*m_node)))
    fail(ErrorKind::usage, "'", column,
         "' has values, but a fallback is for columns that files lack; ",
         "define(\"x\", \"default(", column, ", value)\") makes a column without missing values");
  detail::Formula formula = detail::columnOr(*m_node, column, value);
  return defined(std::move(column), std::move(formula));
}

Dataframe Dataframe::alias(std::string name, std::string column) const {
  checkNew(name);
  const NodeScope scope(*m_node);
  std::string of = scope.nameOf(column);
  const expression::NameMeaning meaning = scope.find(of);
  const auto* const optional = std::get_if<expression::OptionalName>(&meaning);
  if (optional && std::holds_alternative<expression::RecordName>(optional->value))
    return with({.kind = detail::NodeKind::alias, .name = std::move(name), .of = std::move(of)});
  // Parts of an optional have no column of their own; the alias becomes one.
  const bool isPart =
      !detail::looksLikeExpression(of) && scope.isInOptional(of) && hasValues(of, scope);
  if (optional || isPart)
    return defined(std::move(name),
                   expression::Expression(optional ? "column('" + of + "')" : of, scope));
  (void)detail::columnNamed(*m_node, of);
  return with({.kind = detail::NodeKind::alias, .name = std::move(name), .of = std::move(of)});
}

Dataframe Dataframe::vary(std::string column, std::string variation, std::string_view text) const {
  const expression::Expression expression(text, NodeScope(*m_node));
  detail::Formula value = formulaOf(expression, *m_node);
  if (!expression.mayBeMissing())
    return vary(std::move(column), std::move(variation), std::move(value));
  column = known(column);
  checkVariation(column, variation, value.type);
  return varied(column, variation, expression);
}

Dataframe Dataframe::vary(std::string column, std::string variation,
                          detail::Formula formula) const {
  column = known(column);
  checkVariation(column, variation, formula.type);
  if (!std::holds_alternative<expression::OptionalName>(NodeScope(*m_node).find(column))) {
    detail::DataframeNode step = {
        .kind = detail::NodeKind::vary, .name = column, .of = std::move(variation)};
    step.formula = std::move(formula);
    return with(std::move(step));
  }
  // All values of the variation exist; a column of its own knows their lists.
  const std::string values = detail::presenceOf(column) + variation;
  const Dataframe computed = with({.kind = detail::NodeKind::define,
                                   .name = values,
                                   .formula = std::move(formula),
                                   .isHidden = true});
  return computed.varied(
      column, variation,
      expression::Expression("column('" + values + "')", NodeScope(*computed.m_node)));
}

/// Varies a column if its values, or those of the variation, may be missing. Both use the same
/// columns of presences.
Dataframe Dataframe::varied(const std::string& column, const std::string& variation,
                            const expression::Expression& expression) const {
  const expression::Expression nominal("column('" + column + "')", NodeScope(*m_node));
  const detail::Missing had = missingIn(nominal), other = missingIn(expression);
  if (had.lists && other.lists && *had.lists != *other.lists)
    fail(ErrorKind::type, "'", column, "' and its variation '", variation,
         "' have missing lists at different levels; use default(x, value) for one of them");
  const detail::Missing both = {had.values || other.values, had.lists ? had.lists : other.lists};
  Dataframe known = *this;
  const detail::DataframeNode* const step = detail::definitionOf(*m_node, column);
  if (!step || step->presences.empty() || !(had == both))
    known = withOptional({.kind = detail::NodeKind::define, .name = column, .isHidden = true},
                         formulaOf(nominal, *m_node), presenceFormulas(nominal, both, *m_node));
  return known.withOptional({.kind = detail::NodeKind::vary, .name = column, .of = variation},
                            formulaOf(expression, *m_node),
                            presenceFormulas(expression, both, *m_node));
}

/// Checks that a column can have a variation with values of this type.
void Dataframe::checkVariation(const std::string& column, std::string_view variation,
                               detail::ColumnType type) const {
  const NodeScope scope(*m_node);
  const detail::ColumnType nominal =
      std::holds_alternative<expression::OptionalName>(scope.find(column))
          ? expression::Expression("column('" + column + "')", scope).type()
          : detail::columnNamed(*m_node, column).type;
  if (variation.empty())
    fail(ErrorKind::usage, "the name of a variation of '", column, "' must not be empty");
  if (!(type == nominal))
    fail(ErrorKind::type, "'", column, "' is ", withArticle(nameOf(nominal)), ", but ",
         withArticle(nameOf(type)), " in the variation '", variation,
         "'; use a function that returns the same type");
}

Dataframe Dataframe::range(std::uint64_t first, std::uint64_t last) const {
  return filter(isInRange({first, last}),
                "entries " + std::to_string(first) + " to " + std::to_string(last));
}

Dataframe Dataframe::sample(std::string_view label) const {
  const std::vector<Sample>& all = samples();
  const auto sample = std::ranges::find(all, label, &Sample::label);
  if (sample == all.end()) {
    std::vector<std::string> labels;
    std::ranges::transform(all, std::back_inserter(labels), &Sample::label);
    std::erase(labels, ""); // paths alone are a sample without a label
    fail(ErrorKind::name, "no sample is called '", label, "'",
         labels.empty() ? ": the dataset was made of paths, not of samples"
                        : suggestion(label, labels));
  }
  return filter(isOfSample(static_cast<std::size_t>(sample - all.begin())), std::string(label));
}

Dataframe Dataframe::explode(std::string collection) const {
  detail::Formula formula = objectsOf(*m_node, collection);
  return with({.kind = detail::NodeKind::explode,
               .name = std::move(collection),
               .formula = std::move(formula)});
}

Dataframe Dataframe::implode() const {
  if (!detail::frameOf(m_node.get()))
    fail(ErrorKind::usage, "implode() needs an explode() before it");
  return with({.kind = detail::NodeKind::implode});
}

/// Returns the name by which expressions know a column that gets other values. Throws Error(name).
/// Throws Error(type) for a part of an optional, because expressions also reach it through the
/// optional.
std::string Dataframe::known(std::string_view name) const {
  const NodeScope scope(*m_node);
  std::string written = scope.nameOf(name);
  if (std::holds_alternative<expression::OptionalName>(scope.find(written)))
    return written;
  if (scope.isInOptional(written) && hasValues(written, scope))
    fail(ErrorKind::type, "'", written, "' is part of an optional, and cannot have other values; ",
         "define(\"x\", \"", written, "\") makes a column that can");
  (void)detail::columnNamed(*m_node, written);
  return written;
}

void Dataframe::checkNew(std::string_view name, std::string_view meaning) const {
  // A part of an optional is reached through the optional, too, where it keeps its own meaning.
  if (const NodeScope scope(*m_node); name != meaning && !detail::looksLikeExpression(name) &&
                                      scope.isInOptional(name) && hasValues(name, scope))
    fail(ErrorKind::name, "there is a column '", name, "' already, in an optional; give the new ",
         "one another name");
  const detail::DataframeNode* const step = detail::definitionOf(*m_node, name);
  const bool isRecord = step && step->kind == detail::NodeKind::record;
  if (!isRecord && detail::findColumn(*m_node, name))
    fail(ErrorKind::name, "there is a column '", name, "' already; redefine() replaces it");
  if (isRecord || detail::beginningOf(*m_node).dataset->schema().find(name) != Table::none)
    fail(ErrorKind::name, "there are objects '", name, "' already; give the new ones another name");
}

detail::OptionalArgument Dataframe::optionalArgument(std::string_view column) const {
  detail::OptionalArgument argument = optionalArgumentNamed(std::string(column), m_node);
  argument.value.isPacked = true;
  for (auto* const presence : {&argument.present, &argument.presentLists})
    if (*presence)
      (*presence)->isPacked = true;
  return argument;
}

std::vector<detail::ColumnArgument>
Dataframe::arguments(std::span<const std::string> columns) const {
  std::vector<detail::ColumnArgument> all;
  for (const std::string& name : columns)
    all.push_back(argumentNamed(name, m_node));
  detail::pack(all);
  return all;
}

Result<std::uint64_t> Dataframe::count() const { return book(detail::Count(), {}); }

namespace {

void requireNumbers(std::string_view name, detail::ColumnType type) {
  if (type.isText)
    fail(ErrorKind::type, "'", name, "' is ", withArticle(nameOf(type)),
         ", not numbers; use texts with take(), in filters or with axes of texts");
}

/// Returns the values and, if some may be missing, the bools that tell which exist.
std::vector<detail::ColumnArgument> argumentsOf(detail::OptionalArgument argument) {
  std::vector<detail::ColumnArgument> arguments = {std::move(argument.value)};
  if (argument.present)
    arguments.push_back(*std::move(argument.present));
  return arguments;
}

} // namespace

/// Books a state that gathers numbers, and tells it their type.
template <class State>
auto Dataframe::gather(State empty, std::string_view column) const {
  detail::OptionalArgument argument = optionalArgument(column);
  requireNumbers(column, argument.value.type);
  empty.numbers = {argument.value.as, std::string(column)};
  return book(detail::PresentOnly<State>{std::move(empty)}, argumentsOf(std::move(argument)));
}

Result<detail::ColumnArray> Dataframe::take(std::string_view column) const {
  detail::OptionalArgument argument = optionalArgument(column);
  detail::GatheredArray empty(argument.value.type, argument.missing());
  return book(std::move(empty), std::move(argument).shown());
}

Result<Number> Dataframe::sum(std::string_view column) const {
  return gather(detail::Sum(), column);
}

Result<std::optional<Number>> Dataframe::min(std::string_view column) const {
  return gather(detail::Extreme{.isGreatest = false}, column);
}

Result<std::optional<Number>> Dataframe::max(std::string_view column) const {
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
    fail(ErrorKind::usage, "a histogram needs one column for each axis, not ",
         kaon::counted(axes.size(), "axis", "axes"), " and ",
         kaon::counted(columns.size(), "column"));
  return fill<Histogram>(axes, columns, weight);
}

Result<Profile> Dataframe::profile(const Axis& axis, std::string_view column,
                                   std::string_view averaged, std::string_view weight) const {
  return profile(std::vector{axis}, {std::string(column)}, averaged, weight);
}

Result<Profile> Dataframe::profile(const std::vector<Axis>& axes,
                                   const std::vector<std::string>& columns,
                                   std::string_view averaged, std::string_view weight) const {
  if (axes.empty() || axes.size() != columns.size())
    fail(ErrorKind::usage, "a profile needs one column for each axis, not ",
         kaon::counted(axes.size(), "axis", "axes"), " and ",
         kaon::counted(columns.size(), "column"));
  std::vector<std::string> names = columns;
  names.emplace_back(averaged);
  return fill<Profile>(axes, std::move(names), weight);
}

template <class Bins>
Result<Bins> Dataframe::fill(const std::vector<Axis>& axes, std::vector<std::string> columns,
                             std::string_view weight) const {
  std::vector<detail::ColumnArgument> arguments, presences;
  for (const std::string& column : columns) {
    detail::OptionalArgument argument = optionalArgument(column);
    arguments.push_back(std::move(argument.value));
    if (argument.present)
      presences.push_back(*std::move(argument.present));
  }
  if (!weight.empty()) {
    columns.emplace_back(weight);
    arguments.push_back(this->arguments(std::span(&columns.back(), 1)).front());
  }
  std::vector<unsigned> depths;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i < axes.size() && axes[i].texts) {
      if (!arguments[i].type.isText)
        fail(ErrorKind::type, "'", columns[i], "' is ", withArticle(nameOf(arguments[i].type)),
             ", but its axis is for texts");
      arguments[i] =
          argumentOf(textPositions(std::move(arguments[i]), *axes[i].texts), columns[i], m_node);
      arguments[i].isPacked = true;
    }
    requireNumbers(columns[i], arguments[i].type);
    arguments[i].as = Scalar::Float64;
    depths.push_back(arguments[i].type.depth);
    if (depths.back() > 1 && columns.size() > 1)
      fail(ErrorKind::type, "'", columns[i], "' is ", withArticle(nameOf(arguments[i].type)),
           ", which fits only into a histogram of one column");
  }
  if (!weight.empty() && depths.back() > *std::max_element(depths.begin(), depths.end() - 1))
    fail(ErrorKind::type, "'", weight, "' is ", withArticle(nameOf(arguments.back().type)),
         ", but a weight must be one number for each value or each entry, such as prod(", weight,
         ")");
  for (detail::ColumnArgument& presence : presences) {
    presence.as = Scalar::Float64;
    depths.push_back(presence.type.depth);
    arguments.push_back(std::move(presence));
  }
  return book(detail::FilledBins<Bins>(axes, std::move(depths), !weight.empty(), presences.size()),
              std::move(arguments));
}

CutFlow::Entries Dataframe::counted(std::string_view weight) const {
  if (weight.empty())
    return {count(), {}};
  if (const detail::ColumnType type = typeOf(weight); type.depth > 0)
    fail(ErrorKind::type, "'", weight, "' is ", withArticle(nameOf(type)),
         ", but the weight of an entry must be one number");
  return {count(), {sum(weight)}};
}

CutFlow Dataframe::report(std::string_view weight) const {
  std::vector<CutFlow::Filter> filters;
  std::optional<CutFlow::Entries> passed = counted(weight); // after the step `step`
  for (std::shared_ptr<const detail::DataframeNode> step = m_node; step->above;
       step = step->above) {
    if (step->kind == detail::NodeKind::explode || step->kind == detail::NodeKind::implode)
      passed.reset();
    if (step->kind != detail::NodeKind::filter || step->isStage)
      continue;
    if (!passed)
      passed = Dataframe(step).counted(weight);
    std::shared_ptr<const detail::DataframeNode> before = step->above;
    while (before->isStage)
      before = before->above;
    CutFlow::Entries asked = Dataframe(before).counted(weight);
    filters.push_back({step->name, asked, *std::move(passed)});
    passed = std::move(asked);
  }
  std::ranges::reverse(filters);
  return CutFlow(std::move(filters));
}

Result<Display> Dataframe::display(std::vector<std::string> names, std::size_t rows) const {
  if (names.empty())
    names = detail::definedColumns(*m_node);
  if (names.empty())
    names = columns();
  std::vector<detail::ColumnArgument> arguments;
  std::vector<detail::GatheredDisplay::Column> shown;
  for (const std::string& name : names) {
    detail::OptionalArgument argument = optionalArgumentNamed(name, m_node);
    if (argument.present) // The values and their presences must be contiguous.
      argument = optionalArgument(name);
    shown.push_back({argument.value.type, argument.missing()});
    std::ranges::move(std::move(argument).shown(), std::back_inserter(arguments));
  }
  return book(detail::GatheredDisplay(std::move(names), std::move(shown), rows),
              std::move(arguments));
}

std::vector<std::string> Dataframe::columns() const {
  std::vector<std::string> names = detail::definedColumns(*m_node);
  const Schema& schema = detail::beginningOf(*m_node).dataset->schema();
  for (TableNumber table = 0; table < schema.size(); ++table)
    for (MemberNumber member = 0; member < schema.table(table).members.size(); ++member)
      if (std::optional<std::string> name = expression::columnNamed(schema, table, member);
          name && std::ranges::find(names, *name) == names.end())
        names.push_back(*std::move(name));
  return names;
}

std::vector<std::string> Dataframe::contents() const {
  std::vector<std::string> names;
  for (const Table& table : detail::beginningOf(*m_node).dataset->schema().tables())
    if (table.isRoot())
      names.emplace_back(table.name);
  return names;
}

namespace {

std::string shown(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

} // namespace

std::string Dataframe::describe() const {
  const Dataset& dataset = *detail::beginningOf(*m_node).dataset;
  const std::vector<std::string> defined = detail::definedColumns(*m_node);
  const std::vector<std::string> names = columns();
  std::size_t width = 0;
  for (const std::string& name : names)
    width = std::max(width, name.size());
  std::string text = dataset.name() + "\n";
  for (const Sample& sample : samples())
    if (!sample.label.empty())
      text += "sample '" + sample.label + "', weight " + shown(sample.weight) + "\n";
  for (const std::string& name : names) {
    std::string type;
    try {
      type = nameOf(typeOf(name));
    } catch (const Error&) { // a table with the same name as another
      continue;
    }
    text += "  " + name + std::string(width + 2 - name.size(), ' ') + type +
            (std::ranges::find(defined, name) != defined.end() ? ", defined\n" : "\n");
  }
  for (const std::string& filter : filters())
    text += "filter " + filter + "\n";
  return text;
}

std::vector<std::string> Dataframe::filters() const {
  std::vector<std::string> names;
  for (const detail::DataframeNode* step = m_node.get(); step->above; step = step->above.get())
    if (step->kind == detail::NodeKind::filter && !step->isStage)
      names.push_back(step->name);
  std::ranges::reverse(names);
  return names;
}

namespace {

/// Writes a dataframe to a file. Its result is the dataframe of that file.
class SnapshotAction final : public detail::ResultAction<Dataframe> {
public:
  explicit SnapshotAction(std::shared_ptr<SnapshotFile> file) : m_file(std::move(file)) {}
  ~SnapshotAction() override {
    if (!isDone && !m_isAbandoned && !m_unwinding.hasBegun())
      warnOfUnwritten();
  }
  SnapshotAction(const SnapshotAction&) = delete;
  SnapshotAction& operator=(const SnapshotAction&) = delete;
  [[nodiscard]] std::unique_ptr<detail::Accumulator> accumulator() const override {
    return std::make_unique<SnapshotAccumulator>(m_file);
  }
  void check(const Source& source) const override { m_file->check(source); }
  [[nodiscard]] bool leaveOut(const UnreadableColumns& error) override {
    return m_file->leaveOut(error);
  }
  void finish(std::unique_ptr<detail::Accumulator> /*all*/) override {
    m_file->finish();
    value.emplace(dataset(m_file->path(), m_file->category()));
  }
  void interrupt() noexcept override { m_file->interrupt(); }
  void abandon() noexcept override {
    m_isAbandoned = true;
    m_file->abandon();
  }
  [[nodiscard]] std::shared_ptr<ResultAction> in(std::string name) const override {
    fail(ErrorKind::usage, m_file->path(),
         ": a file holds the nominal values; write the variation '", name, "' as a column");
  }

private:
  void warnOfUnwritten() const noexcept {
    try {
      warn(WarningKind::unwrittenFile,
           m_file->path() + ": was not written, because the result of snapshot() was never used");
    } catch (...) { // A destructor must not throw, even if the handler of warnings does.
    }
  }

  std::shared_ptr<SnapshotFile> m_file;
  Unwinding m_unwinding;
  bool m_isAbandoned = false; // an error told the user why the file is missing
};

} // namespace

namespace {

/// Returns whether a name is that of objects that define() named.
bool areNamedObjects(const Dataframe& frame, std::string_view name) {
  const detail::DataframeNode* const step = detail::definitionOf(*frame.node(), name);
  return step && step->kind == detail::NodeKind::record;
}

/// Makes the members of named objects columns, and returns the names with those of these members.
std::vector<std::string> defineMembers(Dataframe& frame, const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& name : names) {
    std::vector<std::string> columns = {name};
    if (areNamedObjects(frame, name)) {
      columns = expression::objectMembers(name, NodeScope(*frame.node()))->names;
      for (std::string& column : columns)
        column = name + '.' + column;
    }
    for (std::string& column : columns) {
      if (areNamedObjects(frame, column.substr(0, column.find('.'))) &&
          !detail::definitionOf(*frame.node(), column))
        frame = frame.define(column, column);
      all.push_back(std::move(column));
    }
  }
  return all;
}

} // namespace

Result<Dataframe> Dataframe::snapshot(std::string path, const std::vector<std::string>& names,
                                      SnapshotOptions options) const {
  Dataframe frame = *this;
  const std::vector<std::string> written = defineMembers(frame, names);
  if (frame.m_node != m_node)
    return frame.snapshot(std::move(path), written, std::move(options));
  const std::shared_ptr<const Dataset> dataset = detail::beginningOf(*m_node).dataset;
  const SnapshotNames wanted = snapshotNames(*m_node, names);
  std::vector<std::string> numbers = {std::string(fileEntryColumn)};
  std::vector<detail::ColumnArgument> arguments = this->arguments(numbers);
  std::vector<SnapshotColumn> columns;
  for (const std::string& name : wanted.columns) {
    if (!std::holds_alternative<expression::OptionalName>(NodeScope(*m_node).find(name)))
      (void)detail::columnNamed(*m_node, name); // Files store names, not expressions.
    for (auto& [argument, column] : writtenColumns(name, m_node, wanted.tables)) {
      arguments.push_back(std::move(argument));
      columns.push_back(std::move(column));
    }
  }
  for (const TableMember member : wanted.members) {
    const detail::NamedColumn column =
        detail::columnNamed(*m_node, nameOfColumn(dataset->schema(), member.table, member.member));
    arguments.push_back({column.id, column.type, column.type.scalar, true});
    columns.push_back(storedColumn(dataset->schema(), member, column.type));
  }
  auto action = std::make_shared<SnapshotAction>(std::make_shared<SnapshotFile>(
      std::move(path), std::move(options.category), std::move(options.writer), dataset,
      wanted.tables, std::move(columns), names.empty()));
  action->node = m_node;
  action->arguments = std::move(arguments);
  detail::bookAction(action);
  return Result<Dataframe>(std::move(action));
}

Dataframe dataset(const std::vector<std::string>& paths, std::string category, OpenOptions options,
                  OnBadFile onBadFile, MissingColumns missing) {
  return Dataframe(
      std::make_shared<const Dataset>(paths, std::move(category), options, onBadFile, missing));
}

Dataframe dataset(std::vector<Sample> samples, std::string category, OpenOptions options,
                  OnBadFile onBadFile, MissingColumns missing) {
  return Dataframe(std::make_shared<const Dataset>(std::move(samples), std::move(category), options,
                                                   nullptr, onBadFile, 0, missing));
}

Dataframe dataset(std::string path, std::string category, OpenOptions options, OnBadFile onBadFile,
                  MissingColumns missing) {
  return dataset(std::vector{std::move(path)}, std::move(category), options, onBadFile, missing);
}

std::vector<BadFile> Dataframe::badFiles() const {
  return detail::beginningOf(*m_node).dataset->badFiles();
}

} // namespace kaon
