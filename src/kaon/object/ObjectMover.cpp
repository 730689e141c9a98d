#include <kaon/detail/object/ObjectMover.h>

#include <kaon/detail/object/ObjectCopier.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace kaon::detail {
namespace {

/// Returns the new target of a reference after the objects of the neighbour `own` moved.
Reference redirect(Reference reference, std::uint32_t own, std::span<const std::uint32_t> moved) {
  if (reference.index < 0 || reference.neighbour != own)
    return reference;
  const std::uint32_t to = moved[static_cast<std::size_t>(reference.index)];
  return to == Forwarding::removed ? Reference{} : Reference{static_cast<std::int32_t>(to), own};
}

} // namespace

void ObjectMover::reorder(std::span<const std::uint32_t> order) {
  std::vector<std::uint32_t> moved(m_data.m_size, Forwarding::removed);
  for (std::size_t i = 0; i < order.size(); ++i)
    moved[order[i]] = static_cast<std::uint32_t>(i);
  m_data.m_rows.reorder(order);
  m_data.m_size = order.size();
  m_data.m_decorations.reorder(order);
  redirectOwn(moved);
  if (isReferredTo())
    forwardReferrers(m_data, std::move(moved));
}

void ObjectMover::truncate(std::size_t objects) {
  if (!isReferredTo() && !m_data.m_neighbours.find(m_data.m_anchor) &&
      m_data.m_decorations.names().empty()) {
    m_data.resize(objects);
    return;
  }
  std::vector<std::uint32_t> order(objects);
  std::iota(order.begin(), order.end(), 0U);
  reorder(order);
}

void ObjectMover::clear() {
  if (isReferredTo()) {
    m_data.m_anchor->store(nullptr, std::memory_order_release);
    m_data.m_anchor = std::make_shared<Anchor>(&m_data);
  }
  m_data.m_decorations.reorder({});
  m_data.clear();
}

void ObjectMover::absorb(CollectionData& other) {
  std::vector<std::uint32_t> moved(other.m_size);
  std::iota(moved.begin(), moved.end(), static_cast<std::uint32_t>(m_data.m_size));
  ObjectCopier copier;
  copier.copyAll(other, m_data);
  copier.relate();
  if (ObjectMover others(other); others.isReferredTo())
    others.forwardReferrers(m_data, std::move(moved));
  std::ranges::move(other.m_forwarders, std::back_inserter(m_data.m_forwarders));
  other.m_forwarders.clear();
  other.m_decorations.clear();
  other.clear();
}

void ObjectMover::leaveTo(CollectionData& copy) {
  std::vector<std::uint32_t> moved(m_data.m_size);
  std::iota(moved.begin(), moved.end(), 0U);
  if (isReferredTo())
    forwardReferrers(copy, moved);
  m_data.forwardAll(copy, std::move(moved)); // for relations in the file
}

/// Updates the collection's references to its own objects.
void ObjectMover::redirectOwn(std::span<const std::uint32_t> moved) {
  const std::optional<std::uint32_t> own = m_data.m_neighbours.find(m_data.m_anchor);
  if (!own)
    return;
  const ObjectLayout& layout = m_data.layout();
  for (std::size_t object = 0; object < m_data.size(); ++object) {
    for (const ObjectLayout::One& one : layout.ones) {
      std::byte* const where = m_data.row(object) + one.offset;
      const Reference to = redirect(loadAs<Reference>(where), *own, moved);
      std::memcpy(where, &to, sizeof to);
    }
    for (std::size_t i = m_data.type().vectors.size(); i < layout.lists.size(); ++i)
      redirectList(layout.lists[i], object, *own, moved);
  }
}

void ObjectMover::redirectList(const ObjectLayout::List& list, std::size_t object,
                               std::uint32_t own, std::span<const std::uint32_t> moved) {
  std::byte* const where = m_data.row(object) + list.sliceOffset;
  auto listRow = loadAs<ListRow>(where);
  std::byte* const references = m_data.m_rows.elements(list);
  std::uint32_t end = listRow.slice.begin;
  for (std::uint32_t i = listRow.slice.begin; i < listRow.slice.end; ++i) {
    const auto before = loadAs<Reference>(references + std::size_t{i} * sizeof(Reference));
    const Reference to = redirect(before, own, moved);
    if (to.index >= 0 || before.index < 0)
      std::memcpy(references + std::size_t{end++} * sizeof(Reference), &to, sizeof to);
  }
  listRow.slice.end = end;
  std::memcpy(where, &listRow, sizeof listRow);
}

/// Whether other collections refer to the collection's objects. Removes unused forwarders.
bool ObjectMover::isReferredTo() {
  for (auto forwarder = m_data.m_forwarders.begin();
       forwarder != m_data.m_forwarders.end();) // advances below
    forwarder = (*forwarder)->m_anchor.use_count() == 1 ? m_data.m_forwarders.erase(forwarder)
                                                        : std::next(forwarder);
  return m_data.m_anchor.use_count() > (m_data.m_neighbours.find(m_data.m_anchor) ? 2 : 1);
}

/// Makes references to the collection's objects lead to object moved[index] of `to`.
void ObjectMover::forwardReferrers(CollectionData& to, std::vector<std::uint32_t> moved) {
  auto forwarder = CollectionData::make(m_data.type());
  std::swap(m_data.m_anchor, forwarder->m_anchor);
  m_data.m_anchor->store(&m_data, std::memory_order_release);
  forwarder->m_anchor->store(forwarder.get(), std::memory_order_release);
  m_data.m_neighbours.replace(forwarder->m_anchor, m_data.m_anchor);
  forwarder->m_forwarding.set(to.m_anchor, std::move(moved));
  to.m_forwarders.push_back(std::move(forwarder));
}

} // namespace kaon::detail
