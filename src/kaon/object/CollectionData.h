#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Bytes.h>
#include <kaon/object/Decoration.h>
#include <kaon/object/ObjectLayout.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kaon {

class CollectionData;
class ColumnLoader;

/// An object: where it is. `data` is null for no object.
struct ObjectPlace {
  CollectionData* data = nullptr;
  std::uint32_t index = 0;
};

/// The objects of one collection in one event, as numbered columns (see ObjectLayout): built in
/// memory, or lying in pages that are decoded when they are first touched. Handles and typed
/// collections are views over it; its address does not change.
///
/// While it is being built it belongs to one thread. Reading is safe from any number of threads,
/// that of a collection in pages included.
class CollectionData {
public:
  /// Where an object is that was removed.
  static constexpr std::uint32_t removed = ~std::uint32_t{0};
  /// In one collection; an index has 31 bits.
  static constexpr std::size_t mostObjects = std::numeric_limits<std::int32_t>::max();

  /// A collection to build.
  [[nodiscard]] static std::unique_ptr<CollectionData> make(const Datatype& type);
  /// A collection of which a loader decodes the columns, with `neighbours` numbered tables.
  [[nodiscard]] static std::unique_ptr<CollectionData>
  make(const Datatype& type, ColumnLoader& loader, std::uint32_t table, std::uint32_t neighbours);
  ~CollectionData();
  static void operator delete(void* memory) { ::operator delete(memory); }
  CollectionData(const CollectionData&) = delete;
  CollectionData& operator=(const CollectionData&) = delete;

