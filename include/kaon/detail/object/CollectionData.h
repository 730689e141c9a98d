#pragma once

#include <kaon/detail/base/LoadAs.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/object/CopiedRows.h>
#include <kaon/detail/object/Forwarding.h>
#include <kaon/detail/object/Neighbours.h>
#include <kaon/detail/object/ObjectColumn.h>
#include <kaon/detail/object/ObjectLayout.h>
#include <kaon/detail/object/ObjectLocator.h>
#include <kaon/detail/object/ObjectRows.h>
#include <kaon/detail/object/StoredTable.h>
#include <kaon/object/Decoration.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::detail {

/// The objects of one collection in one event, as numbered columns (see ObjectLayout). They are
/// built in memory, or are in pages that are decoded at the first access. Handles and typed
/// collections are views of it; its address does not change.
///
/// One thread may build it. Any number of threads may read it, also while columns are decoded.
class CollectionData {
public:
  /// Makes a collection to be built.
  [[nodiscard]] static std::unique_ptr<CollectionData> make(const Datatype& type);
  /// Makes a collection whose columns a loader decodes, from table number `table` among `tables`
  /// tables.
  [[nodiscard]] static std::unique_ptr<CollectionData>
  make(const Datatype& type, ColumnLoader& loader, TableNumber table, std::uint32_t tables);
  ~CollectionData();
  /// Each thread keeps some built collections for reuse by the same datatype.
  static void operator delete(CollectionData* data, std::destroying_delete_t) noexcept;
  CollectionData(const CollectionData&) = delete;
  CollectionData& operator=(const CollectionData&) = delete;

