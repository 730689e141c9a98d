#include <kaon/model/TypeContents.h>

#include <kaon/base/Joined.h>

#include <utility>

namespace kaon {

namespace {

/// Returns the table of the lists, if the rows of a table are only lists; otherwise Table::none.
TableNumber listsWithoutName(const Schema& schema, TableNumber table) {
  const TableNumber inner = schema.find(joined(schema.table(table).name, "."));
  const bool isThere = inner != Table::none && schema.table(inner).parent == table &&
                       schema.table(inner).kind == TableKind::vectorMember;
  return isThere ? inner : Table::none;
}

} // namespace

TypeContents contentsOf(const Datatype& type) {
  std::vector<TableMember> places;
  for (std::uint32_t leaf = 0; leaf < type.leaves.size(); ++leaf)
    places.push_back({0, leaf});
  TypeContents contents{type.name, 0, {{}, std::move(places), MemberTree(type.leaves)}, {}};
  for (const VectorMember& vector : type.vectors) {
    TypeContents::List list{.name = vector.name, .type = vector.type, .depth = vector.depth};
    if (vector.isString())
      list.elements = TypeContents::Elements::characters;
    else if (vector.holdsStrings())
      list.elements = TypeContents::Elements::strings;
    else
      list.tree.emplace(vector.leaves);
    contents.lists.push_back(std::move(list));
  }
  for (const Relation& relation : type.relations) {
    TypeContents::List list{.name = relation.name,
                            .type = relation.target,
                            .kind = relation.many ? TypeContents::Kind::manyRelation
                                                  : TypeContents::Kind::oneRelation};
    for (const detail::DatatypeFunction datatype : relation.datatypes)
      list.targets.push_back(datatype().name);
    contents.lists.push_back(std::move(list));
  }
  return contents;
}

TypeContents contentsOf(const Schema& schema, TableNumber collection) {
  const Table objects = schema.table(collection);
  TypeContents contents{objects.type, collection, treeOf(schema, collection), {}};
  for (const TableNumber number : schema.tablesUnder(collection)) {
    const Table table = schema.table(number);
    if (table.parent != collection || table.kind == TableKind::decoration)
      continue;
    TypeContents::List list{.name = table.name.substr(objects.name.size() + 1),
                            .type = table.type,
                            .table = number,
                            .innermost = number};
    if (table.kind == TableKind::oneRelation || table.kind == TableKind::manyRelation) {
      list.kind = table.kind == TableKind::oneRelation ? TypeContents::Kind::oneRelation
                                                       : TypeContents::Kind::manyRelation;
    } else {
      for (std::uint32_t inner = listsWithoutName(schema, number); inner != Table::none;
           inner = listsWithoutName(schema, inner)) {
        list.innermost = inner;
        ++list.depth;
      }
      const Table elements = schema.table(list.innermost);
      list.type = elements.type;
      if (elements.type == VectorMember::string)
        list.elements = elements.members.empty() ? TypeContents::Elements::strings
                                                 : TypeContents::Elements::characters;
      else
        list.tree.emplace(treeOf(schema, list.innermost).tree);
    }
    contents.lists.push_back(std::move(list));
  }
  return contents;
}

} // namespace kaon
