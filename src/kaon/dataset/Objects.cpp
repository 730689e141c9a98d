#include <kaon/dataset/Objects.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Wording.h>
#include <kaon/batch/ColumnPlace.h>
#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/EntryFunction.h>
#include <kaon/model/Texts.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace kaon {
namespace {

/// The same values, which lie in one list less.
class ObjectsEvaluator final : public Evaluator {
public:
  ColumnValues evaluate(const expression::Entries& /*entries*/,
                        std::span<const ArgumentValues> arguments) override {
    const ColumnValues& lists = arguments[0].column;
    detail::checkSameLists(lists, arguments[1].column);
    return detail::valuesOf(lists);
  }
};

class ObjectsFunction final : public Function {
public:
  [[nodiscard]] std::unique_ptr<Evaluator> evaluator() const override {
    return std::make_unique<ObjectsEvaluator>();
  }
};

/// The columns that may be of a collection, "": any: what was defined, then what is in the files.
std::vector<std::string> columnsOf(const Node& node, std::string_view collection) {
  std::vector<std::string> names = definedColumns(node);
  const Schema& schema = beginningOf(node).dataset->schema();
  for (std::uint32_t table = 0; table < schema.size(); ++table)
    for (std::uint32_t member = 0; member < schema.table(table).members.size(); ++member)
      names.push_back(nameOfColumn(schema, table, member));
  std::erase_if(names, [&](const std::string& name) {
    return !collection.empty() && !isOf(name, collection);
  });
  return names;
}

/// Whether the objects were entries before: not all that the files have may be left.
bool wereEntries(const Node& node, std::string_view collection) {
  const Node* step = &node;
  while (step && (step->kind != NodeKind::implode || explodeOf(*step).name != collection))
    step = step->above.get();
  return step != nullptr;
}

/// A column that lies in the lists of a collection; of one of the files just where the lists are.
std::optional<Argument> listsOf(const Node& node, std::string_view collection) {
  const Schema& schema = beginningOf(node).dataset->schema();
  if (!frameOf(&node) && !definitionOf(node, collection) && !wereEntries(node, collection) &&
      schema.find(collection) != Table::none)
    if (const ColumnType type = listsPlace(schema, collection).type; type.depth == 1)
      return Argument{{nullptr, std::string(collection), true}, type, type.scalar, true};
  for (const std::string& name : columnsOf(node, collection))
    if (const std::optional<NamedColumn> column = findColumn(node, name);
        column && column->type.lists() > 0)
      return Argument{column->id, column->type, column->type.scalar, true};
  return std::nullopt;
}

/// What can be exploded: what names of lists begin with, and lists.
std::vector<std::string> collectionsOf(const Node& node) {
  std::vector<std::string> names;
  for (const std::string& name : columnsOf(node, {}))
    if (const std::optional<NamedColumn> column = findColumn(node, name);
        column && column->type.lists() > 0)
      names.push_back(name.substr(0, name.find('.')));
  return names;
}

} // namespace

Formula objectsOf(const Node& node, std::string_view collection) {
  std::optional<Argument> lists = listsOf(node, collection);
  if (!lists) {
    if (!findColumn(node, collection))
      fail(ErrorKind::name, beginningOf(node).dataset->name(), ": there is no collection '",
           collection, "'", suggestion(collection, collectionsOf(node)));
    const NamedColumn column = columnNamed(node, collection);
    fail(ErrorKind::type, "'", collection, "' is ", withArticle(nameOf(column.type)),
         ", and no list");
  }
  return {std::make_shared<ObjectsFunction>(), {*std::move(lists)}, {}};
}

} // namespace kaon