  [[nodiscard]] const Datatype& type() const noexcept { return *m_layout->type; }
  [[nodiscard]] const ObjectLayout& layout() const noexcept { return *m_layout; }
  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] bool isBuilt() const noexcept { return !loader(); }
  /// The number of the collection in its frame; `untracked` outside a frame.
  static constexpr std::uint32_t untracked = ~std::uint32_t{0};
  [[nodiscard]] std::uint32_t id() const noexcept { return m_id; }
  void setId(std::uint32_t id) noexcept { m_id = id; }

  // Reading.

  /// Returns the row of an object in its pages, which also hold objects of other entries; for a
  /// built collection, its index. Handles refer to objects by row, so columns keep their addresses
  /// when a loop moves to the next entry.
  [[nodiscard]] std::uint32_t rowOf(std::size_t object) const noexcept {
    return m_firstRow + static_cast<std::uint32_t>(object);
  }
  /// Returns the value of a column in a row: of an object, or of an element of its lists.
  [[nodiscard]] const std::byte* at(ColumnNumber column, std::size_t row) const {
    if (const std::byte* const values = array(column))
      return values + row * m_columns[column].stride;
    return elsewhere(column, row);
  }
  /// Returns a column as an array, where row i is its element i. Returns null if its values are not
  /// contiguous or not decoded.
  [[nodiscard]] const std::byte* array(ColumnNumber column) const noexcept {
    return arrays()[column].load(std::memory_order_acquire);
  }
  /// As at(), for a column that is not an array or not decoded.
  [[nodiscard]] const std::byte* elsewhere(ColumnNumber column, std::size_t row) const {
    const ObjectColumn& values = m_columns[column];
    const std::byte* base = values.base.load(std::memory_order_acquire);
    if (!base) [[unlikely]]
      base = load(column);
    return base + row * values.stride;
  }
  /// As at(), for a column whose values are `step` bytes apart if they are an array.
  template <std::size_t step>
  [[nodiscard]] const std::byte* at(ColumnNumber column, std::size_t row) const {
    if (const std::byte* const values = array(column)) [[likely]]
      return values + row * step;
    return elsewhere(column, row);
  }
  template <class T>
  [[nodiscard]] T value(ColumnNumber column, std::size_t row) const {
    constexpr std::size_t step = std::is_same_v<T, Slice> ? sizeof(Slice::begin) : sizeof(T);
    if (const std::byte* const values = array(column)) [[likely]]
      return loadAs<T>(values + row * step);
    return loadAs<T>(elsewhere(column, row));
  }
  /// Whether `leaves` leaves from this column on have the same relative positions as in the user's
  /// struct. Valid after at() was called for the first of them.
  [[nodiscard]] bool areTogether(ColumnNumber column, std::size_t leaves) const noexcept {
    return m_columns[column].together >= leaves;
  }
  /// Whether its objects are structs; see ObjectStructs. Decodes a column if that is needed to find
  /// out.
  [[nodiscard]] bool areStructs() const {
    const ObjectStructs::State state = m_structs.state.load(std::memory_order_acquire);
    return state != ObjectStructs::State::none &&
           (state == ObjectStructs::State::known || findStructs());
  }
  /// Returns the struct of a row. Only if areStructs().
  [[nodiscard]] const std::byte* structAt(std::size_t row) const noexcept {
    return m_structs.begin + row * m_structs.stride;
  }
  [[nodiscard]] Slice slice(const ObjectLayout::List& list, std::size_t row) const {
    return value<Slice>(list.slices, row);
  }
  /// Returns the slice of an inner list at a level above 0, by its position among all lists of that
  /// level.
  [[nodiscard]] Slice innerSlice(const ObjectLayout::List& list, std::uint32_t level,
                                 std::size_t position) const {
    return value<Slice>(list.first + level - 1, position);
  }
  /// Returns characters from their column: a view, valid as long as the object, and until a string
  /// of this member is set or added.
  [[nodiscard]] std::string_view text(std::uint32_t characters, Slice slice) const {
    if (slice.begin == slice.end)
      return {};
    return {detail::valuesAt<char>(at(characters, slice.begin)), slice.end - slice.begin};
  }
  /// Returns an element of a list of strings, whose first column is `first`.
  [[nodiscard]] std::string_view string(std::uint32_t first, std::size_t element) const {
    return text(first + 1, value<Slice>(first, element));
  }
  /// Returns the target of a reference of the relation with this number in the datatype. The
  /// reference is in this row of the columns `first` and `first` + 1. Returns no object if the
  /// reference is unset or the target's collection is missing.
  [[nodiscard]] ObjectLocator follow(std::uint32_t relation, std::uint32_t first,
                                     std::size_t row) const {
    const Reference reference{value<std::int32_t>(first, row),
                              value<std::uint32_t>(first + 1, row)};
    return reference.index < 0 ? ObjectLocator{} : findTarget(relation, reference);
  }
  /// Returns a column of the objects, beginning with the first. Throws Error(usage) if the
  /// collection never had an object.
  [[nodiscard]] ColumnView column(std::uint32_t number) const {
    const std::byte* const base = at(number, m_firstRow);
    return {base, m_columns[number].stride};
  }

  // Building. Only for collections made to be built. Positions are not checked.

  /// Adds an object with default values and returns its index.
  std::uint32_t create() {
    m_rows.add();
    return static_cast<std::uint32_t>(m_size++);
  }
  /// Adds an object with the datatype's struct, made of these members.
  template <class Struct, class... Members>
  std::uint32_t emplace(Members&&... members) {
    m_rows.emplace<Struct>(std::forward<Members>(members)...);
    return static_cast<std::uint32_t>(m_size++);
  }
  /// Throws Error(usage) if no row can be changed: the objects are in a file, or this is no object.
  void checkWritable() const {
    if (!m_rows.row(0)) [[unlikely]]
      failToWrite();
  }
  /// Returns the row of an object to change. Throws the errors of checkWritable().
  [[nodiscard]] std::byte* writableRow(std::size_t object) {
    checkWritable();
    return m_rows.row(object);
  }
  /// As writableRow(), but for an object of a file returns a copy of its struct, so mutable handles
  /// can read it by reference. The copy lives as long as the collection is at its entry; if the
  /// program changed it, a warning says then that the change is lost.
  [[nodiscard]] std::byte* rowToChange(std::size_t object) {
    if (!m_rows.row(0)) [[unlikely]]
      return copiedRow(object);
    return m_rows.row(object);
  }
  [[nodiscard]] std::byte* row(std::size_t object) noexcept { return m_rows.row(object); }
  [[nodiscard]] const std::byte* row(std::size_t object) const noexcept {
    return m_rows.row(object);
  }
  /// Returns an element of a list or of its inner lists at a level, by its position among all those
  /// of the collection.
  [[nodiscard]] const std::byte* element(const ObjectLayout::List& list, std::size_t position,
                                         std::uint32_t level = 0) const noexcept {
    return m_rows.elements(list, level) + position * list.sizeIn(level);
  }
  [[nodiscard]] std::byte* element(const ObjectLayout::List& list, std::size_t position,
                                   std::uint32_t level = 0) noexcept {
    return m_rows.elements(list, level) + position * list.sizeIn(level);
  }
  void reserve(std::size_t objects) { m_rows.reserve(objects); }
  void clear() noexcept;
  /// Removes the last objects, or adds objects with default values.
  void resize(std::size_t objects);
  /// Adds an element to an object's list and returns its address.
  std::byte* addElement(const ObjectLayout::List& list, std::size_t object) {
    checkWritable();
    return m_rows.addElement(list, object);
  }
  /// Append elements that belong to no list yet, for setList(): see ObjectRows.
  [[nodiscard]] Slice append(const ObjectLayout::List& list, std::uint32_t level,
                             std::size_t elements) {
    return m_rows.append(list, level, elements);
  }
  [[nodiscard]] Slice appendText(const ObjectLayout::List& list, std::uint32_t level,
                                 std::string_view text) {
    return m_rows.appendText(list, level, text);
  }
  void setList(const ObjectLayout::List& list, std::size_t object, Slice elements) {
    m_rows.setList(list, object, elements);
  }
  /// Sets a string member of an object. The text may be part of this collection.
  void setString(const ObjectLayout::List& list, std::size_t object, std::string_view text) {
    checkWritable();
    m_rows.setString(list, object, text);
  }
  /// Adds a string to an object's list of strings. The text may be part of this collection.
  void addString(const ObjectLayout::List& list, std::size_t object, std::string_view text) {
    checkWritable();
    m_rows.addString(list, object, text);
  }
  void setOne(const ObjectLayout::One& one, std::size_t object, ObjectLocator target) {
    std::byte* const where = writableRow(object) + one.offset;
    const Reference to = reference(target);
    std::memcpy(where, &to, sizeof to);
  }
  void addToMany(const ObjectLayout::List& list, std::size_t object, ObjectLocator target) {
    checkWritable();
    const Reference to = reference(target);
    std::memcpy(m_rows.addElement(list, object, sizeof to), &to, sizeof to);
  }
  /// Returns the number of collections and loose objects that references point to.
  [[nodiscard]] std::size_t neighbours() const noexcept { return m_neighbours.size(); }
  /// Returns one of them; null if it no longer exists.
  [[nodiscard]] CollectionData* neighbour(std::size_t number) const noexcept {
    return m_neighbours[number];
  }

  // Decorations.

  /// Returns a decoration to fill. Throws Error(usage) if the objects have something of this name.
  [[nodiscard]] DecorationValues& decorate(std::string_view name, Scalar type,
                                           std::uint64_t missing) {
    return m_decorations.add(this->type(), name, type, missing);
  }
  /// Returns the values of a decoration; the program's take precedence over those of the file.
  /// Throws Error(name) if it is missing, Error(type) if it is of another type.
  [[nodiscard]] DecorationColumn decoration(std::string_view name, Scalar type) const;
  /// Returns all decorations, with the values that objects have by default.
  [[nodiscard]] std::vector<DecorationInfo> allDecorations() const;
  /// Returns the decorations that the program added.
  [[nodiscard]] const Decorations& decorations() const noexcept { return m_decorations; }

  // A loose object belongs to no collection and has a CollectionData of its own, which handles and
  // relations share. When the object is pushed into a collection, they are forwarded to it.

  [[nodiscard]] static CollectionData* makeLoose(const Datatype& type);
  [[nodiscard]] bool isLoose() const noexcept { return m_owners.load() > 0; }
  void retain() noexcept { m_owners.fetch_add(1, std::memory_order_relaxed); }
  static void release(CollectionData* data) noexcept;

  // Objects that moved to another collection.

  /// Returns the present place of the object at `index`; no object if it was removed, or its new
  /// collection no longer exists.
  [[nodiscard]] ObjectLocator current(std::uint32_t index) noexcept {
    if (!m_forwarding.isSet()) [[likely]]
      return {this, rowOf(index)};
    return forwarded(index);
  }
  /// Returns the collection that has its objects now; null if that no longer exists.
  [[nodiscard]] CollectionData* holder() noexcept;
  /// Call it after the loose object was copied to `place`: references to it then lead there.
  void forwardTo(ObjectLocator place);
  /// Call it after a file's objects were copied: references to object i then lead to object
  /// indices[i] of `to`.
  void forwardAll(CollectionData& to, std::vector<std::uint32_t> indices);
  /// Ends forwarding, because the collection moves to another entry.
  void stopForwarding() noexcept { m_forwarding.reset(); }

  // For the loader of its columns.

  /// Returns null for a built collection.
  [[nodiscard]] const ColumnLoader* loader() const noexcept { return m_stored.loader(); }
  [[nodiscard]] std::uint32_t table() const noexcept { return m_stored.number(); }
  /// Whether the current entry has the collection, as far as known: false after reading its
  /// presence failed.
  [[nodiscard]] bool isPresent() const noexcept {
    return m_isPresent.load(std::memory_order_acquire);
  }
  void setEntry(bool isPresent, std::uint32_t firstRow, std::size_t size) noexcept {
    m_firstRow = firstRow;
    m_size = size;
    m_isPresent.store(isPresent, std::memory_order_release);
  }
  /// Whether there are data of the current entry that are not in the file's columns: decorations,
  /// or copies that mutable handles made. After setEntry(), they are those of the entry before.
  [[nodiscard]] bool hasExtras() const noexcept { return m_copies || !m_decorations.isEmpty(); }
  void forgetExtras() noexcept;
  /// Marks all columns as not decoded.
  void forgetColumns() noexcept;
  [[nodiscard]] bool isLoaded(ColumnNumber column) const noexcept {
    return whereIs(column) != nullptr;
  }
  void setStructs(ObjectStructs::State state) const noexcept {
    m_structs.state.store(state, std::memory_order_release);
  }
  /// Sets the position of row 0's struct. Call it before setStructs() sets `known`.
  void placeStructs(ColumnView structs) const noexcept {
    m_structs.begin = structs.base;
    m_structs.stride = structs.stride;
  }
  /// Sets the values of a column from row 0 on. For `together` see ObjectColumn.
  void setColumn(std::uint32_t number, ColumnView values, std::uint32_t together) const noexcept {
    ObjectColumn& column = m_columns[number];
    column.stride = static_cast<std::uint32_t>(values.stride);
    column.together = together;
    const bool isArray = values.stride == m_layout->columns[number].step;
    (isArray ? arrays()[number] : column.base).store(values.base, std::memory_order_release);
  }

