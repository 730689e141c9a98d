#include <kaon/event/CollectionData.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/event/EntryReader.h>

#include <algorithm>
#include <limits>

namespace kaon {
namespace {

constexpr std::size_t mostObjects = std::numeric_limits<std::int32_t>::max();

} // namespace

CollectionData::CollectionData(const Datatype& type)
    : m_layout(&layoutOf(type)), m_columns(new Column[m_layout->columns.size()]),
      m_pools(m_layout->lists.size()) {
  for (std::uint32_t i = 0; i < m_layout->columns.size(); ++i)
    m_columns[i].stride = m_layout->columns[i].stride;
}

CollectionData::CollectionData(const Datatype& type, EntryReader& reader, std::uint32_t table,
                               std::uint32_t neighbours)
    : m_layout(&layoutOf(type)), m_columns(new Column[m_layout->columns.size()]), m_id(table),
      m_reader(&reader), m_table(table), m_tables(neighbours),
      m_loaded(new std::atomic<CollectionData*>[type.relations.size() * neighbours]()) {}

CollectionData::~CollectionData() {
  m_anchor->store(nullptr, std::memory_order_release);
  forgetNeighbours();
}

const std::byte* CollectionData::load(std::uint32_t column) const {
  if (isBuilt())
    fail(ErrorKind::usage, "an object of a ", type().name, " collection that has none");
  m_reader->load(*this, column);
  return m_columns[column].base.load(std::memory_order_acquire);
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
    m_reader->checkAbsent(*data, index);
    return {};
  }
  return {data, index};
}

CollectionData* CollectionData::loadNeighbour(std::uint32_t relation, std::uint32_t number) const {
  CollectionData* const data = m_reader->collection(number, type().relations[relation]);
  if (data)
    loaded(relation, number).store(data, std::memory_order_release);
  return data;
}

void CollectionData::forgetColumns() noexcept {
  for (std::size_t i = 0; i < m_layout->columns.size(); ++i)
    m_columns[i].base.store(nullptr, std::memory_order_relaxed);
}

void CollectionData::reserve(std::size_t objects) {
  if (objects > mostObjects)
    fail(ErrorKind::usage, "a ", type().name, " collection of more than ", mostObjects,
         " objects in one event");
  // Rows grow by halves: Buffer sees to it.
  m_rows.reserve(std::max<std::size_t>(objects, 16) * m_layout->rowSize);
  placeColumns(ObjectLayout::rows);
}

/// Points the columns of a pool, or of the rows, to where these are now.
void CollectionData::placeColumns(std::uint32_t pool) noexcept {
  const std::byte* const base = pool == ObjectLayout::rows ? m_rows.data() : m_pools[pool].data();
  for (std::uint32_t i = 0; i < m_layout->columns.size(); ++i)
    if (m_layout->columns[i].pool == pool)
      m_columns[i].base.store(base + m_layout->columns[i].offset, std::memory_order_release);
}

void CollectionData::clear() noexcept {
  m_size = 0;
  m_rows.clear();
  for (Buffer& pool : m_pools)
    pool.clear();
  forgetNeighbours();
}

void CollectionData::resize(std::size_t objects) {
  reserve(objects);
  m_size = std::min(m_size, objects);
  m_rows.shrink(m_size * m_layout->rowSize);
  while (m_size < objects)
    create();
}

