#pragma once

#include <kaon/base/Bytes.h>
#include <kaon/object/Decoration.h>
#include <kaon/object/Forwarding.h>
#include <kaon/object/Neighbours.h>
#include <kaon/object/ObjectColumn.h>
#include <kaon/object/ObjectLayout.h>
#include <kaon/object/ObjectPlace.h>
#include <kaon/object/ObjectRows.h>
#include <kaon/object/StoredTable.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon {

/// The objects of one collection in one event, as numbered columns (see ObjectLayout): built in
/// memory, or lying in pages that are decoded when they are first touched. Handles and typed
/// collections are views over it; its address does not change.
///
/// While it is being built it belongs to one thread. Reading is safe from any number of threads,
/// that of a collection in pages included.
class CollectionData {
public:
  /// A collection to build.
  [[nodiscard]] static std::unique_ptr<CollectionData> make(const Datatype& type);
  /// A collection of which a loader decodes the columns, from the table of this number among
  /// `tables`.
  [[nodiscard]] static std::unique_ptr<CollectionData>
  make(const Datatype& type, ColumnLoader& loader, std::uint32_t table, std::uint32_t tables);
  ~CollectionData();
  /// A thread keeps some that were built for its next ones of the same datatype.
  static void operator delete(CollectionData* data, std::destroying_delete_t) noexcept;
  CollectionData(const CollectionData&) = delete;
  CollectionData& operator=(const CollectionData&) = delete;