  [[nodiscard]] const Datatype& type() const noexcept { return *m_layout->type; }
  [[nodiscard]] const ObjectLayout& layout() const noexcept { return *m_layout; }
  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] bool isBuilt() const noexcept { return !m_loader; }
  /// Who decodes its columns; null for a built one.
  [[nodiscard]] const ColumnLoader* loader() const noexcept { return m_loader; }

  /// The value of a column for a row: of an object, or of an element of its lists.
  [[nodiscard]] const std::byte* at(std::uint32_t column, std::size_t row) const {
    const Column& view = columnAt(column);
    const std::byte* base = view.base.load(std::memory_order_acquire);
    if (!base) [[unlikely]]
      base = load(column);
    return base + row * view.stride;
  }
  /// Whether so many leaves, from this column on, lie to each other as in the user's struct: once
  /// at() was asked for the first of them.
  [[nodiscard]] bool areTogether(std::uint32_t column, std::size_t leaves) const noexcept {
    return columnAt(column).together >= leaves;
  }
  [[nodiscard]] Slice slice(const ObjectLayout::List& list, std::size_t object) const {
    return loadAs<Slice>(at(list.slices, object));
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
    return text(first + 1, loadAs<Slice>(at(first, element)));
  }

  /// The object that a reference of a relation, by its number in the datatype, leads to: the one
  /// at this row of its columns `first` and `first` + 1. No object if there is none or its
  /// collection is not there.
  [[nodiscard]] ObjectPlace follow(std::uint32_t relation, std::uint32_t first,
                                   std::size_t row) const;
  /// A column from its first row on. Throws Error(usage) if nothing was ever put in.
  [[nodiscard]] ColumnView column(std::uint32_t number) const {
    const std::byte* const base = at(number, 0);
    return {base, columnAt(number).stride};
  }

  // Building. Only for a collection made to be built; positions are not checked.

  /// Adds an object with default values and returns its index.
  std::uint32_t create();
  [[nodiscard]] std::byte* row(std::size_t object) noexcept {
    return m_rows.data() + object * m_rowSize;
  }
  [[nodiscard]] const std::byte* row(std::size_t object) const noexcept {
    return m_rows.data() + object * m_rowSize;
  }
  /// An element of a list, by its position among all of the collection.
  [[nodiscard]] const std::byte* element(const ObjectLayout::List& list,
                                         std::size_t position) const noexcept {
    return m_pools[list.pool].bytes.data() + position * list.elementSize;
  }
  void reserve(std::size_t objects);
  void clear() noexcept;
  /// Removes the last objects or adds some with default values.
  void resize(std::size_t objects);
  /// Adds an element to a list of an object and returns where it lies.
  std::byte* addElement(const ObjectLayout::List& list, std::size_t object) {
    std::byte* const where = row(object) + list.sliceOffset;
    // Word by word: a part that was just written cannot be read as part of a whole soon.
    const auto get = [where](std::size_t offset) { return loadAs<std::uint32_t>(where + offset); };
    const auto set = [where](std::size_t offset, std::uint32_t value) {
      std::memcpy(where + offset, &value, sizeof value);
    };
    constexpr std::size_t atBegin = offsetof(Slice, begin), atEnd = offsetof(Slice, end);
    constexpr std::size_t atLimit = offsetof(ListRow, limit);
    Pool& pool = m_pools[list.pool];
    std::uint32_t end = get(atEnd);
    if (end == get(atLimit)) {
      // The last list of a pool grows where it lies: objects that are filled one after another
      // have their elements one after another.
      const bool isEmpty = end == get(atBegin);
      if ((isEmpty || end == pool.used) && pool.used < std::numeric_limits<std::uint32_t>::max() &&
          pool.bytes.capacity() - pool.bytes.size() >= list.elementSize) [[likely]] {
        pool.bytes.grow(list.elementSize);
        if (isEmpty)
          set(atBegin, end = pool.used);
        set(atLimit, ++pool.used);
      } else {
        enlargeList(list, where);
        end = get(atEnd);
      }
    }
    set(atEnd, end + 1);
    return pool.bytes.data() + std::size_t{end} * list.elementSize;
  }
  /// Sets a string member of an object. The text may be one of this collection's.
  void setString(const ObjectLayout::List& list, std::size_t object, std::string_view text);
  /// Adds a string to a list of them of an object; likewise.
  void addString(const ObjectLayout::List& list, std::size_t object, std::string_view text);
  void setOne(const ObjectLayout::One& one, std::size_t object, ObjectPlace target);
  void addToMany(const ObjectLayout::List& list, std::size_t object, ObjectPlace target) {
    const Reference to = reference(target);
    std::memcpy(addElement(list, object), &to, sizeof to);
  }
  /// Adds a copy of an object of the same datatype, with its relations or without.
  std::uint32_t addCopy(ObjectPlace object, bool withRelations);
  /// Gives the own object `to` the relations of another one; each leads to `map(target)`.
  /// References to objects that are not there are left out.
  template <class Map>
  void copyRelations(ObjectPlace from, std::uint32_t to, const Map& map);

  /// How many collections and loose objects references lead to.
  [[nodiscard]] std::size_t neighbours() const noexcept { return m_neighbours.size(); }
  /// One of them; null if it is gone.
  [[nodiscard]] CollectionData* neighbour(std::size_t number) const noexcept {
    return m_neighbours[number]->load(std::memory_order_acquire);
  }

  /// A decoration to fill. Throws Error(usage) for the name of something that the objects have.
  [[nodiscard]] DecorationValues& decorate(std::string_view name, Scalar type,
                                           std::uint64_t missing);
  /// Its values: those of a program go before those of a file. Throws Error(name) if there is none,
  /// Error(type) if it is of another type.
  struct FoundDecoration {
    ColumnView values;
    std::size_t stored; ///< objects that have a value
    std::uint64_t missing;
  };
  [[nodiscard]] FoundDecoration decoration(std::string_view name, Scalar type) const;
  /// All of them, with what objects without a value have.
  [[nodiscard]] std::vector<DecorationInfo> allDecorations() const;
  /// Those that a program added.
  [[nodiscard]] const Decorations& decorations() const noexcept { return m_decorations; }

  // A loose object, which belongs to no collection, has a CollectionData of its own. Handles and
  // relations share it; once the object is pushed into a collection they are sent on to there.

  [[nodiscard]] static CollectionData* makeLoose(const Datatype& type);
  [[nodiscard]] bool isLoose() const noexcept { return m_references.load() > 0; }
  void retain() noexcept { m_references.fetch_add(1, std::memory_order_relaxed); }
  static void release(CollectionData* data) noexcept;
  /// The loose object was copied to `place`: from now on it is that one.
  void sendTo(ObjectPlace place) {
    clear();
    m_sentTo = place.data->m_anchor;
    m_sentIndices = {place.index};
  }
  /// Where the object at `index` is now; no object if it was removed, or sent to a collection that
  /// is gone.
  [[nodiscard]] ObjectPlace current(std::uint32_t index) noexcept {
    if (!m_sentTo) [[likely]]
      return {this, index};
    return sent(index);
  }
  /// The objects of a file were copied: from now on object i is the one at indices[i] of `to`.
  void sendAll(CollectionData& to, std::vector<std::uint32_t> indices) {
    m_size = 0;
    m_sentTo = to.m_anchor;
    m_sentIndices = std::move(indices);
  }
  /// They are of another entry now.
  void stay() noexcept { m_sentTo.reset(); }
  /// The collection where its objects are now; null if that is gone.
  [[nodiscard]] CollectionData* holder() noexcept;

  // For the frame that it is in.

  /// The frame's number for it; `untracked` outside a frame.
  static constexpr std::uint32_t untracked = ~std::uint32_t{0};
  [[nodiscard]] std::uint32_t id() const noexcept { return m_id; }
  void setId(std::uint32_t id) noexcept { m_id = id; }
  [[nodiscard]] std::uint32_t table() const noexcept { return m_table; }
  // For its loader, when that goes to another entry.
  void setSize(std::size_t size) noexcept { m_size = size; }
  void forgetDecorations() { m_decorations.clear(); }
  /// No column is decoded yet.
  void forgetColumns() noexcept;
  [[nodiscard]] bool isLoaded(std::uint32_t column) const noexcept {
    return columnAt(column).base.load(std::memory_order_acquire) != nullptr;
  }
  /// `together`: see Column.
  void setColumn(std::uint32_t number, ColumnView values, std::uint32_t together) const noexcept {
    Column& view = columnAt(number);
    view.stride = static_cast<std::uint32_t>(values.stride);
    view.together = together;
    view.base.store(values.base, std::memory_order_release);
  }

