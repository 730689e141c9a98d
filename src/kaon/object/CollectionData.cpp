#include <kaon/object/CollectionData.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/object/ColumnLoader.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace kaon {

CollectionData::CollectionData(const ObjectLayout& layout)
    : m_layout(&layout), m_rowSize(layout.rowSize), m_pools(layout.pools) {
  std::uninitialized_default_construct_n(&columnAt(0), layout.columns.size());
  for (std::uint32_t i = 0; i < layout.columns.size(); ++i) {
    columnAt(i).stride = layout.columns[i].stride;
    columnAt(i).together = ObjectLayout::allTogether;
  }
}

CollectionData::CollectionData(const ObjectLayout& layout, ColumnLoader& loader,
                               std::uint32_t table, std::uint32_t neighbours)
    : m_layout(&layout), m_rowSize(layout.rowSize), m_id(table), m_loader(&loader), m_table(table),
      m_tables(neighbours),
      m_loaded(new std::atomic<CollectionData*>[type().relations.size() * neighbours]()) {
  std::uninitialized_default_construct_n(&columnAt(0), layout.columns.size());
}

std::unique_ptr<CollectionData> CollectionData::make(const Datatype& type) {
  const ObjectLayout& layout = layoutOf(type);
  return std::unique_ptr<CollectionData>(new (layout) CollectionData(layout));
}

std::unique_ptr<CollectionData> CollectionData::make(const Datatype& type, ColumnLoader& loader,
                                                     std::uint32_t table,
                                                     std::uint32_t neighbours) {
  const ObjectLayout& layout = layoutOf(type);
  return std::unique_ptr<CollectionData>(new (layout)
                                             CollectionData(layout, loader, table, neighbours));
}

CollectionData::~CollectionData() {
  m_anchor->store(nullptr, std::memory_order_release);
  forgetNeighbours();
  if (isBuilt() && !m_rows.empty())
    m_layout->lastSize.store(static_cast<std::uint32_t>(m_size), std::memory_order_relaxed);
}

const std::byte* CollectionData::load(std::uint32_t column) const {
  if (isBuilt())
    fail(ErrorKind::usage, "an object of a ", type().name, " collection that has none");
  m_loader->load(*this, column);
  return columnAt(column).base.load(std::memory_order_acquire);
}

ObjectPlace CollectionData::findTarget(std::uint32_t relation, Reference reference) const {
  const auto index = static_cast<std::uint32_t>(reference.index);
  if (isBuilt()) {
    CollectionData* const built = neighbour(reference.neighbour);
    return built ? built->current(index) : ObjectPlace{};
  }
  CollectionData* data = nullptr;
  if (reference.neighbour < m_tables)
    data = loaded(relation, reference.neighbour).load(std::memory_order_acquire);
  if (!data) [[unlikely]]
    data = loadNeighbour(relation, reference.neighbour);
  if (!data)
    return {};
  if (index >= data->size()) [[unlikely]] {
    if (data->m_sentTo)
      return data->current(index);
    m_loader->checkAbsent(*data, index);
    return {};
  }
  return {data, index};
}

CollectionData* CollectionData::loadNeighbour(std::uint32_t relation, std::uint32_t number) const {
  CollectionData* const data = m_loader->collection(number, type().relations[relation]);
  if (data)
    loaded(relation, number).store(data, std::memory_order_release);
  return data;
}

void CollectionData::forgetColumns() noexcept {
  for (std::uint32_t i = 0; i < m_layout->columns.size(); ++i)
    columnAt(i).base.store(nullptr, std::memory_order_relaxed);
}

void CollectionData::reserve(std::size_t objects) {
  if (objects > mostObjects)
    fail(ErrorKind::usage, "a ", type().name, " collection of more than ", mostObjects,
         " objects in one event");
  // Rows grow by halves: Buffer sees to it.
  m_rows.reserve(objects * m_rowSize);
  placeColumns(ObjectLayout::rows);
}

/// Room for one more object at least, at first for as many as the last collection had: those of
/// the next event are about as many.
void CollectionData::makeRoom() {
  constexpr std::size_t mostBytes = 256 * 1024;
  std::size_t objects = m_size + 1;
  if (m_size == 0)
    objects = std::clamp<std::size_t>(m_layout->lastSize.load(std::memory_order_relaxed), 16,
                                      std::max<std::size_t>(mostBytes / m_rowSize, 16));
  reserve(objects);
}

/// Points the columns of a pool, or of the rows, to where these are now.
void CollectionData::placeColumns(std::uint32_t pool) noexcept {
  const std::byte* const base =
      pool == ObjectLayout::rows ? m_rows.data() : m_pools[pool].bytes.data();
  for (std::uint32_t i = 0; i < m_layout->columns.size(); ++i)
    if (m_layout->columns[i].pool == pool)
      columnAt(i).base.store(base + m_layout->columns[i].offset, std::memory_order_release);
}

