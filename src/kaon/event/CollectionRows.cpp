#include <kaon/event/CollectionRows.h>

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/model/CollectionTables.h>
#include <kaon/model/LateMembers.h>
#include <kaon/model/StorageRules.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace kaon {
namespace {

/// Returns the positions of a datatype's leaves in the tables of an earlier version of it.
std::vector<TableMember> placesOfLeaves(const Schema& schema, TableNumber root,
                                        const Datatype& type) {
  std::vector<TableMember> places;
  const Table table = schema.table(root);
  for (const Leaf& leaf : type.leaves) {
    const MemberNumber member = table.members.find(leaf.name);
    const bool isLate = member == table.members.size();
    places.emplace_back(isLate ? schema.find(std::string(table.name) + "." + std::string(leaf.name))
                               : root,
                        isLate ? MemberNumber(0) : member);
  }
  return places;
}

} // namespace

CollectionTables defineCollection(CategoryTables& categoryTables, const std::string& name,
                                  const Datatype& type) {
  auto tables = tablesOf(type, name, 0, Layout::split);
  const std::size_t ofDatatype = tables.size();
  kaon::detail::apply(detail::storageOf(type.storage), tables);
  categoryTables.rules().apply(tables);
  categoryTables.catchUp();
  const Schema& schema = categoryTables.schema();
  if (const TableNumber known = schema.findCollection(name);
      known != Table::none && schema.table(known).type == type.name)
    addLateMembers(tables, definitionsUnder(schema, known), type.defaults);
  CollectionTables collection{&type, {categoryTables.define(tables)}};
  for (std::size_t i = 1; i < ofDatatype; ++i)
    collection.tables.push_back(schema.find(tables[i].name));
  const Table root = schema.table(collection.tables.front());
  const auto liesThere = [](const Leaf& leaf, const Member& member) {
    return leaf.name == member.name && leaf.offset == member.offset;
  };
  if (root.rowSize != type.rowSize || !std::ranges::equal(type.leaves, root.members, liesThere))
    collection.leaves = placesOfLeaves(schema, collection.tables.front(), type);
  return collection;
}

std::vector<std::uint32_t> defineDecorations(CategoryTables& categoryTables,
                                             const detail::CollectionData& data,
                                             TableNumber table) {
  std::vector<std::uint32_t> numbers;
  for (const std::string& name : data.decorations().names()) {
    const detail::DecorationValues& values = *data.decorations().find(name);
    const TableDefinition root = categoryTables.schema().table(table).definition();
    const TableDefinition decoration{
        .name = root.name + "." + name,
        .kind = TableKind::decoration,
        .layout = root.layout,
        .type = std::string(nameOf(values.type)),
        .parent = 0,
        .rowSize = sizeOf(values.type),
        .members = {{.name = "", .type = values.type, .missing = values.missing}}};
    (void)categoryTables.define({root, decoration});
    numbers.push_back(categoryTables.schema().find(decoration.name));
  }
  return numbers;
}

void appendDecorations(detail::BatchBuilder& builder, const detail::CollectionData& data,
                       std::span<const std::uint32_t> tables) {
  auto table = tables.begin();
  for (const std::string& name : data.decorations().names()) {
    const detail::DecorationValues& values = *data.decorations().find(name);
    const std::size_t stored = std::min(values.values.size() / sizeOf(values.type), data.size());
    std::byte* const rows = builder.append(*table++, stored);
    if (stored > 0)
      std::memcpy(rows, values.values.data(), stored * sizeOf(values.type));
  }
}

void CollectionRows::append(const CollectionTables& tables) {
  const Datatype& type = *tables.type;
  appendStructs(tables);
  auto below = tables.tables.begin();
  for (std::uint32_t v = 0; v < type.vectors.size(); ++v) {
    appendVector(v, *++below);
    below += type.vectors[v].innerLists();
  }
  for (std::uint32_t r = 0; r < type.relations.size(); ++r)
    appendRelation(r, *++below);
}

/// Copies the objects' structs, member by member if the file stores them differently.
void CollectionRows::appendStructs(const CollectionTables& tables) {
  const Datatype& type = *tables.type;
  const auto copy = [&](std::byte* to, std::size_t toStride, std::size_t offset, std::size_t size) {
    if (m_data.size() > 0 && size > 0)
      detail::copyStrided(to, toStride, m_data.row(0) + offset, m_data.layout().rowSize,
                          m_data.size(), size);
  };
  const TableNumber root = tables.tables.front();
  if (tables.leaves.empty() && m_builder.takesView(root, m_data.size() * type.rowSize))
    return m_builder.view(root, m_data.row(0), m_data.layout().rowSize, m_data.size());
  std::byte* const rows = m_builder.append(root, m_data.size());
  if (tables.leaves.empty())
    return copy(rows, type.rowSize, 0, type.rowSize);
  for (std::size_t i = 0; i < tables.leaves.size(); ++i) {
    const auto [number, member] = tables.leaves[i];
    const Table table = m_builder.schema().table(number);
    std::byte* const to = number == root ? rows : m_builder.append(number, m_data.size());
    const Member there = table.members[member];
    copy(to + there.offset, table.rowSize, type.leaves[i].offset, there.size());
  }
}

