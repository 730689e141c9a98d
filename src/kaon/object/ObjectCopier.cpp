#include <kaon/detail/object/ObjectCopier.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace kaon::detail {
namespace {

/// Copies the leaves of a row, whose columns begin at `first`, to a struct.
void copyLeaves(const CollectionData& from, std::span<const Leaf> leaves, std::uint32_t first,
                std::size_t row, std::byte* to) {
  for (const Leaf& leaf : leaves)
    std::memcpy(to + leaf.offset, from.at(first++, row), sizeOf(leaf.type) * leaf.extent);
}

/// Copies the elements of a list at a level, and the contents of these elements.
Slice copyElements(const CollectionData& from, const VectorMember& vector,
                   const ObjectLayout::List& list, std::uint32_t level, Slice slice,
                   CollectionData& to) {
  if (slice.begin == slice.end)
    return to.append(list, level, 0);
  if (level == list.innerLists && vector.type == VectorMember::string)
    return to.appendText(list, level, from.text(list.firstLeaf(), slice));
  // Read before taking memory: this checks the source.
  if (level == list.innerLists)
    (void)from.at(list.firstLeaf(), slice.begin);
  else
    (void)from.innerSlice(list, level + 1, slice.begin);
  const Slice copy = to.append(list, level, slice.end - slice.begin);
  for (std::uint32_t i = slice.begin, k = copy.begin; i < slice.end; ++i, ++k) {
    if (level == list.innerLists) {
      copyLeaves(from, vector.leaves, list.firstLeaf(), i, to.element(list, k, level));
      continue;
    }
    const Slice inner =
        copyElements(from, vector, list, level + 1, from.innerSlice(list, level + 1, i), to);
    std::memcpy(to.element(list, k, level), &inner, sizeof inner);
  }
  return copy;
}

void copyVector(ObjectLocator from, std::uint32_t number, CollectionData& to,
                std::uint32_t object) {
  const ObjectLayout::List& list = to.layout().vectorMember(number);
  const Slice slice = from.data->slice(list, from.row);
  if (slice.begin != slice.end)
    to.setList(list, object,
               copyElements(*from.data, to.type().vectors[number], list, 0, slice, to));
}

/// Gives an object the relations of another one; each leads to `map(target)`. Leaves out references
/// to missing objects.
template <class Map>
void copyRelations(ObjectLocator from, CollectionData& to, std::uint32_t object, const Map& map) {
  for (std::uint32_t r = 0; r < to.type().relations.size(); ++r) {
    if (!to.type().relations[r].many) {
      const ObjectLayout::One& one = to.layout().ones[r];
      to.setOne(one, object, map(from.data->follow(r, one.first, from.row)));
      continue;
    }
    const ObjectLayout::List& list = to.layout().manyRelation(r);
    const Slice slice = from.data->slice(list, from.row);
    for (std::uint32_t i = slice.begin; i < slice.end; ++i)
      if (const ObjectLocator target = from.data->follow(r, list.first, i); target)
        to.addToMany(list, object, map(target));
  }
}

} // namespace

std::uint32_t copyObject(ObjectLocator from, CollectionData& to, bool withRelations) {
  const std::uint32_t copy = to.create();
  copyLeaves(*from.data, to.type().leaves, 0, from.row, to.row(copy));
  for (std::uint32_t i = 0; i < to.type().vectors.size(); ++i)
    copyVector(from, i, to, copy);
  if (withRelations)
    copyRelations(from, to, copy, [](ObjectLocator target) { return target; });
  return copy;
}

void ObjectCopier::copy(ObjectLocator from, CollectionData& to) {
  Copies& copies = m_copies[from.data];
  copies.to = &to;
  copies.indices.resize(std::max(copies.indices.size(), from.data->size()), none);
  copies.indices[from.index()] = copyObject(from, to, false);
}

void ObjectCopier::copyAll(const CollectionData& from, CollectionData& to) {
  const std::size_t objects = from.size(); // fixed, because `to` may be `from`
  to.reserve(to.size() + objects);
  for (std::uint32_t i = 0; i < objects; ++i)
    copy({const_cast<CollectionData*>(&from), from.rowOf(i)}, to); // it is only read
}

void ObjectCopier::redirect(const CollectionData& from, CollectionData& to) {
  m_copies[&from] = {&to, {}};
}

void ObjectCopier::relate() {
  const auto map = [this](ObjectLocator target) { return copyOf(target); };
  for (const auto& [from, copies] : m_copies) {
    for (std::uint32_t i = 0; i < copies.indices.size(); ++i)
      if (copies.indices[i] != none)
        copyRelations({const_cast<CollectionData*>(from), from->rowOf(i)}, *copies.to,
                      copies.indices[i], map);
    copyDecorations(*from, copies);
  }
}

ObjectLocator ObjectCopier::copyOf(ObjectLocator object) const {
  const auto entry = m_copies.find(object.data);
  if (entry == m_copies.end())
    return object;
  const Copies& copies = entry->second;
  if (copies.indices.empty())
    return {copies.to, copies.to->rowOf(object.index())};
  const std::uint32_t index = copies.indices[object.index()];
  return index == none ? object : ObjectLocator{copies.to, index};
}

void ObjectCopier::copyDecorations(const CollectionData& from, const Copies& copies) {
  for (const DecorationInfo& info : from.allDecorations()) {
    if (!copies.to->isBuilt() && !from.decorations().find(info.name))
      continue; // both are of the file
    const DecorationColumn values = from.decoration(info.name, info.type);
    DecorationValues& copy = copies.to->decorate(info.name, info.type, info.missing);
    const std::size_t stored = std::min(values.stored, from.size());
    for (std::uint32_t i = 0; i < stored; ++i)
      if (const std::uint32_t index = copies.indices.empty() ? i : copies.indices[i]; index != none)
        std::memcpy(copy.at(index, copies.to->size()), values.column.at(i), sizeOf(info.type));
  }
}

} // namespace kaon::detail
