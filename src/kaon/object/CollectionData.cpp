#include <kaon/detail/object/CollectionData.h>

#include <kaon/base/Error.h>
#include <kaon/base/Spares.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Wording.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <utility>

namespace kaon::detail {

CollectionData::CollectionData(const ObjectLayout& layout)
    : m_layout(&layout), m_columns(constructColumns()), m_rows(layout, m_columns, m_structs) {}

CollectionData::CollectionData(const ObjectLayout& layout, ColumnLoader& loader, TableNumber table,
                               std::uint32_t tables)
    : m_layout(&layout), m_columns(constructColumns()), m_id(table),
      m_stored(type(), loader, table, tables) {}

/// Constructs columns like those of objects being built, without addresses.
ObjectColumn* CollectionData::constructColumns() noexcept {
  const std::span<const ObjectLayout::Column> layout = m_layout->columns;
  std::uninitialized_value_construct_n(arrays(), layout.size());
  auto* const columns = detail::valuesAt<ObjectColumn>(arrays() + layout.size());
  for (std::size_t i = 0; i < layout.size(); ++i)
    ::new (columns + i) ObjectColumn{nullptr, layout[i].stride, ObjectLayout::allTogether};
  return columns;
}

namespace {

/// Built collections for reuse. Making one costs as much as filling it with several objects, and
/// most events have the same collections.
using SpareCollections = Spares<CollectionData, 16>;

} // namespace

std::unique_ptr<CollectionData> CollectionData::make(const Datatype& type) {
  const ObjectLayout& layout = layoutOf(type);
  SpareCollections* const spares = SpareCollections::ofThread();
  CollectionData* const spare =
      spares ? spares->take([&](const CollectionData& data) { return data.m_layout == &layout; })
             : nullptr;
  return std::unique_ptr<CollectionData>(spare ? spare : new (layout) CollectionData(layout));
}

void CollectionData::operator delete(CollectionData* data, std::destroying_delete_t) noexcept {
  SpareCollections* const spares = SpareCollections::ofThread();
  // renew() may first add its loose objects to the spares and fill them.
  if (spares && spares->hasRoom() && data->isBuilt() && data->renew() && spares->keep(data))
    return;
  data->~CollectionData();
  ::operator delete(data);
}

/// Resets a built collection to a new one. Returns false if memory is short.
bool CollectionData::renew() noexcept {
  m_rows.release(); // notes the number of objects
  clear();
  if (m_structs.begin) // there was an object
    for (ObjectColumn& column : std::span(m_columns, m_layout->columns.size()))
      column.base.store(nullptr, std::memory_order_relaxed);
  m_structs.begin = nullptr;
  m_id = untracked;
  m_owners = 0;
  m_decorations.clear();
  m_forwarding.reset();
  m_forwarders.clear();
  if (m_anchor.use_count() > 1) { // others refer to it
    m_anchor->store(nullptr, std::memory_order_release);
    try {
      m_anchor = std::make_shared<Anchor>(this);
    } catch (const std::bad_alloc&) {
      return false;
    }
  }
  return true;
}

std::unique_ptr<CollectionData> CollectionData::make(const Datatype& type, ColumnLoader& loader,
                                                     TableNumber table, std::uint32_t tables) {
  const ObjectLayout& layout = layoutOf(type);
  return std::unique_ptr<CollectionData>(new (layout)
                                             CollectionData(layout, loader, table, tables));
}

CollectionData::~CollectionData() { m_anchor->store(nullptr, std::memory_order_release); }

/// The collection in which members of "no object" are looked up: any number of columns, lists and
/// references, all empty.
struct NoObjects {
  NoObjects() { ::new (noObjects()) CollectionData(layout()); }
  static const ObjectLayout& layout() {
    static Datatype type;
    type.name = "no object";
    static ObjectLayout layout;
    layout.type = &type;
    layout.lists.resize(ObjectLayout::mostLists);
    layout.ones.resize(ObjectLayout::mostLists);
    layout.manyLists = detail::addressOf(layout.lists.data());
    return layout;
  }
};

alignas(CollectionData) std::byte
    bytesOfNoObjects[sizeof(CollectionData) +
                     ObjectLayout::mostColumns * (sizeof(ObjectArray) + sizeof(ObjectColumn))];

namespace {
const NoObjects theNoObjects;
}

static void failIfNone(const CollectionData& data) {
  if (&data == noObjects())
    fail(ErrorKind::usage, "there is no object: the handle is empty, or the relation that it comes "
                           "from is unset; isAvailable() tells");
}

void CollectionData::failToWrite() const {
  failIfNone(*this);
  fail(ErrorKind::usage, withArticle(type().name),
       " that lies in a file cannot be changed: clone() it, or take() its collection");
}

std::byte* CollectionData::copiedRow(std::size_t row) {
  failIfNone(*this);
  if (isBuilt())
    fail(ErrorKind::usage, "the collection of ", type().name, " has no objects");
  static std::mutex mutex; // several threads may read a frame
  const std::lock_guard lock(mutex);
  if (!m_copies)
    m_copies = std::make_unique<CopiedRows>(type());
  if (std::byte* const known = m_copies->find(row))
    return known;
  auto values = std::make_unique<std::byte[]>(type().rowSize);
  for (std::uint32_t i = 0; i < type().leaves.size(); ++i) {
    const Leaf& leaf = type().leaves[i];
    std::memcpy(values.get() + leaf.offset, at(i, row), sizeOf(leaf.type) * leaf.extent);
  }
  return m_copies->add(row, std::move(values));
}

const std::byte* CollectionData::load(ColumnNumber column) const {
  failIfNone(*this);
  if (isBuilt())
    fail(ErrorKind::usage, "the collection of ", type().name, " has no objects");
  m_stored.loader()->load(*this, column);
  return whereIs(column);
}

ObjectLocator CollectionData::findTarget(std::uint32_t relation, Reference reference) const {
  const auto index = static_cast<std::uint32_t>(reference.index);
  if (isBuilt()) {
    CollectionData* const data = neighbour(reference.neighbour);
    return data ? data->current(index) : ObjectLocator{};
  }
  CollectionData* const data = m_stored.neighbour(relation, reference.neighbour);
  if (!data)
    return {};
  if (index >= data->size()) [[unlikely]] {
    if (data->m_forwarding.isSet())
      return data->forwarded(index);
    m_stored.loader()->checkAbsent(*data, index);
    return {};
  }
  return {data, data->rowOf(index)};
}

/// Loads the first column, because its loader finds out whether the objects are structs.
bool CollectionData::findStructs() const {
  if (m_size == 0)
    return false;
  (void)at(0, m_firstRow);
  return m_structs.state.load(std::memory_order_acquire) == ObjectStructs::State::known;
}

void CollectionData::forgetExtras() noexcept {
  m_copies.reset();
  m_decorations.clear();
}

void CollectionData::forgetColumns() noexcept {
  m_copies.reset();
  for (std::size_t i = 0; i < m_layout->columns.size(); ++i) {
    arrays()[i].store(nullptr, std::memory_order_relaxed);
    m_columns[i].base.store(nullptr, std::memory_order_relaxed);
  }
}

void CollectionData::clear() noexcept {
  m_size = 0;
  m_rows.clear();
  m_neighbours.clear();
  m_looseNeighbours.clear();
}

void CollectionData::resize(std::size_t objects) {
  reserve(objects);
  m_size = std::min(m_size, objects);
  m_rows.truncate(m_size);
  while (m_size < objects)
    create();
}

/// Makes the target's collection the last neighbour.
void CollectionData::referTo(CollectionData& target) {
  if (m_neighbours.refer(target.m_anchor) && target.isLoose()) {
    target.retain();
    m_looseNeighbours.emplace_back(&target);
  }
}

DecorationColumn CollectionData::decoration(std::string_view name, Scalar type) const {
  if (const DecorationValues* const own = m_decorations.find(name)) {
    if (own->type != type)
      fail(ErrorKind::type, "the decoration '", name, "' holds ", nameOf(own->type), ", not ",
           nameOf(type));
    return {{own->values.data(), sizeOf(type)}, own->values.size() / sizeOf(type), own->missing};
  }
  if (isBuilt())
    fail(ErrorKind::name, "there is no decoration '", name, "'",
         suggestion(name, m_decorations.names()));
  return {m_stored.loader()->decoration(*this, name, type), m_size, 0};
}

std::vector<DecorationInfo> CollectionData::allDecorations() const {
  std::vector<DecorationInfo> all;
  for (const std::string& name : m_decorations.names()) {
    const DecorationValues& values = *m_decorations.find(name);
    all.push_back({name, values.type, values.missing});
  }
  if (!isBuilt())
    for (DecorationInfo& stored : m_stored.loader()->decorations(*this))
      if (!m_decorations.find(stored.name))
        all.push_back(std::move(stored));
  return all;
}

CollectionData* CollectionData::makeLoose(const Datatype& type) {
  auto data = make(type);
  data->m_owners = 1;
  data->reserve(1);
  data->create();
  return data.release();
}

void CollectionData::release(CollectionData* data) noexcept {
  if (data->m_owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    data->clear(); // else its size would be remembered as that of the type's collections
    delete data;
  }
}

ObjectLocator CollectionData::forwarded(std::uint32_t index) noexcept {
  ObjectLocator place{this, rowOf(index)};
  while (place && place.data->m_forwarding.isSet())
    place = place.data->m_forwarding.find(place.index());
  return place;
}

CollectionData* CollectionData::holder() noexcept {
  CollectionData* data = this;
  while (data && data->m_forwarding.isSet())
    data = data->m_forwarding.target();
  return data;
}

void CollectionData::forwardTo(ObjectLocator place) {
  clear();
  m_forwarding.set(place.data->m_anchor, {place.index()});
}

void CollectionData::forwardAll(CollectionData& to, std::vector<std::uint32_t> indices) {
  m_size = 0;
  m_forwarding.set(to.m_anchor, std::move(indices));
}

} // namespace kaon::detail
