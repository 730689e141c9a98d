#include <kaon/dataset/WrittenColumns.h>

#include <kaon/base/Error.h>
#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/ExpressionFormula.h>
#include <kaon/detail/reading/ColumnLocator.h>
#include <kaon/model/MemberTree.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

namespace kaon {
namespace {

/// An optional in the files.
struct StoredOptional {
  TableMember value, present;
  bool isArray = false; ///< an array that may be missing as a whole
  bool isCopied = false;
};

/// Returns the stored optional of this name, if any. It has one presence, because parts of
/// optionals have no values of their own.
std::optional<StoredOptional> storedOptional(const Schema& schema, const std::string& name,
                                             std::span<const std::uint32_t> tables) {
  const expression::NameMeaning meaning = expression::SchemaScope(schema).find(name);
  const auto* const optional = std::get_if<expression::OptionalName>(&meaning);
  const auto* const value =
      optional ? std::get_if<expression::ColumnName>(&optional->value) : nullptr;
  if (!value)
    return std::nullopt;
  const auto placeOf = [&schema](const std::string& column) {
    const auto [table, member] = schema.memberNamed(column);
    return TableMember{table, member};
  };
  StoredOptional stored = {placeOf(value->name), placeOf(optional->present.back().name)};
  stored.isArray = isArray(schema, stored.value.table, stored.value.member);
  stored.isCopied = std::ranges::find(tables, schema.rootOf(stored.value.table)) != tables.end();
  return stored;
}

/// Returns the values of a column; stored columns keep their unit and description.
SnapshotColumn valuesOf(const std::string& name, const detail::ColumnArgument& argument,
                        const Schema& schema) {
  SnapshotColumn column = {name, argument.type};
  if (argument.column.node)
    return column;
  const detail::ColumnLocator place = detail::columnPlace(schema, argument.column.name);
  if (place.member != detail::ColumnLocator::noMember) {
    const Member member = schema.table(place.table).members[place.member];
    column.unit = member.unit;
    column.description = member.description;
  }
  return column;
}

/// Returns an expression after a node as a column.
detail::ColumnArgument computed(const std::string& text,
                                const std::shared_ptr<const detail::DataframeNode>& node) {
  const expression::Expression expression(text, NodeScope(*node));
  detail::ColumnArgument argument =
      argumentOf(kaon::formulaOf(expression, *node), text, node, text);
  argument.isPacked = true;
  return argument;
}

/// Returns whether arrays of a column can only be missing as a whole.
bool isOptionalArray(const detail::OptionalArgument& argument) {
  const unsigned depth = argument.value.type.depth;
  return depth > 0 && !argument.mayLackValues &&
         (!argument.presentLists || argument.presentLists->type.depth + 1 == depth);
}

} // namespace

std::vector<WrittenColumn> writtenColumns(const std::string& name,
                                          const std::shared_ptr<const detail::DataframeNode>& node,
                                          std::span<const std::uint32_t> tables) {
  detail::OptionalArgument argument = optionalArgumentNamed(name, node);
  argument.value.isPacked = true;
  for (auto* const presence : {&argument.present, &argument.presentLists})
    if (*presence)
      (*presence)->isPacked = true;
  const Schema& schema = detail::beginningOf(*node).dataset->schema();
  const std::optional<StoredOptional> stored = storedOptional(schema, name, tables);
  SnapshotColumn values = valuesOf(name, argument.value, schema);
  if (!argument.present && !(stored && stored->isCopied))
    return {{std::move(argument.value), std::move(values)}};

  const std::string named = "column('" + name + "')";
  if (stored && stored->isArray && isOptionalArray(argument)) {
    SnapshotColumn elements = storedColumn(schema, stored->value, values.type);
    elements.unit = std::move(values.unit);
    elements.description = std::move(values.description);
    detail::ColumnArgument present = argument.presentLists
                                         ? *std::move(argument.presentLists)
                                         : computed("count(" + named + ") >= 0", node);
    SnapshotColumn presence = storedColumn(schema, stored->present, present.type);
    return {{std::move(argument.value), std::move(elements)},
            {std::move(present), std::move(presence)}};
  }
  if (argument.presentLists)
    fail(ErrorKind::type, "'", name,
         "' may lack whole lists, which files can store only for optional arrays of a model; write "
         "columns of \"default(",
         name, ", value)\" and \"has(", name, ")\"");
  detail::ColumnArgument present =
      argument.present ? *std::move(argument.present) : computed("has(" + named + ")", node);
  std::vector<SnapshotColumn> columns = optionalColumns(std::move(values), present.type);
  return {{std::move(argument.value), std::move(columns[0])},
          {std::move(present), std::move(columns[1])}};
}

} // namespace kaon