private:
  friend class Rearrangement;
  struct Column {
    std::atomic<const std::byte*> base = nullptr;
    std::uint32_t stride = 0;
    /// How many columns, from this one on, lie to each other as the leaves do in the user's struct.
    std::uint32_t together = 1;
  };
  // The columns lie right behind the object: those that a handle looks up have places that the
  // compiler knows.
  [[nodiscard]] static void* operator new(std::size_t size, const ObjectLayout& layout) {
    return ::operator new(size + layout.columns.size() * sizeof(Column));
  }
  static void operator delete(void* memory, const ObjectLayout&) { ::operator delete(memory); }
  explicit CollectionData(const ObjectLayout& layout);
  CollectionData(const ObjectLayout& layout, ColumnLoader& loader, std::uint32_t table,
                 std::uint32_t neighbours);
  /// Part of the cache of what is read, which reading fills.
  [[nodiscard]] Column& columnAt(std::uint32_t number) const noexcept {
    return reinterpret_cast<Column*>(const_cast<CollectionData*>(this) + 1)[number];
  }
  [[nodiscard]] const std::byte* load(std::uint32_t column) const;
  [[nodiscard]] ObjectPlace findTarget(std::uint32_t relation, Reference reference) const;
  [[nodiscard]] CollectionData* loadNeighbour(std::uint32_t relation, std::uint32_t number) const;
  /// The neighbour in pages that a relation leads to, once it did: what is right for one relation
  /// may be of the wrong datatype for another.
  [[nodiscard]] std::atomic<CollectionData*>& loaded(std::uint32_t relation,
                                                     std::uint32_t number) const noexcept {
    return m_loaded[std::size_t{relation} * m_tables + number];
  }
  void copyVectors(ObjectPlace from, std::uint32_t to);
  [[nodiscard]] ObjectPlace sent(std::uint32_t index) const noexcept;
  void placeColumns(std::uint32_t pool) noexcept;
  void makeRoom();
  std::uint32_t growPool(std::uint32_t number, std::size_t elements, std::size_t elementSize);
  [[nodiscard]] Slice addText(std::uint32_t pool, std::string_view text, std::size_t room);
  void enlargeList(const ObjectLayout::List& list, std::byte* where);
  [[nodiscard]] Reference reference(ObjectPlace target) {
    if (!target.data)
      return {};
    if (target.data->m_anchor.get() != m_lastNeighbour) [[unlikely]]
      referTo(*target.data);
    return {static_cast<std::int32_t>(target.index), m_lastNumber};
  }
  void referTo(CollectionData& target);
  void forgetNeighbours() noexcept;

  const ObjectLayout* m_layout;
  std::size_t m_rowSize;
  std::size_t m_size = 0;
  std::uint32_t m_id = untracked;
  Decorations m_decorations;

  Buffer m_rows;
  struct Pool {
    Buffer bytes;
    std::uint32_t used = 0; // elements, those of lists that moved away among them
  };
  std::vector<Pool> m_pools;
  /// Shared by all who refer to a collection; holds null once that is gone.
  using Anchor = std::atomic<CollectionData*>;
  std::shared_ptr<Anchor> m_anchor = std::make_shared<Anchor>(this);
  std::vector<std::shared_ptr<Anchor>> m_neighbours;
  std::unordered_map<const Anchor*, std::uint32_t> m_neighbourNumbers;
  const Anchor* m_lastNeighbour = nullptr; // the one that was last referred to
  std::uint32_t m_lastNumber = 0;
  std::vector<CollectionData*> m_keptLoose; // the loose ones among the neighbours
  std::atomic<std::uint32_t> m_references = 0;
  // Of a loose object that was pushed, and of what stands for a collection's objects where they
  // were before they moved: who holds them now, and where each is there.
  std::shared_ptr<Anchor> m_sentTo;
  std::vector<std::uint32_t> m_sentIndices;
  std::vector<std::unique_ptr<CollectionData>> m_forwarders; // to here, oldest first

  ColumnLoader* m_loader = nullptr;
  std::uint32_t m_table = 0;
  std::uint32_t m_tables = 0;
  std::unique_ptr<std::atomic<CollectionData*>[]> m_loaded; // neighbours, by relation and table
};