private:
  friend class ObjectMover;
  friend struct NoObjects;
  struct LooseRelease {
    void operator()(CollectionData* data) const noexcept { release(data); }
  };
  // The arrays follow this object in memory, so the compiler knows the positions of those that a
  // handle reads. The columns follow the arrays.
  static constexpr std::size_t columnSize = sizeof(ObjectArray) + sizeof(ObjectColumn);
  [[nodiscard]] static void* operator new(std::size_t size, const ObjectLayout& layout) {
    return ::operator new(size + layout.columns.size() * columnSize);
  }
  static void operator delete(void* memory, const ObjectLayout&) { ::operator delete(memory); }
  explicit CollectionData(const ObjectLayout& layout);
  CollectionData(const ObjectLayout& layout, ColumnLoader& loader, TableNumber table,
                 std::uint32_t tables);
  [[nodiscard]] bool renew() noexcept;
  [[noreturn]] void failToWrite() const;
  [[nodiscard, gnu::cold]] std::byte* copiedRow(std::size_t row);
  /// Part of the cache that reading fills, hence mutable.
  [[nodiscard]] ObjectArray* arrays() const noexcept {
    return detail::valuesAt<ObjectArray>(const_cast<CollectionData*>(this) + 1);
  }
  [[nodiscard]] ObjectColumn* constructColumns() noexcept;
  [[nodiscard]] const std::byte* whereIs(ColumnNumber column) const noexcept {
    const std::byte* const base = m_columns[column].base.load(std::memory_order_acquire);
    return base ? base : array(column);
  }
  /// Called once per page: marked cold so that loops keep values in registers around it.
  [[nodiscard, gnu::cold]] const std::byte* load(ColumnNumber column) const;
  [[nodiscard, gnu::cold]] bool findStructs() const;
  [[nodiscard]] ObjectLocator findTarget(std::uint32_t relation, Reference reference) const;
  [[nodiscard]] Reference reference(ObjectLocator target) {
    if (!m_neighbours.isLast(target.data->m_anchor)) [[unlikely]] {
      if (!target)
        return {};
      referTo(*target.data);
    }
    return {static_cast<std::int32_t>(target.index()), m_neighbours.lastNumber()};
  }
  void referTo(CollectionData& target);
  [[nodiscard]] ObjectLocator forwarded(std::uint32_t index) noexcept;

  const ObjectLayout* m_layout;
  ObjectColumn* m_columns;
  mutable ObjectStructs m_structs; // part of the cache that reading fills
  std::size_t m_size = 0;
  std::uint32_t m_firstRow = 0; // of a collection in a file: see rowOf()
  std::uint32_t m_id = untracked;
  std::atomic<std::uint32_t> m_owners = 0; // for a loose object
  std::atomic<bool> m_isPresent = false;   // for a collection in a file
  ObjectRows m_rows;                       // for a built collection
  StoredTable m_stored;                    // for a collection in a file
  std::unique_ptr<CopiedRows> m_copies;    // for a collection in a file
  Decorations m_decorations;
  std::shared_ptr<Anchor> m_anchor = std::make_shared<Anchor>(this);
  Neighbours m_neighbours;
  std::vector<std::unique_ptr<CollectionData, LooseRelease>> m_looseNeighbours;
  Forwarding m_forwarding; // by index
  /// The places that its objects moved from, oldest first: these forward to this collection.
  std::vector<std::unique_ptr<CollectionData>> m_forwarders;
};

inline std::uint32_t ObjectLocator::index() const noexcept { return row - data->rowOf(0); }

} // namespace kaon::detail
