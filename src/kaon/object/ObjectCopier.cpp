#include <kaon/object/ObjectCopier.h>

#include <algorithm>
#include <cstring>

namespace kaon {

void ObjectCopier::copy(ObjectPlace from, CollectionData& to) {
  Copies& copies = m_copies[from.data];
  copies.to = &to;
  copies.indices.resize(std::max(copies.indices.size(), from.data->size()), none);
  copies.indices[from.index] = to.addCopy(from, false);
}

void ObjectCopier::copyAll(const CollectionData& from, CollectionData& to) {
  const std::size_t objects = from.size(); // of itself more come
  to.reserve(to.size() + objects);
  for (std::uint32_t i = 0; i < objects; ++i)
    copy({const_cast<CollectionData*>(&from), i}, to); // it is only read
}

void ObjectCopier::redirect(const CollectionData& from, CollectionData& to) {
  m_copies[&from] = {&to, {}};
}

void ObjectCopier::relate() {
  const auto map = [this](ObjectPlace target) { return copyOf(target); };
  for (const auto& [from, copies] : m_copies) {
    for (std::uint32_t i = 0; i < copies.indices.size(); ++i)
      if (copies.indices[i] != none)
        copies.to->copyRelations({const_cast<CollectionData*>(from), i}, copies.indices[i], map);
    copyDecorations(*from, *copies.to, copies.indices);
  }
}

ObjectPlace ObjectCopier::copyOf(ObjectPlace object) const {
  const auto found = m_copies.find(object.data);
  if (found == m_copies.end())
    return object;
  const Copies& copies = found->second;
  if (copies.indices.empty())
    return {copies.to, object.index};
  const std::uint32_t index = copies.indices[object.index];
  return index == none ? object : ObjectPlace{copies.to, index};
}

void copyDecorations(const CollectionData& from, CollectionData& to,
                     const std::vector<std::uint32_t>& indices) {
  for (const DecorationInfo& info : from.allDecorations()) {
    if (!to.isBuilt() && !from.decorations().find(info.name))
      continue; // both are of the file
    const CollectionData::FoundDecoration found = from.decoration(info.name, info.type);
    DecorationValues& copy = to.decorate(info.name, info.type, info.missing);
    const std::size_t stored = std::min(found.stored, from.size());
    for (std::size_t i = 0; i < stored; ++i) {
      const auto index = indices.empty() ? i : indices[i];
      if (indices.empty() || indices[i] != ~std::uint32_t{0})
        std::memcpy(copy.grow(index), found.values.at(i), sizeOf(info.type));
    }
  }
}

} // namespace kaon
