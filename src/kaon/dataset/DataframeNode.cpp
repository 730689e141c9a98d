#include <kaon/detail/dataset/DataframeNode.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Wording.h>
#include <kaon/batch/UnreadColumns.h>
#include <kaon/dataset/Dataset.h>
#include <kaon/detail/reading/ColumnLocator.h>
#include <kaon/model/Texts.h>

#include <algorithm>
#include <array>

namespace kaon::detail {

const DataframeNode& beginningOf(const DataframeNode& node) noexcept {
  const DataframeNode* step = &node;
  while (step->above)
    step = step->above.get();
  return *step;
}

const DataframeNode* frameOf(const DataframeNode* node) noexcept {
  while (node && node->kind != NodeKind::explode)
    node = node->kind == NodeKind::implode ? explodeOf(*node).above.get() : node->above.get();
  return node;
}

const DataframeNode& explodeOf(const DataframeNode& implode) noexcept {
  return *frameOf(implode.above.get());
}

bool isChoice(const DataframeNode& node) noexcept {
  return node.kind == NodeKind::filter || node.kind == NodeKind::explode ||
         node.kind == NodeKind::implode;
}

bool isCountOf(std::string_view name, const DataframeNode& implode) noexcept {
  return name.starts_with('#') && name.substr(1) == explodeOf(implode).name;
}

bool areSame(const DataframeNode& unnamed, const DataframeNode& other) noexcept {
  return &unnamed == &other ||
         (unnamed.kind == NodeKind::unnamed && other.kind == NodeKind::unnamed &&
          unnamed.above == other.above && !unnamed.of.empty() && unnamed.of == other.of);
}

bool isOf(std::string_view name, std::string_view collection) noexcept {
  const bool isCount = name.starts_with('#');
  if (isCount)
    name.remove_prefix(1);
  if (!name.starts_with(collection))
    return false;
  name.remove_prefix(collection.size());
  return name.empty() ? !isCount : name.front() == '.' && name.size() > 1;
}

std::string presenceOf(std::string_view column) { return std::string(column) + ".?"; }

bool looksLikeExpression(std::string_view text) noexcept {
  constexpr auto none = std::string_view::npos;
  constexpr std::array words = {" and ", " or ", " if ", " not "};
  return text.find_first_of("([<>=+-*/&|%^~'\"") != none || text.starts_with("not ") ||
         std::ranges::any_of(words, [&](const char* word) { return text.find(word) != none; });
}

namespace {

/// Returns whether the frame between explode() and implode() has a column of this name of its own.
bool isOfObjects(const DataframeNode& implode, std::string_view name) {
  try {
    const ColumnId column = columnNamed(*implode.above, name).id;
    return frameOf(column.node) == frameOf(implode.above.get());
  } catch (const Error&) {
    return false;
  }
}

/// Returns whether a step defines the meaning of a name.
bool defines(const DataframeNode& step, std::string_view name) {
  if (step.kind == NodeKind::filter)
    return false;
  if (step.kind == NodeKind::implode)
    return isCountOf(name, step) ? findColumn(*step.above, name).has_value()
                                 : isOfObjects(step, name);
  if (step.kind != NodeKind::explode)
    return step.name == name;
  if (!isOf(name, step.name))
    return false;
  const std::optional<NamedColumn> lists = findColumn(*step.above, name);
  return lists && lists->type.lists() > 0;
}

ColumnType elementOf(ColumnType lists) { return {lists.scalar, lists.depth - 1, lists.isText}; }

ColumnType listOf(ColumnType element, std::string_view name) {
  if (element.depth == mostListLevels)
    fail(ErrorKind::type, "'", name, "' is ", withArticle(nameOf(element)),
         " for each object: lists cannot be nested deeper");
  return {element.scalar, element.depth + 1, element.isText};
}

} // namespace

const DataframeNode* definitionOf(const DataframeNode& node, std::string_view name) {
  const DataframeNode* step = &node;
  while (step->above && !defines(*step, name))
    step = step->kind == NodeKind::implode ? explodeOf(*step).above.get() : step->above.get();
  return step->above ? step : nullptr;
}

const DataframeNode* computationOf(const DataframeNode& node, std::string_view name) {
  const DataframeNode* step = definitionOf(node, name);
  while (step && (step->kind == NodeKind::explode ||
                  (step->kind == NodeKind::implode && !isCountOf(name, *step))))
    step = definitionOf(*step->above, name);
  return step;
}

namespace {

/// Returns the type of a name that a step defines.
ColumnType typeOf(const DataframeNode& step, std::string_view name) {
  if (step.kind == NodeKind::record)
    fail(ErrorKind::type, "'", name, "' are objects; name one of their members, such as '", name,
         ".pt'");
  if (step.kind == NodeKind::explode)
    return elementOf(columnNamed(*step.above, name).type);
  if (step.kind == NodeKind::implode && !isCountOf(name, step))
    return listOf(columnNamed(*step.above, name).type, name);
  if (step.kind == NodeKind::implode)
    return columnNamed(*step.above, name).type;
  return step.formula.type;
}

/// Returns the names of columns and objects. Defined names come first, because they are more likely
/// meant.
std::vector<std::string> namesKnown(const Dataset& dataset, const DataframeNode& node) {
  std::vector<std::string> names = definedNames(node);
  const Schema& schema = dataset.schema();
  for (TableNumber table = 0; table < schema.size(); ++table) {
    names.emplace_back(schema.table(table).name);
    for (MemberNumber member = 0; member < schema.table(table).members.size(); ++member)
      names.push_back(nameOfColumn(schema, table, member));
  }
  return names;
}

/// Returns a hint if an expression was given in place of a name.
std::string_view hintFor(std::string_view name) {
  return looksLikeExpression(name) ? "; define() makes a column of an expression" : "";
}

/// Returns the type of a column of the dataset's files.
ColumnType typeOf(const Dataset& dataset, const DataframeNode& node, std::string_view name) {
  const std::string& where = dataset.first().name(); // other files may have the column
  try {
    return columnPlace(dataset.schema(), name).type;
  } catch (const Error& error) {
    const Schema& schema = dataset.schema();
    const TableNumber table = schema.find(name);
    if (error.kind() == ErrorKind::name && table != Table::none) {
      if (schema.table(table).members.empty()) // a subset, or objects that have only lists
        fail(ErrorKind::name, where, ": '", name,
             "' are objects, not a column; use an expression, such as define(\"number\", \"count(",
             name, ")\")");
      fail(ErrorKind::name, where, ": '", name,
           "' are objects; name one of their members, such as '", nameOfColumn(schema, table, 0),
           "'");
    }
    if (error.kind() != ErrorKind::name || name.starts_with('#'))
      fail(error.kind(), where, ": ", error.what());
    fail(ErrorKind::name, where, ": no column is called '", name, "'",
         suggestion(name, namesKnown(dataset, node)), hintFor(name),
         whyUnread(dataset.first(), name));
  }
}

} // namespace

NamedColumn columnNamed(const DataframeNode& node, std::string_view name) {
  const DataframeNode* const step = definitionOf(node, name);
  if (step && step->kind == NodeKind::alias)
    return columnNamed(*step->above, step->of);
  // In a variable: if this throws within the returned expression, GCC 12 destroys the name twice.
  const ColumnType type =
      step ? typeOf(*step, name) : typeOf(*beginningOf(node).dataset, node, name);
  return {{step, std::string(name)}, type};
}

std::optional<NamedColumn> findColumn(const DataframeNode& node, std::string_view name) {
  try {
    return columnNamed(node, name);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::name)
      throw;
    return std::nullopt;
  }
}

namespace {

std::vector<std::string> namesDefined(const DataframeNode& node, bool withRecords) {
  if (!node.above)
    return {};
  std::vector<std::string> names = namesDefined(*node.above, withRecords);
  const bool isDefinition = node.kind == NodeKind::define || node.kind == NodeKind::alias ||
                            (node.kind == NodeKind::record && withRecords);
  if (isDefinition && !node.isHidden && std::ranges::find(names, node.name) == names.end())
    names.push_back(node.name);
  return names;
}

} // namespace

std::vector<std::string> definedColumns(const DataframeNode& node) {
  return namesDefined(node, false);
}

std::vector<std::string> definedNames(const DataframeNode& node) {
  return namesDefined(node, true);
}

std::set<std::string> variationsOf(const DataframeNode& node) {
  std::set<std::string> names;
  for (const DataframeNode* step = &node; step->above; step = step->above.get())
    if (step->kind == NodeKind::vary)
      names.insert(step->of);
  return names;
}

} // namespace kaon::detail