/// Makes room for one more element at least, where the list is if it lies at the end of its pool
/// and elsewhere if not.
void CollectionData::enlargeList(const ObjectLayout::List& list, ListRow& held) {
  Buffer& pool = m_pools[list.pool];
  const std::size_t used = pool.size() / list.elementSize;
  const std::uint32_t more = std::max<std::uint32_t>(held.capacity, 2);
  if (used + held.capacity + more > std::numeric_limits<std::uint32_t>::max())
    fail(ErrorKind::usage, "a ", type().name, " collection with too many list elements");
  const std::byte* const before = pool.data();
  const bool inPlace = held.capacity > 0 && held.slice.begin + held.capacity == used;
  pool.grow((inPlace ? more : held.capacity + more) * std::size_t{list.elementSize});
  if (pool.data() != before)
    placeColumns(list.pool);
  if (!inPlace) {
    const std::uint32_t count = held.slice.end - held.slice.begin;
    const auto begin = static_cast<std::uint32_t>(used);
    if (count > 0)
      std::memcpy(pool.data() + std::size_t{begin} * list.elementSize,
                  pool.data() + std::size_t{held.slice.begin} * list.elementSize,
                  std::size_t{count} * list.elementSize);
    held.slice = {begin, begin + count};
  }
  held.capacity += more;
}

/// The target as a reference, its collection made a neighbour if it is none yet.
Reference CollectionData::reference(ObjectPlace target) {
  if (!target.data)
    return {};
  if (target.data->m_anchor.get() != m_lastNeighbour) {
    m_lastNeighbour = target.data->m_anchor.get();
    const auto next = static_cast<std::uint32_t>(m_neighbours.size());
    const auto [known, isNew] = m_neighbourNumbers.try_emplace(m_lastNeighbour, next);
    m_lastNumber = known->second;
    if (isNew) {
      m_neighbours.push_back(target.data->m_anchor);
      if (target.data->isLoose()) {
        target.data->retain();
        m_keptLoose.push_back(target.data);
      }
    }
  }
  return {static_cast<std::int32_t>(target.index), m_lastNumber};
}

void CollectionData::setOne(const ObjectLayout::One& one, std::size_t object, ObjectPlace target) {
  const Reference to = reference(target);
  std::memcpy(row(object) + one.offset, &to, sizeof to);
}

void CollectionData::addToMany(const ObjectLayout::List& list, std::size_t object,
                               ObjectPlace target) {
  const Reference to = reference(target);
  std::memcpy(addElement(list, object), &to, sizeof to);
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
    copyRelations(object, copy);
  return copy;
}

void CollectionData::copyVectors(ObjectPlace from, std::uint32_t to) {
  for (std::uint32_t v = 0; v < type().vectors.size(); ++v) {
    const ObjectLayout::List& list = m_layout->vectorMember(v);
    const Slice slice = from.data->slice(list, from.index);
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

/// References to collections that are not there are left out.
void CollectionData::copyRelations(ObjectPlace from, std::uint32_t to) {
  for (std::uint32_t r = 0; r < type().relations.size(); ++r) {
    const Relation& relation = type().relations[r];
    if (!relation.many) {
      const ObjectLayout::One& one = m_layout->ones[r];
      setOne(one, to, from.data->follow(r, one.first, from.index));
      continue;
    }
    const ObjectLayout::List& list = m_layout->manyRelation(r);
    const Slice slice = from.data->slice(list, from.index);
    for (std::uint32_t i = slice.begin; i < slice.end; ++i)
      if (const ObjectPlace target = from.data->follow(r, list.first, i); target.data)
        addToMany(list, to, target);
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
  auto data = std::make_unique<CollectionData>(type);
  data->m_references = 1;
  data->create();
  return data.release();
}

void CollectionData::release(CollectionData* data) noexcept {
  if (data->m_references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete data;
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

CollectionData::FoundDecoration CollectionData::decoration(std::string_view name,
                                                           Scalar type) const {
  if (const DecorationValues* const own = m_decorations.find(name)) {
    if (own->type != type)
      fail(ErrorKind::type, "the decoration '", name, "' holds ", nameOf(own->type), ", not ",
           nameOf(type));
    return {{own->values.data(), sizeOf(type)}, own->values.size() / sizeOf(type), own->missing};
  }
  if (!m_reader)
    fail(ErrorKind::name, "there is no decoration '", name, "'",
         suggestion(name, m_decorations.names()));
  return {m_reader->decoration(*this, name, type), m_size, 0};
}

} // namespace kaon
