#include <kaon/dataset/ObjectFormula.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Wording.h>
#include <kaon/dataset/Dataset.h>
#include <kaon/detail/dataset/EntryFunction.h>
#include <kaon/detail/reading/ColumnLocator.h>
#include <kaon/model/Texts.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace kaon {
namespace {

/// Returns the same values in one level of lists less.
class ObjectsEvaluator final : public detail::Evaluator {
public:
  detail::ColumnValues evaluate(const expression::Entries& /*entries*/,
                                std::span<const detail::ArgumentValues> arguments) override {
    const detail::ColumnValues& lists = arguments[0].column;
    detail::checkSameLists(lists, arguments[1].column);
    return detail::valuesOf(lists);
  }
};

class ObjectsFunction final : public detail::Function {
public:
  [[nodiscard]] std::unique_ptr<detail::Evaluator> evaluator() const override {
    return std::make_unique<ObjectsEvaluator>();
  }
};

/// Returns the columns that may belong to a collection; "" means any. Defined columns come first,
/// then columns of the files.
std::vector<std::string> columnsOf(const detail::DataframeNode& node, std::string_view collection) {
  std::vector<std::string> names = detail::definedColumns(node);
  const Schema& schema = detail::beginningOf(node).dataset->schema();
  for (TableNumber table = 0; table < schema.size(); ++table)
    for (MemberNumber member = 0; member < schema.table(table).members.size(); ++member)
      names.push_back(nameOfColumn(schema, table, member));
  std::erase_if(names, [&](const std::string& name) {
    return !collection.empty() && !detail::isOf(name, collection);
  });
  return names;
}

/// Returns whether the objects were entries before; then some of the stored objects may be filtered
/// out.
bool wereEntries(const detail::DataframeNode& node, std::string_view collection) {
  const detail::DataframeNode* step = &node;
  while (step &&
         (step->kind != detail::NodeKind::implode || detail::explodeOf(*step).name != collection))
    step = step->above.get();
  return step != nullptr;
}

/// Returns a column in the lists of a collection. For stored collections, only the lists are read.
std::optional<detail::ColumnArgument> listsOf(const detail::DataframeNode& node,
                                              std::string_view collection) {
  const Schema& schema = detail::beginningOf(node).dataset->schema();
  if (!detail::frameOf(&node) && !detail::definitionOf(node, collection) &&
      !wereEntries(node, collection) && schema.find(collection) != Table::none)
    if (const detail::ColumnType type = detail::listsPlace(schema, collection).type;
        type.depth == 1)
      return detail::ColumnArgument{
          {nullptr, std::string(collection), true}, type, type.scalar, true};
  for (const std::string& name : columnsOf(node, collection))
    if (const std::optional<detail::NamedColumn> column = detail::findColumn(node, name);
        column && column->type.lists() > 0)
      return detail::ColumnArgument{column->id, column->type, column->type.scalar, true};
  return std::nullopt;
}

/// Returns the names that explode() accepts: columns of lists, and their prefixes.
std::vector<std::string> collectionsOf(const detail::DataframeNode& node) {
  std::vector<std::string> names;
  for (const std::string& name : columnsOf(node, {}))
    if (const std::optional<detail::NamedColumn> column = detail::findColumn(node, name);
        column && column->type.lists() > 0)
      names.push_back(name.substr(0, name.find('.')));
  return names;
}

} // namespace

detail::Formula objectsOf(const detail::DataframeNode& node, std::string_view collection) {
  std::optional<detail::ColumnArgument> lists = listsOf(node, collection);
  if (!lists) {
    if (!detail::findColumn(node, collection))
      fail(ErrorKind::name, detail::beginningOf(node).dataset->name(), ": there is no collection '",
           collection, "'", suggestion(collection, collectionsOf(node)));
    const detail::NamedColumn column = detail::columnNamed(node, collection);
    fail(ErrorKind::type, "'", collection, "' is ", withArticle(nameOf(column.type)),
         ", not a list");
  }
  return {std::make_shared<ObjectsFunction>(), {*std::move(lists)}, {}};
}

} // namespace kaon