inline ObjectPlace CollectionData::follow(std::uint32_t relation, std::uint32_t first,
                                          std::size_t row) const {
  const Reference reference{loadAs<std::int32_t>(at(first, row)),
                            loadAs<std::uint32_t>(at(first + 1, row))};
  return reference.index < 0 ? ObjectPlace{} : findTarget(relation, reference);
}

template <class Map>
void CollectionData::copyRelations(ObjectPlace from, std::uint32_t to, const Map& map) {
  for (std::uint32_t r = 0; r < type().relations.size(); ++r) {
    if (!type().relations[r].many) {
      const ObjectLayout::One& one = m_layout->ones[r];
      setOne(one, to, map(from.data->follow(r, one.first, from.index)));
      continue;
    }
    const ObjectLayout::List& list = m_layout->manyRelation(r);
    const Slice slice = from.data->slice(list, from.index);
    for (std::uint32_t i = slice.begin; i < slice.end; ++i)
      if (const ObjectPlace target = from.data->follow(r, list.first, i); target.data)
        addToMany(list, to, map(target));
  }
}

inline std::uint32_t CollectionData::create() {
  if (m_rows.capacity() - m_rows.size() < m_rowSize) [[unlikely]]
    makeRoom();
  std::memcpy(m_rows.grow(m_rowSize), m_layout->newRow.data(), m_rowSize);
  return static_cast<std::uint32_t>(m_size++);
}

} // namespace kaon
