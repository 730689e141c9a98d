#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/detail/base/LoadAs.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/object/ObjectColumn.h>
#include <kaon/detail/object/ObjectLayout.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::detail {

/// The objects of a collection being built: a row for each, and pools with the elements of their
/// lists; see ObjectLayout. Keeps the collection's columns pointing to their present addresses.
/// Positions are not checked.
class ObjectRows {
public:
  /// Per collection; an index has 31 bits.
  static constexpr std::size_t mostObjects = std::numeric_limits<std::int32_t>::max();

  /// For a collection in a file: has no rows.
  ObjectRows() = default;
  /// `columns` must have the number and strides of the layout's columns, and no addresses yet.
  ObjectRows(const ObjectLayout& layout, ObjectColumn* columns, ObjectStructs& structs);
  /// Remembers the number of objects: the next collection reserves space for as many.
  ~ObjectRows();
  ObjectRows(const ObjectRows&) = delete;
  ObjectRows& operator=(const ObjectRows&) = delete;

  /// Adds a row with default values.
  void add() {
    if (m_rows.capacity() - m_rows.size() < m_rowSize) [[unlikely]]
      makeRoom();
    std::memcpy(m_rows.grow(m_rowSize), m_layout->newRow.data(), m_rowSize);
  }
  /// Adds a row with a struct of these members; its relations and lists are empty.
  template <class Struct, class... Members>
  void emplace(Members&&... members) {
    if (m_rows.capacity() - m_rows.size() < m_rowSize) [[unlikely]] {
      const Struct values(std::forward<Members>(members)...); // they may be in rows, which move
      makeRoom();
      return emplace<Struct>(values);
    }
    // Constructed in place: copying a struct right after writing its parts is slow.
    std::byte* const row = m_rows.data() + m_rows.size();
    ::new (static_cast<void*>(row)) Struct(std::forward<Members>(members)...);
    if (m_rowSize > sizeof(Struct))
      copyFew(row + sizeof(Struct), m_layout->newRow.data() + sizeof(Struct),
              m_rowSize - sizeof(Struct));
    (void)m_rows.grow(m_rowSize);
  }
  [[nodiscard]] std::byte* row(std::size_t object) noexcept {
    return m_rows.data() + object * m_rowSize;
  }
  [[nodiscard]] const std::byte* row(std::size_t object) const noexcept {
    return m_rows.data() + object * m_rowSize;
  }
  /// Throws Error(usage) for more objects than a collection can have.
  void reserve(std::size_t objects);
  /// Removes the objects from this one on.
  void truncate(std::size_t objects) noexcept { m_rows.shrink(objects * m_rowSize); }
  void clear() noexcept;
  /// As clear(), but also frees the memory; do not use the columns afterwards.
  void release() noexcept;
  /// Object i becomes the object now at order[i].
  void reorder(std::span<const std::uint32_t> order);

  /// Return the elements of a list of all objects, or of its inner lists at a level, by their
  /// position.
  [[nodiscard]] std::byte* elements(const ObjectLayout::List& list,
                                    std::uint32_t level = 0) noexcept {
    return m_pools[list.pool + level].bytes.data();
  }
  [[nodiscard]] const std::byte* elements(const ObjectLayout::List& list,
                                          std::uint32_t level = 0) const noexcept {
    return m_pools[list.pool + level].bytes.data();
  }
  /// Adds an element to an object's list and returns its address.
  std::byte* addElement(const ObjectLayout::List& list, std::size_t object) {
    return addElement(list, object, list.elementSize);
  }
  /// As above, for elements whose size the caller's compiler knows.
  std::byte* addElement(const ObjectLayout::List& list, std::size_t object, std::size_t size) {
    std::byte* const where = row(object) + list.sliceOffset;
    // Accessed word by word, because reading a whole right after writing a part of it is slow.
    // Accessed as numbers, so the compiler knows that they are not the pointers in its registers.
    auto* const words = detail::valuesAt<std::uint32_t>(where);
    constexpr std::size_t atBegin = offsetof(Slice, begin) / sizeof *words;
    constexpr std::size_t atEnd = offsetof(Slice, end) / sizeof *words;
    constexpr std::size_t atLimit = offsetof(ListRow, limit) / sizeof *words;
    Pool& pool = m_pools[list.pool];
    std::uint32_t end = words[atEnd];
    if (end == words[atLimit]) {
      // The last list of a pool grows in place: objects that are filled one after another have
      // contiguous elements.
      const bool isEmpty = end == words[atBegin];
      if ((isEmpty || end == pool.used) && pool.used < pool.room) [[likely]] {
        if (isEmpty)
          words[atBegin] = end = pool.used;
        words[atLimit] = ++pool.used;
      } else {
        enlargeList(list, where);
        end = loadAs<ListRow>(where).slice.end;
      }
    }
    words[atEnd] = end + 1;
    return pool.bytes.data() + std::size_t{end} * size;
  }
  /// Makes space for elements of a list, or of an inner list at a level, that belong to no list
  /// yet. Write them through elements().
  [[nodiscard]] Slice append(const ObjectLayout::List& list, std::uint32_t level,
                             std::size_t elements) {
    const std::uint32_t begin = growPool(list.pool + level, elements, list.sizeIn(level));
    return {begin, begin + static_cast<std::uint32_t>(elements)};
  }
  /// Sets an object's list to elements that append() returned.
  void setList(const ObjectLayout::List& list, std::size_t object, Slice elements) {
    const ListRow listRow{elements, elements.end};
    std::memcpy(row(object) + list.sliceOffset, &listRow, sizeof listRow);
  }
  /// Appends a text to the characters of a level, without a list. It may be part of this
  /// collection.
  [[nodiscard]] Slice appendText(const ObjectLayout::List& list, std::uint32_t level,
                                 std::string_view text);
  /// Sets a string member of an object. The text may be part of this collection.
  void setString(const ObjectLayout::List& list, std::size_t object, std::string_view text);
  /// Adds a string to an object's list of strings. The text may be part of this collection.
  void addString(const ObjectLayout::List& list, std::size_t object, std::string_view text);

private:
  void rememberSize() const noexcept;
  /// Copies few bytes inline, because a call would take as long.
  static void copyFew(std::byte* to, const std::byte* from, std::size_t size) noexcept {
    constexpr std::size_t part = 16;
    if (size < part || size > 2 * part) {
      std::memcpy(to, from, size);
      return;
    }
    std::memcpy(to, from, part);
    std::memcpy(to + size - part, from + size - part, part);
  }
  struct Pool {
    Buffer bytes;           // of all elements that fit
    std::uint32_t used = 0; // elements, including those of lists that moved
    std::uint32_t room = 0;
  };
  void makeRoom();
  void placeColumns(std::uint32_t pool) noexcept;
  std::uint32_t growPool(std::uint32_t number, std::size_t elements, std::size_t elementSize);
  void enlargeList(const ObjectLayout::List& list, std::byte* where);
  [[nodiscard]] Slice addText(std::uint32_t pool, std::string_view text, std::size_t room);

  const ObjectLayout* m_layout = nullptr;
  ObjectColumn* m_columns = nullptr;
  ObjectStructs* m_structs = nullptr;
  std::size_t m_rowSize = 0;
  Buffer m_rows;
  std::vector<Pool> m_pools;
};

} // namespace kaon::detail
