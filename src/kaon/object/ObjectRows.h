#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Bytes.h>
#include <kaon/object/ObjectColumn.h>
#include <kaon/object/ObjectLayout.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon {

/// The objects of a collection that is being built: a row each, and pools with the elements of
/// their lists; see ObjectLayout. It keeps the collection's columns pointing to where these are.
/// Positions are not checked.
class ObjectRows {
public:
  /// In one collection; an index has 31 bits.
  static constexpr std::size_t mostObjects = std::numeric_limits<std::int32_t>::max();

  /// For a collection that is not built: there are no rows.
  ObjectRows() = default;
  /// `columns` are as many as the layout has, with its strides, and are nowhere yet.
  ObjectRows(const ObjectLayout& layout, ObjectColumn* columns, ObjectStructs& structs);
  /// Remembers how many there were: the next collection makes room for as many.
  ~ObjectRows();
  ObjectRows(const ObjectRows&) = delete;
  ObjectRows& operator=(const ObjectRows&) = delete;

  /// Adds a row with default values.
  void add() {
    if (m_rows.capacity() - m_rows.size() < m_rowSize) [[unlikely]]
      makeRoom();
    std::memcpy(m_rows.grow(m_rowSize), m_layout->newRow.data(), m_rowSize);
  }
  /// Adds one with a struct of these members, whose relations and lists are empty.
  template <class Struct, class... Members>
  void emplace(Members&&... members) {
    if (m_rows.capacity() - m_rows.size() < m_rowSize) [[unlikely]] {
      const Struct values(std::forward<Members>(members)...); // they may lie in rows, which move
      makeRoom();
      return emplace<Struct>(values);
    }
    // Made where it lies: a struct that was just written cannot be copied as a whole soon.
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
  /// The same, and gives back the memory; the columns must not be asked for any more.
  void release() noexcept;
  /// Object i becomes the one that is at order[i] now.
  void reorder(std::span<const std::uint32_t> order);

  /// The elements of a list of all objects, or of the lists of a level inside it, by their
  /// position.
  [[nodiscard]] std::byte* elements(const ObjectLayout::List& list,
                                    std::uint32_t level = 0) noexcept {
    return m_pools[list.pool + level].bytes.data();
  }
  [[nodiscard]] const std::byte* elements(const ObjectLayout::List& list,
                                          std::uint32_t level = 0) const noexcept {
    return m_pools[list.pool + level].bytes.data();
  }
  /// Adds an element to a list of an object and returns where it lies.
  std::byte* addElement(const ObjectLayout::List& list, std::size_t object) {
    return addElement(list, object, list.elementSize);
  }
  /// The same of elements whose size the caller's compiler knows.
  std::byte* addElement(const ObjectLayout::List& list, std::size_t object, std::size_t size) {
    std::byte* const where = row(object) + list.sliceOffset;
    // Word by word: a part that was just written cannot be read as part of a whole soon. And as
    // numbers, which the compiler knows not to be the pointers that it has in registers.
    auto* const words = reinterpret_cast<std::uint32_t*>(where);
    constexpr std::size_t atBegin = offsetof(Slice, begin) / sizeof *words;
    constexpr std::size_t atEnd = offsetof(Slice, end) / sizeof *words;
    constexpr std::size_t atLimit = offsetof(ListRow, limit) / sizeof *words;
    Pool& pool = m_pools[list.pool];
    std::uint32_t end = words[atEnd];
    if (end == words[atLimit]) {
      // The last list of a pool grows where it lies: objects that are filled one after another
      // have their elements one after another.
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
  /// Makes room for elements of a list, or of one of a level inside it, that belong to none yet:
  /// where they are to be written is told by elements().
  [[nodiscard]] Slice append(const ObjectLayout::List& list, std::uint32_t level,
                             std::size_t elements) {
    const std::uint32_t begin = growPool(list.pool + level, elements, list.sizeIn(level));
    return {begin, begin + static_cast<std::uint32_t>(elements)};
  }
  /// Gives an object such elements as its list, in place of those that it has.
  void setList(const ObjectLayout::List& list, std::size_t object, Slice elements) {
    const ListRow listRow{elements, elements.end};
    std::memcpy(row(object) + list.sliceOffset, &listRow, sizeof listRow);
  }
  /// Appends a text, likewise, to the characters of a level. It may be one of this collection's.
  [[nodiscard]] Slice appendText(const ObjectLayout::List& list, std::uint32_t level,
                                 std::string_view text);
  /// Sets a string member of an object. The text may be one of this collection's.
  void setString(const ObjectLayout::List& list, std::size_t object, std::string_view text);
  /// Adds a string to a list of them of an object; likewise.
  void addString(const ObjectLayout::List& list, std::size_t object, std::string_view text);

private:
  void rememberSize() const noexcept;
  /// So few bytes that a call would take as long.
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
    Buffer bytes;           // of all elements that there is room for
    std::uint32_t used = 0; // elements, those of lists that moved away among them
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

} // namespace kaon
