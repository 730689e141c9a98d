#include <kaon/model/CollectionTables.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace kaon {
namespace {

std::vector<MemberDefinition> membersOf(std::span<const Leaf> leaves) {
  std::vector<MemberDefinition> members;
  members.reserve(leaves.size());
  for (const Leaf& leaf : leaves)
    members.push_back({std::string(leaf.name),
                       leaf.type,
                       leaf.extent,
                       leaf.offset,
                       std::string(leaf.unit),
                       std::string(leaf.description),
                       {},
                       0,
                       std::string(leaf.structure)});
  return members;
}

/// Returns the member for the characters of strings, with the strings' unit.
MemberDefinition charactersOf(const VectorMember& strings) {
  return {"", Scalar::UInt8, 1, 0, std::string(strings.unit), ""};
}

/// Adds the tables of a vector member: one for each level of lists, the innermost with the
/// elements, and one for the text of strings.
void addTablesOf(const VectorMember& vector, std::string name, TableNumber root, Layout layout,
                 std::vector<TableDefinition>& tables) {
  const auto last = [&]() -> TableNumber {
    return root + static_cast<std::uint32_t>(tables.size()) - 1;
  };
  for (std::uint32_t level = 0; level <= vector.depth; ++level) {
    const bool isInnermost = level == vector.depth;
    tables.push_back({.name = name,
                      .kind = TableKind::vectorMember,
                      .layout = layout,
                      .type = isInnermost ? std::string(vector.type) : "",
                      .parent = level == 0 ? root : last(),
                      .rowSize = isInnermost ? vector.rowSize : 0,
                      .members = {},
                      .description = level == 0 ? std::string(vector.description) : ""});
    name += isInnermost ? ".text" : ".";
  }
  tables.back().members =
      vector.isString() ? std::vector{charactersOf(vector)} : membersOf(vector.leaves);
  if (vector.holdsStrings())
    tables.push_back({.name = std::move(name),
                      .kind = TableKind::text,
                      .type = std::string(nameOf(Scalar::UInt8)),
                      .parent = last(),
                      .rowSize = 1,
                      .members = {charactersOf(vector)}});
}

} // namespace

std::vector<TableDefinition> tablesOf(const Datatype& type, std::string_view collection,
                                      TableNumber root, Layout layout) {
  const auto below = [&](std::string_view name) {
    return std::string(collection) + "." + std::string(name);
  };
  std::vector<TableDefinition> tables;
  tables.push_back({.name = std::string(collection),
                    .kind = TableKind::collection,
                    .layout = layout,
                    .type = std::string(type.name),
                    .rowSize = type.rowSize,
                    .members = membersOf(type.leaves),
                    .description = std::string(type.description)});
  for (const VectorMember& vector : type.vectors)
    addTablesOf(vector, below(vector.name), root, layout, tables);
  for (const Relation& relation : type.relations)
    tables.push_back(
        {.name = below(relation.name),
         .kind = relation.many ? TableKind::manyRelation : TableKind::oneRelation,
         .type = std::string(relation.target),
         .parent = root,
         .rowSize = 8,
         .members = {{"index",
                      Scalar::Int32,
                      1,
                      0,
                      "",
                      "position in the collection; -1: none",
                      {},
                      ~std::uint32_t{0}},
                     {"collection", Scalar::UInt32, 1, 4, "", "number of the collection"}},
         .description = std::string(relation.description)});
  return tables;
}

std::vector<TableDefinition> subsetTables(const Datatype& of, std::string_view name,
                                          TableNumber root) {
  const Relation object{"object", false, of.name, {}, "of another collection"};
  const std::string type = std::string(detail::subsetPrefix).append(of.name).append(">");
  const Datatype subset{.name = type,
                        .description = {},
                        .defaults = {},
                        .leaves = {},
                        .vectors = {},
                        .relations = {&object, 1}};
  return tablesOf(subset, name, root, Layout::split);
}

} // namespace kaon