void CollectionData::clear() noexcept {
  m_size = 0;
  m_rows.clear();
  for (Pool& pool : m_pools) {
    pool.bytes.clear();
    pool.used = 0;
  }
  forgetNeighbours();
}

void CollectionData::resize(std::size_t objects) {
  reserve(objects);
  m_size = std::min(m_size, objects);
  m_rows.shrink(m_size * m_rowSize);
  while (m_size < objects)
    create();
}

/// Room for elements at the end of a pool; returns the first one's position.
std::uint32_t CollectionData::growPool(std::uint32_t number, std::size_t elements,
                                       std::size_t elementSize) {
  Pool& pool = m_pools[number];
  if (elements > std::numeric_limits<std::uint32_t>::max() - pool.used)
    fail(ErrorKind::usage, "a ", type().name, " collection with too many list elements");
  const std::byte* const before = pool.bytes.data();
  pool.bytes.grow(elements * elementSize);
  if (pool.bytes.data() != before)
    placeColumns(number);
  return std::exchange(pool.used, pool.used + static_cast<std::uint32_t>(elements));
}

/// Makes room for one more element at least of a list in a row, where the list is if it lies at the
/// end of its pool and elsewhere if not.
void CollectionData::enlargeList(const ObjectLayout::List& list, std::byte* where) {
  Pool& pool = m_pools[list.pool];
  auto held = loadAs<ListRow>(where);
  const std::uint32_t count = held.slice.end - held.slice.begin;
  const bool inPlace = count > 0 && held.slice.end == pool.used;
  const std::uint32_t more = inPlace ? 1 : std::max<std::uint32_t>(2 * count, 1);
  const std::uint32_t begin = growPool(list.pool, more, list.elementSize);
  if (!inPlace) {
    if (count > 0)
      std::memcpy(pool.bytes.data() + std::size_t{begin} * list.elementSize,
                  pool.bytes.data() + std::size_t{held.slice.begin} * list.elementSize,
                  std::size_t{count} * list.elementSize);
    held.slice = {begin, begin + count};
  }
  held.limit = pool.used;
  std::memcpy(where, &held, sizeof held);
}

/// Puts a text to the end of a pool of characters, with room for at least so many.
Slice CollectionData::addText(std::uint32_t pool, std::string_view text, std::size_t room) {
  const Buffer& characters = m_pools[pool].bytes;
  const auto* const from = reinterpret_cast<const std::byte*>(text.data());
  // A text that lies in the pool moves with it.
  const bool isOwn = std::greater_equal<>()(from, characters.data()) &&
                     std::less<>()(from, characters.data() + characters.size());
  const std::size_t offset = isOwn ? static_cast<std::size_t>(from - characters.data()) : 0;
  const std::uint32_t begin = growPool(pool, std::max(room, text.size()), 1);
  if (!text.empty())
    std::memcpy(m_pools[pool].bytes.data() + begin, isOwn ? characters.data() + offset : from,
                text.size());
  return {begin, begin + static_cast<std::uint32_t>(text.size())};
}

void CollectionData::setString(const ObjectLayout::List& list, std::size_t object,
                               std::string_view text) {
  std::byte* const where = row(object) + list.sliceOffset;
  auto held = loadAs<ListRow>(where);
  const std::size_t room = held.limit - held.slice.begin;
  if (text.size() > room) {
    // Twice as much as before: what is left behind stays in proportion to what is used.
    held.slice = addText(list.pool, text, 2 * room);
    held.limit = m_pools[list.pool].used;
  } else {
    if (!text.empty())
      std::memmove(m_pools[list.pool].bytes.data() + held.slice.begin, text.data(), text.size());
    held.slice.end = held.slice.begin + static_cast<std::uint32_t>(text.size());
  }
  std::memcpy(where, &held, sizeof held);
}

void CollectionData::addString(const ObjectLayout::List& list, std::size_t object,
                               std::string_view text) {
  const Slice characters = addText(list.pool + 1, text, 0);
  std::memcpy(addElement(list, object), &characters, sizeof characters);
}

/// Makes the target's collection the neighbour that was last referred to.
void CollectionData::referTo(CollectionData& target) {
  m_lastNeighbour = target.m_anchor.get();
  const auto next = static_cast<std::uint32_t>(m_neighbours.size());
  const auto [known, isNew] = m_neighbourNumbers.try_emplace(m_lastNeighbour, next);
  m_lastNumber = known->second;
  if (!isNew)
    return;
  m_neighbours.push_back(target.m_anchor);
  if (target.isLoose()) {
    target.retain();
    m_keptLoose.push_back(&target);
  }
}

void CollectionData::setOne(const ObjectLayout::One& one, std::size_t object, ObjectPlace target) {
  const Reference to = reference(target);
  std::memcpy(row(object) + one.offset, &to, sizeof to);
}

