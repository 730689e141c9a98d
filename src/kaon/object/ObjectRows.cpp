#include <kaon/detail/object/ObjectRows.h>

#include <kaon/base/Error.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace kaon::detail {
namespace {

/// The most bytes that rows, or a pool, reserve in advance.
constexpr std::size_t mostBytesAtFirst = 256 * 1024;

} // namespace

ObjectRows::ObjectRows(const ObjectLayout& layout, ObjectColumn* columns, ObjectStructs& structs)
    : m_layout(&layout), m_columns(columns), m_structs(&structs), m_rowSize(layout.rowSize),
      m_pools(layout.pools) {
  structs.stride = m_rowSize;
  structs.state.store(ObjectStructs::State::known, std::memory_order_release);
}

ObjectRows::~ObjectRows() { rememberSize(); }

void ObjectRows::rememberSize() const noexcept {
  if (!m_rows.empty())
    m_layout->lastSize.store(static_cast<std::uint32_t>(m_rows.size() / m_rowSize),
                             std::memory_order_relaxed);
}

void ObjectRows::release() noexcept {
  rememberSize();
  m_rows = {};
  for (Pool& pool : m_pools)
    pool = {};
}

void ObjectRows::reserve(std::size_t objects) {
  if (objects > mostObjects)
    fail(ErrorKind::usage, "a collection must have at most ", mostObjects, " objects of ",
         m_layout->type->name, " in one event");
  // Buffer makes rows grow by halves.
  m_rows.reserve(objects * m_rowSize);
  placeColumns(ObjectLayout::rows);
}

/// Makes space for at least one more object. The first time, for as many as the last collection
/// had, because most events have similar numbers.
void ObjectRows::makeRoom() {
  if (m_rows.empty())
    reserve(std::clamp<std::size_t>(m_layout->lastSize.load(std::memory_order_relaxed), 16,
                                    std::max<std::size_t>(mostBytesAtFirst / m_rowSize, 16)));
  else
    reserve(m_rows.size() / m_rowSize + 1);
}

/// Points the columns of a pool, or of the rows, to their present addresses.
void ObjectRows::placeColumns(std::uint32_t pool) noexcept {
  const std::byte* const base =
      pool == ObjectLayout::rows ? m_rows.data() : m_pools[pool].bytes.data();
  if (pool == ObjectLayout::rows)
    m_structs->begin = base;
  ObjectColumn* column = m_columns;
  for (const ObjectLayout::Column& each : m_layout->columns) {
    if (each.pool == pool)
      column->base.store(base + each.offset, std::memory_order_release);
    ++column;
  }
}

void ObjectRows::clear() noexcept {
  m_rows.clear();
  for (Pool& pool : m_pools) {
    pool.used = 0;
  }
}

void ObjectRows::reorder(std::span<const std::uint32_t> order) {
  Buffer rows;
  rows.reserve(std::max<std::size_t>(order.size(), 16) * m_rowSize);
  for (const std::uint32_t from : order)
    std::memcpy(rows.grow(m_rowSize), row(from), m_rowSize);
  m_rows = std::move(rows);
  placeColumns(ObjectLayout::rows);
}

/// Makes space for elements at the end of a pool; returns the position of the first one.
std::uint32_t ObjectRows::growPool(std::uint32_t number, std::size_t elements,
                                   std::size_t elementSize) {
  Pool& pool = m_pools[number];
  if (elements > std::numeric_limits<std::uint32_t>::max() - pool.used)
    fail(ErrorKind::usage, "a collection of ", m_layout->type->name, " has too many list elements");
  const std::size_t needed = pool.used + elements;
  if (needed > pool.room) {
    // At first, space for about as many elements as objects, because each mostly has about one.
    const std::size_t atFirst =
        std::min(m_rows.capacity() / m_rowSize * elementSize, mostBytesAtFirst);
    pool.bytes.reserve(std::max(needed * elementSize, pool.bytes.empty() ? atFirst : 0));
    pool.bytes.grow(pool.bytes.capacity() - pool.bytes.size());
    pool.room = static_cast<std::uint32_t>(std::min<std::size_t>(
        pool.bytes.size() / elementSize, std::numeric_limits<std::uint32_t>::max()));
    placeColumns(number);
  }
  return std::exchange(pool.used, static_cast<std::uint32_t>(needed));
}

/// Makes space for at least one more element of a list: in place if the list is at the end of its
/// pool, otherwise elsewhere.
void ObjectRows::enlargeList(const ObjectLayout::List& list, std::byte* where) {
  Pool& pool = m_pools[list.pool];
  auto listRow = loadAs<ListRow>(where);
  const std::uint32_t count = listRow.slice.end - listRow.slice.begin;
  const bool inPlace = count > 0 && listRow.slice.end == pool.used;
  const std::uint32_t more = inPlace ? 1 : std::max<std::uint32_t>(2 * count, 1);
  const std::uint32_t size = list.elementSize;
  const std::uint32_t begin = growPool(list.pool, more, size);
  if (!inPlace) {
    if (count > 0)
      std::memcpy(pool.bytes.data() + std::size_t{begin} * size,
                  pool.bytes.data() + std::size_t{listRow.slice.begin} * size,
                  std::size_t{count} * size);
    listRow.slice = {begin, begin + count};
  }
  listRow.limit = pool.used;
  std::memcpy(where, &listRow, sizeof listRow);
}

/// Appends a text to a pool of characters, with space for at least `room` of them.
Slice ObjectRows::addText(std::uint32_t pool, std::string_view text, std::size_t room) {
  const Buffer& characters = m_pools[pool].bytes;
  const auto* const from = detail::bytesAt(text.data());
  // A text in the pool moves with it.
  const bool isOwn = std::greater_equal<>()(from, characters.data()) &&
                     std::less<>()(from, characters.data() + m_pools[pool].used);
  const std::size_t offset = isOwn ? static_cast<std::size_t>(from - characters.data()) : 0;
  const std::uint32_t begin = growPool(pool, std::max(room, text.size()), 1);
  if (!text.empty())
    std::memcpy(m_pools[pool].bytes.data() + begin, isOwn ? characters.data() + offset : from,
                text.size());
  return {begin, begin + static_cast<std::uint32_t>(text.size())};
}

void ObjectRows::setString(const ObjectLayout::List& list, std::size_t object,
                           std::string_view text) {
  std::byte* const where = row(object) + list.sliceOffset;
  auto listRow = loadAs<ListRow>(where);
  const std::size_t room = listRow.limit - listRow.slice.begin;
  if (text.size() > room) {
    // Twice as much as before, so that unused space stays proportional to used space.
    listRow.slice = addText(list.pool, text, 2 * room);
    listRow.limit = m_pools[list.pool].used;
  } else {
    if (!text.empty())
      std::memmove(m_pools[list.pool].bytes.data() + listRow.slice.begin, text.data(), text.size());
    listRow.slice.end = listRow.slice.begin + static_cast<std::uint32_t>(text.size());
  }
  std::memcpy(where, &listRow, sizeof listRow);
}

Slice ObjectRows::appendText(const ObjectLayout::List& list, std::uint32_t level,
                             std::string_view text) {
  return addText(list.pool + level, text, 0);
}

void ObjectRows::addString(const ObjectLayout::List& list, std::size_t object,
                           std::string_view text) {
  const Slice characters = appendText(list, 1, text);
  std::memcpy(addElement(list, object), &characters, sizeof characters);
}

} // namespace kaon::detail