void CollectionRows::appendVector(std::uint32_t vector, TableNumber table) {
  const detail::ObjectLayout::List& list = m_data.layout().vectorMember(vector);
  if (list.innerLists > 0) {
    for (std::size_t object = 0; object < m_data.size(); ++object)
      appendElements(list, 0, m_data.slice(list, object), table);
    return;
  }
  const std::size_t count = endLists(list, table);
  if (m_builder.takesView(table, count * list.elementSize))
    if (const auto first = firstInOrder(list))
      return m_builder.view(table, m_data.element(list, *first), list.elementSize, count);
  std::byte* rows = m_builder.append(table, count);
  for (std::size_t object = 0; object < m_data.size(); ++object) {
    const detail::Slice slice = m_data.slice(list, object);
    const std::size_t bytes = std::size_t{slice.end - slice.begin} * list.elementSize;
    if (bytes > 0)
      std::memcpy(rows, m_data.element(list, slice.begin), bytes);
    rows += bytes;
  }
}

/// Appends the elements of a list at a nesting level to its table, and the contents of the
/// elements.
void CollectionRows::appendElements(const detail::ObjectLayout::List& list, std::uint32_t level,
                                    detail::Slice slice, TableNumber table) {
  const std::size_t count = slice.end - slice.begin;
  std::byte* const rows = m_builder.append(table, count);
  m_builder.endRow(table);
  if (level == list.innerLists && count > 0)
    std::memcpy(rows, m_data.element(list, slice.begin, level), count * list.leafSize);
  for (std::uint32_t i = slice.begin; level < list.innerLists && i < slice.end; ++i)
    appendElements(list, level + 1, m_data.innerSlice(list, level + 1, i), table + 1);
}

void CollectionRows::appendRelation(std::uint32_t relation, TableNumber table) {
  const Relation& info = m_data.type().relations[relation];
  const auto put = [&](std::byte* row, std::size_t object, detail::Reference reference) {
    reference = stored(reference, object, info, table);
    std::memcpy(row, &reference, sizeof reference);
  };
  if (!info.many) {
    const detail::ObjectLayout::One& one = m_data.layout().ones[relation];
    std::byte* row = m_builder.append(table, m_data.size());
    for (std::size_t object = 0; object < m_data.size(); ++object, row += sizeof(detail::Reference))
      put(row, object, detail::loadAs<detail::Reference>(m_data.row(object) + one.offset));
    return;
  }
  const detail::ObjectLayout::List& list = m_data.layout().manyRelation(relation);
  std::byte* row = m_builder.append(table, endLists(list, table));
  for (std::size_t object = 0; object < m_data.size(); ++object) {
    const detail::Slice slice = m_data.slice(list, object);
    for (std::uint32_t i = slice.begin; i < slice.end; ++i, row += sizeof(detail::Reference))
      put(row, object, detail::loadAs<detail::Reference>(m_data.element(list, i)));
  }
}

/// Returns a reference as the file stores it, with the number of the target's table; unset if the
/// object was removed.
detail::Reference CollectionRows::stored(detail::Reference reference, std::size_t object,
                                         const Relation& relation, TableNumber table) const {
  if (reference.index < 0)
    return {-1, 0};
  const std::uint32_t target = m_neighbours[reference.neighbour];
  if (target == Table::none)
    fail(ErrorKind::usage, "object ", object, " of '", m_builder.schema().table(table).name,
         "' is related to ", withArticle(relation.target),
         " that is in no collection of the frame: put its ", "collection into the frame too");
  const detail::ObjectLocator place =
      m_data.neighbour(reference.neighbour)->current(static_cast<std::uint32_t>(reference.index));
  return place ? detail::Reference{static_cast<std::int32_t>(place.index()), target}
               : detail::Reference{-1, 0};
}

/// Returns the position of the first element if the elements of each object's list follow those of
/// the object before.
std::optional<std::uint32_t>
CollectionRows::firstInOrder(const detail::ObjectLayout::List& list) const {
  std::optional<std::uint32_t> first;
  std::uint32_t end = 0;
  for (std::size_t object = 0; object < m_data.size(); ++object) {
    const detail::Slice slice = m_data.slice(list, object);
    if (slice.begin == slice.end)
      continue;
    if (!first)
      first = end = slice.begin;
    if (slice.begin != end)
      return std::nullopt;
    end = slice.end;
  }
  return first;
}

/// Ends the lists of all objects in a table, and returns the number of their elements.
std::size_t CollectionRows::endLists(const detail::ObjectLayout::List& list, TableNumber table) {
  std::size_t rows = 0;
  for (std::size_t object = 0; object < m_data.size(); ++object) {
    const detail::Slice slice = m_data.slice(list, object);
    rows += slice.end - slice.begin;
    m_builder.endRow(table, slice.end - slice.begin);
  }
  return rows;
}

} // namespace kaon