  [[nodiscard]] const Datatype& type() const noexcept { return *m_layout->type; }
  [[nodiscard]] const ObjectLayout& layout() const noexcept { return *m_layout; }
  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] bool isBuilt() const noexcept { return !loader(); }
  /// The frame's number for it; `untracked` outside a frame.
  static constexpr std::uint32_t untracked = ~std::uint32_t{0};
  [[nodiscard]] std::uint32_t id() const noexcept { return m_id; }
  void setId(std::uint32_t id) noexcept { m_id = id; }

  // Reading.

  /// The row of an object in the pages where the columns lie, which hold objects of other entries,
  /// too; of a collection that is built its index. Handles name objects by it: so columns stay
  /// where they are when a loop goes on to the next entry.
  [[nodiscard]] std::uint32_t rowOf(std::size_t object) const noexcept {
    return m_firstRow + static_cast<std::uint32_t>(object);
  }
  /// The value of a column for a row: of an object, or of an element of its lists.
  [[nodiscard]] const std::byte* at(std::uint32_t column, std::size_t row) const {
    if (const std::byte* const values = array(column))
      return values + row * m_columns[column].stride;
    return elsewhere(column, row);
  }
  /// The values of a column that lie one after another, if they do and are there: then row i is the
  /// i-th of them.
  [[nodiscard]] const std::byte* array(std::uint32_t column) const noexcept {
    return arrays()[column].load(std::memory_order_acquire);
  }
  /// The same as at(), of a column that is no array, or not there yet.
  [[nodiscard]] const std::byte* elsewhere(std::uint32_t column, std::size_t row) const {
    const ObjectColumn& values = m_columns[column];
    const std::byte* base = values.base.load(std::memory_order_acquire);
    if (!base) [[unlikely]]
      base = load(column);
    return base + row * values.stride;
  }
  /// The same as at(), of a column whose values are `step` bytes apart if they are an array.
  template <std::size_t step>
  [[nodiscard]] const std::byte* at(std::uint32_t column, std::size_t row) const {
    if (const std::byte* const values = array(column)) [[likely]]
      return values + row * step;
    return elsewhere(column, row);
  }
  template <class T>
  [[nodiscard]] T value(std::uint32_t column, std::size_t row) const {
    constexpr std::size_t step = std::is_same_v<T, Slice> ? sizeof(Slice::begin) : sizeof(T);
    if (const std::byte* const values = array(column)) [[likely]]
      return loadAs<T>(values + row * step);
    return loadAs<T>(elsewhere(column, row));
  }
  /// Whether so many leaves, from this column on, lie to each other as in the user's struct: once
  /// at() was asked for the first of them.
  [[nodiscard]] bool areTogether(std::uint32_t column, std::size_t leaves) const noexcept {
    return m_columns[column].together >= leaves;
  }
  /// Whether its objects are structs, see ObjectStructs. Decodes a column if it must be seen.
  [[nodiscard]] bool areStructs() const {
    const ObjectStructs::State state = m_structs.state.load(std::memory_order_acquire);
    return state != ObjectStructs::State::none &&
           (state == ObjectStructs::State::known || findStructs());
  }
  /// If they are, that of a row.
  [[nodiscard]] const std::byte* structAt(std::size_t row) const noexcept {
    return m_structs.begin + row * m_structs.stride;
  }
  [[nodiscard]] Slice slice(const ObjectLayout::List& list, std::size_t row) const {
    return value<Slice>(list.slices, row);
  }
  /// Of a list in a list, of a level above 0, by its position among all of that level.
  [[nodiscard]] Slice innerSlice(const ObjectLayout::List& list, std::uint32_t level,
                                 std::size_t position) const {
    return value<Slice>(list.first + level - 1, position);
  }
  /// Characters from a column of them: a view, valid as long as the object and until a string of
  /// this member is set or added.
  [[nodiscard]] std::string_view text(std::uint32_t characters, Slice slice) const {
    if (slice.begin == slice.end)
      return {};
    return {reinterpret_cast<const char*>(at(characters, slice.begin)), slice.end - slice.begin};
  }
  /// An element of a list of strings, of which this is the first column.
  [[nodiscard]] std::string_view string(std::uint32_t first, std::size_t element) const {
    return text(first + 1, value<Slice>(first, element));
  }
  /// The object that a reference of a relation, by its number in the datatype, leads to: the one
  /// at this row of its columns `first` and `first` + 1. No object if there is none or its
  /// collection is not there.
  [[nodiscard]] ObjectPlace follow(std::uint32_t relation, std::uint32_t first,
                                   std::size_t row) const {
    const Reference reference{value<std::int32_t>(first, row),
                              value<std::uint32_t>(first + 1, row)};
    return reference.index < 0 ? ObjectPlace{} : findTarget(relation, reference);
  }
  /// A column of the objects, from the first of them on. Throws Error(usage) if nothing was ever
  /// put in.
  [[nodiscard]] ColumnView column(std::uint32_t number) const {
    const std::byte* const base = at(number, m_firstRow);
    return {base, m_columns[number].stride};
  }

  // Building. Only for a collection made to be built; positions are not checked.

  /// Adds an object with default values and returns its index.
  std::uint32_t create() {
    m_rows.add();
    return static_cast<std::uint32_t>(m_size++);
  }
  /// Adds one with the datatype's struct, made of these members.
  template <class Struct, class... Members>
  std::uint32_t emplace(Members&&... members) {
    m_rows.emplace<Struct>(std::forward<Members>(members)...);
    return static_cast<std::uint32_t>(m_size++);
  }
  /// Throws Error(usage) if there is no row to change: the objects lie in a file, or are none.
  void checkWritable() const {
    if (!m_rows.row(0)) [[unlikely]]
      failToWrite();
  }
  /// The same, and where the object lies.
  [[nodiscard]] std::byte* writableRow(std::size_t object) {
    checkWritable();
    return m_rows.row(object);
  }
  [[nodiscard]] std::byte* row(std::size_t object) noexcept { return m_rows.row(object); }
  [[nodiscard]] const std::byte* row(std::size_t object) const noexcept {
    return m_rows.row(object);
  }
  /// An element of a list, or of those of a level inside it, by its position among all of the
  /// collection.
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
  /// Removes the last objects or adds some with default values.
  void resize(std::size_t objects);
  /// Adds an element to a list of an object and returns where it lies.
  std::byte* addElement(const ObjectLayout::List& list, std::size_t object) {
    checkWritable();
    return m_rows.addElement(list, object);
  }
  /// Elements that belong to no list yet, and lists that are made of them: see ObjectRows.
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
  /// Sets a string member of an object. The text may be one of this collection's.
  void setString(const ObjectLayout::List& list, std::size_t object, std::string_view text) {
    checkWritable();
    m_rows.setString(list, object, text);
  }
  /// Adds a string to a list of them of an object; likewise.
  void addString(const ObjectLayout::List& list, std::size_t object, std::string_view text) {
    checkWritable();
    m_rows.addString(list, object, text);
  }
  void setOne(const ObjectLayout::One& one, std::size_t object, ObjectPlace target) {
    std::byte* const where = writableRow(object) + one.offset;
    const Reference to = reference(target);
    std::memcpy(where, &to, sizeof to);
  }
  void addToMany(const ObjectLayout::List& list, std::size_t object, ObjectPlace target) {
    checkWritable();
    const Reference to = reference(target);
    std::memcpy(m_rows.addElement(list, object, sizeof to), &to, sizeof to);
  }
  /// How many collections and loose objects references lead to.
  [[nodiscard]] std::size_t neighbours() const noexcept { return m_neighbours.size(); }
  /// One of them; null if it is gone.
  [[nodiscard]] CollectionData* neighbour(std::size_t number) const noexcept {
    return m_neighbours[number];
  }

  // Decorations.

  /// A decoration to fill. Throws Error(usage) for the name of something that the objects have.
  [[nodiscard]] DecorationValues& decorate(std::string_view name, Scalar type,
                                           std::uint64_t missing) {
    return m_decorations.add(this->type(), name, type, missing);
  }
  /// Its values: those of a program go before those of a file. Throws Error(name) if there is none,
  /// Error(type) if it is of another type.
  [[nodiscard]] DecorationColumn decoration(std::string_view name, Scalar type) const;
  /// All of them, with what objects without a value have.
  [[nodiscard]] std::vector<DecorationInfo> allDecorations() const;
  /// Those that a program added.
  [[nodiscard]] const Decorations& decorations() const noexcept { return m_decorations; }

  // A loose object, which belongs to no collection, has a CollectionData of its own. Handles and
  // relations share it; once the object is pushed into a collection they are forwarded to there.

  [[nodiscard]] static CollectionData* makeLoose(const Datatype& type);
  [[nodiscard]] bool isLoose() const noexcept { return m_owners.load() > 0; }
  void retain() noexcept { m_owners.fetch_add(1, std::memory_order_relaxed); }
  static void release(CollectionData* data) noexcept;

  // Objects that moved to another collection.

  /// Where the object at `index` is now; no object if it was removed, or moved to a collection that
  /// is gone.
  [[nodiscard]] ObjectPlace current(std::uint32_t index) noexcept {
    if (!m_forwarding.isSet()) [[likely]]
      return {this, rowOf(index)};
    return forwarded(index);
  }
  /// The collection where its objects are now; null if that is gone.
  [[nodiscard]] CollectionData* holder() noexcept;
  /// The loose object was copied to `place`: from now on it is that one.
  void forwardTo(ObjectPlace place);
  /// The objects of a file were copied: from now on object i is the one at indices[i] of `to`.
  void forwardAll(CollectionData& to, std::vector<std::uint32_t> indices);
  /// They are of another entry now.
  void stopForwarding() noexcept { m_forwarding.reset(); }

  // For the loader of its columns.

  /// Null for a collection that is built.
  [[nodiscard]] const ColumnLoader* loader() const noexcept { return m_stored.loader(); }
  [[nodiscard]] std::uint32_t table() const noexcept { return m_stored.number(); }
  /// Whether the entry that it is read from has it, as far as this is known: false after reading
  /// what says so failed.
  [[nodiscard]] bool isPresent() const noexcept {
    return m_isPresent.load(std::memory_order_acquire);
  }
  void setEntry(bool isPresent, std::uint32_t firstRow, std::size_t size) noexcept {
    m_firstRow = firstRow;
    m_size = size;
    m_isPresent.store(isPresent, std::memory_order_release);
  }
  [[nodiscard]] bool isDecorated() const noexcept { return !m_decorations.isEmpty(); }
  void forgetDecorations() noexcept { m_decorations.clear(); }
  /// No column is decoded yet.
  void forgetColumns() noexcept;
  [[nodiscard]] bool isLoaded(std::uint32_t column) const noexcept {
    return whereIs(column) != nullptr;
  }
  void setStructs(ObjectStructs::State state) const noexcept {
    m_structs.state.store(state, std::memory_order_release);
  }
  /// Where that of row 0 is, before they are said to be known.
  void placeStructs(ColumnView structs) const noexcept {
    m_structs.begin = structs.base;
    m_structs.stride = structs.stride;
  }
  /// Its values from row 0 on. `together`: see ObjectColumn.
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
  // The arrays lie right behind the object: those that a handle looks up have places that the
  // compiler knows. Then come the columns.
  static constexpr std::size_t columnSize = sizeof(ObjectArray) + sizeof(ObjectColumn);
  [[nodiscard]] static void* operator new(std::size_t size, const ObjectLayout& layout) {
    return ::operator new(size + layout.columns.size() * columnSize);
  }
  static void operator delete(void* memory, const ObjectLayout&) { ::operator delete(memory); }
  explicit CollectionData(const ObjectLayout& layout);
  CollectionData(const ObjectLayout& layout, ColumnLoader& loader, std::uint32_t table,
                 std::uint32_t tables);
  [[nodiscard]] bool renew() noexcept;
  [[noreturn]] void failToWrite() const;
  /// Part of the cache of what is read, which reading fills.
  [[nodiscard]] ObjectArray* arrays() const noexcept {
    return reinterpret_cast<ObjectArray*>(const_cast<CollectionData*>(this) + 1);
  }
  [[nodiscard]] ObjectColumn* constructColumns() noexcept;
  [[nodiscard]] const std::byte* whereIs(std::uint32_t column) const noexcept {
    const std::byte* const base = m_columns[column].base.load(std::memory_order_acquire);
    return base ? base : array(column);
  }
  /// Once a page: said to be cold, so that loops keep values in registers around it.
  [[nodiscard, gnu::cold]] const std::byte* load(std::uint32_t column) const;
  [[nodiscard, gnu::cold]] bool findStructs() const;
  [[nodiscard]] ObjectPlace findTarget(std::uint32_t relation, Reference reference) const;
  [[nodiscard]] Reference reference(ObjectPlace target) {
    if (!m_neighbours.isLast(target.data->m_anchor)) [[unlikely]] {
      if (!target)
        return {};
      referTo(*target.data);
    }
    return {static_cast<std::int32_t>(target.index()), m_neighbours.lastNumber()};
  }
  void referTo(CollectionData& target);
  [[nodiscard]] ObjectPlace forwarded(std::uint32_t index) noexcept;

  const ObjectLayout* m_layout;
  ObjectColumn* m_columns;
  mutable ObjectStructs m_structs; // part of the cache of what is read, too
  std::size_t m_size = 0;
  std::uint32_t m_firstRow = 0; // of one that lies in a file: see rowOf()
  std::uint32_t m_id = untracked;
  std::atomic<std::uint32_t> m_owners = 0; // of a loose object
  std::atomic<bool> m_isPresent = false;   // of one that lies in a file
  ObjectRows m_rows;                       // of a collection that is built
  StoredTable m_stored;                    // of one that lies in a file
  Decorations m_decorations;
  std::shared_ptr<Anchor> m_anchor = std::make_shared<Anchor>(this);
  Neighbours m_neighbours;
  std::vector<std::unique_ptr<CollectionData, LooseRelease>> m_looseNeighbours;
  Forwarding m_forwarding; // by index
  /// Where its objects were before they moved, oldest first: these forward to here.
  std::vector<std::unique_ptr<CollectionData>> m_forwarders;
};

inline std::uint32_t ObjectPlace::index() const noexcept { return row - data->rowOf(0); }

} // namespace kaon
