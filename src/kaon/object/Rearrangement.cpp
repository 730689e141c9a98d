#include <kaon/object/Rearrangement.h>

#include <kaon/object/ObjectCopier.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace kaon {
namespace {

/// Where a reference is to lead now that the objects of the neighbour `own` moved.
Reference redirect(Reference reference, std::uint32_t own, std::span<const std::uint32_t> moved) {
  if (reference.index < 0 || reference.neighbour != own)
    return reference;
  const std::uint32_t to = moved[static_cast<std::size_t>(reference.index)];
  return to == CollectionData::removed ? Reference{}
                                       : Reference{static_cast<std::int32_t>(to), own};
}

} // namespace

void Rearrangement::apply(std::span<const std::uint32_t> order) {
  std::vector<std::uint32_t> moved(m_data.m_size, CollectionData::removed);
  for (std::size_t i = 0; i < order.size(); ++i)
    moved[order[i]] = static_cast<std::uint32_t>(i);
  moveRows(order);
  m_data.m_decorations.rearrange(order);
  redirectOwn(moved);
  if (isReferredTo())
    sendReferrers(m_data, std::move(moved));
}

void Rearrangement::truncate(std::size_t objects) {
  if (!isReferredTo() && !m_data.m_neighbourNumbers.contains(m_data.m_anchor.get()) &&
      m_data.m_decorations.names().empty()) {
    m_data.resize(objects);
    return;
  }
  std::vector<std::uint32_t> order(objects);
  std::iota(order.begin(), order.end(), 0U);
  apply(order);
}

void Rearrangement::clear() {
  if (isReferredTo()) {
    m_data.m_anchor->store(nullptr, std::memory_order_release);
    m_data.m_anchor = std::make_shared<CollectionData::Anchor>(&m_data);
  }
  m_data.m_decorations.rearrange({});
  m_data.clear();
}

void Rearrangement::absorb(CollectionData& other) {
  std::vector<std::uint32_t> moved(other.m_size);
  std::iota(moved.begin(), moved.end(), static_cast<std::uint32_t>(m_data.m_size));
  ObjectCopier copier;
  copier.copyAll(other, m_data);
  copier.relate();
  if (Rearrangement others(other); others.isReferredTo())
    others.sendReferrers(m_data, std::move(moved));
  std::ranges::move(other.m_forwarders, std::back_inserter(m_data.m_forwarders));
  other.m_forwarders.clear();
  other.m_decorations.clear();
  other.clear();
}

void Rearrangement::moveRows(std::span<const std::uint32_t> order) {
  const std::size_t bytes = m_data.m_layout->rowSize;
  Buffer rows;
  rows.reserve(std::max<std::size_t>(order.size(), 16) * bytes);
  for (const std::uint32_t from : order)
    std::memcpy(rows.grow(bytes), m_data.row(from), bytes);
  m_data.m_rows = std::move(rows);
  m_data.m_size = order.size();
  m_data.placeColumns(ObjectLayout::rows);
}

/// Lets the collection's references to its own objects lead to where these are now.
void Rearrangement::redirectOwn(std::span<const std::uint32_t> moved) {
  const auto own = m_data.m_neighbourNumbers.find(m_data.m_anchor.get());
  if (own == m_data.m_neighbourNumbers.end())
    return;
  const ObjectLayout& layout = m_data.layout();
  for (std::size_t object = 0; object < m_data.size(); ++object) {
    for (const ObjectLayout::One& one : layout.ones) {
      std::byte* const where = m_data.row(object) + one.offset;
      const Reference to = redirect(loadAs<Reference>(where), own->second, moved);
      std::memcpy(where, &to, sizeof to);
    }
    for (std::size_t i = m_data.type().vectors.size(); i < layout.lists.size(); ++i)
      redirectList(layout.lists[i], object, own->second, moved);
  }
}

void Rearrangement::redirectList(const ObjectLayout::List& list, std::size_t object,
                                 std::uint32_t own, std::span<const std::uint32_t> moved) {
  auto held = loadAs<ListRow>(m_data.row(object) + list.sliceOffset);
  std::byte* const elements = m_data.m_pools[list.pool].bytes.data();
  std::uint32_t kept = held.slice.begin;
  for (std::uint32_t i = held.slice.begin; i < held.slice.end; ++i) {
    const auto before = loadAs<Reference>(elements + std::size_t{i} * sizeof(Reference));
    const Reference to = redirect(before, own, moved);
    if (to.index >= 0 || before.index < 0)
      std::memcpy(elements + std::size_t{kept++} * sizeof(Reference), &to, sizeof to);
  }
  held.slice.end = kept;
  std::memcpy(m_data.row(object) + list.sliceOffset, &held, sizeof held);
}

/// Whether others refer to the collection's objects.
bool Rearrangement::isReferredTo() {
  for (auto forwarder = m_data.m_forwarders.begin();
       forwarder != m_data.m_forwarders.end();) // to the next ones
    forwarder = (*forwarder)->m_anchor.use_count() == 1 ? m_data.m_forwarders.erase(forwarder)
                                                        : std::next(forwarder);
  return m_data.m_anchor.use_count() >
         (m_data.m_neighbourNumbers.contains(m_data.m_anchor.get()) ? 2 : 1);
}

/// Those who refer to the collection's objects find them in `to` from now on, at moved[index].
void Rearrangement::sendReferrers(CollectionData& to, std::vector<std::uint32_t> moved) {
  auto forwarder = CollectionData::make(m_data.type());
  std::swap(m_data.m_anchor, forwarder->m_anchor);
  m_data.m_anchor->store(&m_data, std::memory_order_release);
  forwarder->m_anchor->store(forwarder.get(), std::memory_order_release);
  if (const auto own = m_data.m_neighbourNumbers.extract(forwarder->m_anchor.get())) {
    m_data.m_neighbours[own.mapped()] = m_data.m_anchor;
    m_data.m_neighbourNumbers.emplace(m_data.m_anchor.get(), own.mapped());
    m_data.m_lastNeighbour = nullptr;
  }
  forwarder->m_sentTo = to.m_anchor;
  forwarder->m_sentIndices = std::move(moved);
  to.m_forwarders.push_back(std::move(forwarder));
}

} // namespace kaon