std::uint32_t CollectionData::addCopy(ObjectPlace object, bool withRelations) {
  const CollectionData& from = *object.data;
  const std::uint32_t copy = create();
  for (std::uint32_t i = 0; i < type().leaves.size(); ++i) {
    const Leaf& leaf = type().leaves[i];
    std::memcpy(row(copy) + leaf.offset, from.at(i, object.index), sizeOf(leaf.type) * leaf.extent);
  }
  copyVectors(object, copy);
  if (withRelations)
    copyRelations(object, copy, [](ObjectPlace target) { return target; });
  return copy;
}

void CollectionData::copyVectors(ObjectPlace from, std::uint32_t to) {
  for (std::uint32_t v = 0; v < type().vectors.size(); ++v) {
    const ObjectLayout::List& list = m_layout->vectorMember(v);
    const Slice slice = from.data->slice(list, from.index);
    if (type().vectors[v].isString()) {
      setString(list, to, from.data->text(list.first, slice));
      continue;
    }
    if (type().vectors[v].holdsStrings()) {
      for (std::uint32_t i = slice.begin; i < slice.end; ++i)
        addString(list, to, from.data->string(list.first, i));
      continue;
    }
    for (std::uint32_t i = slice.begin; i < slice.end; ++i) {
      std::byte* const element = addElement(list, to);
      for (std::uint32_t k = 0; k < type().vectors[v].leaves.size(); ++k) {
        const Leaf& leaf = type().vectors[v].leaves[k];
        std::memcpy(element + leaf.offset, from.data->at(list.first + k, i),
                    sizeOf(leaf.type) * leaf.extent);
      }
    }
  }
}

void CollectionData::forgetNeighbours() noexcept {
  for (CollectionData* loose : m_keptLoose)
    release(loose);
  m_keptLoose.clear();
  m_neighbours.clear();
  m_neighbourNumbers.clear();
  m_lastNeighbour = nullptr;
}

CollectionData* CollectionData::makeLoose(const Datatype& type) {
  auto data = make(type);
  data->m_references = 1;
  data->reserve(1);
  data->create();
  return data.release();
}

void CollectionData::release(CollectionData* data) noexcept {
  if (data->m_references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    data->clear(); // of how many there are tells nothing about collections
    delete data;
  }
}

ObjectPlace CollectionData::sent(std::uint32_t index) const noexcept {
  CollectionData* const data = m_sentTo->load(std::memory_order_acquire);
  if (!data || index >= m_sentIndices.size() || m_sentIndices[index] == removed)
    return {};
  return data->current(m_sentIndices[index]);
}

CollectionData* CollectionData::holder() noexcept {
  if (!m_sentTo)
    return this;
  CollectionData* const data = m_sentTo->load(std::memory_order_acquire);
  return data ? data->holder() : nullptr;
}

DecorationValues& CollectionData::decorate(std::string_view name, Scalar type,
                                           std::uint64_t missing) {
  const auto isTaken = [name](std::string_view taken) {
    return taken.starts_with(name) && (taken.size() == name.size() || taken[name.size()] == '.');
  };
  const bool isKnown = std::ranges::any_of(this->type().leaves, isTaken, &Leaf::name) ||
                       std::ranges::any_of(this->type().vectors, isTaken, &VectorMember::name) ||
                       std::ranges::any_of(this->type().relations, isTaken, &Relation::name);
  if (name.empty() || isKnown)
    fail(ErrorKind::usage, "a ", this->type().name, " has a '", name,
         "' already: a decoration needs a name of its own");
  return m_decorations.get(name, type, missing);
}

std::vector<DecorationInfo> CollectionData::allDecorations() const {
  std::vector<DecorationInfo> all;
  for (const std::string& name : m_decorations.names()) {
    const DecorationValues& values = *m_decorations.find(name);
    all.push_back({name, values.type, values.missing});
  }
  if (m_loader)
    for (DecorationInfo& stored : m_loader->decorations(*this))
      if (!m_decorations.find(stored.name))
        all.push_back(std::move(stored));
  return all;
}

CollectionData::FoundDecoration CollectionData::decoration(std::string_view name,
                                                           Scalar type) const {
  if (const DecorationValues* const own = m_decorations.find(name)) {
    if (own->type != type)
      fail(ErrorKind::type, "the decoration '", name, "' holds ", nameOf(own->type), ", not ",
           nameOf(type));
    return {{own->values.data(), sizeOf(type)}, own->values.size() / sizeOf(type), own->missing};
  }
  if (!m_loader)
    fail(ErrorKind::name, "there is no decoration '", name, "'",
         suggestion(name, m_decorations.names()));
  return {m_loader->decoration(*this, name, type), m_size, 0};
}

} // namespace kaon
