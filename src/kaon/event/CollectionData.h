#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Bytes.h>
#include <kaon/event/Decoration.h>
#include <kaon/event/ObjectLayout.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace kaon {

class CollectionData;
class EntryReader;

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
  /// A collection to build.
  explicit CollectionData(const Datatype& type);
  /// A collection of which EntryReader decodes the columns, with `neighbours` numbered tables.
  CollectionData(const Datatype& type, EntryReader& reader, std::uint32_t table,
                 std::uint32_t neighbours);
  ~CollectionData();
  CollectionData(const CollectionData&) = delete;
  CollectionData& operator=(const CollectionData&) = delete;

  [[nodiscard]] const Datatype& type() const noexcept { return *m_layout->type; }
  [[nodiscard]] const ObjectLayout& layout() const noexcept { return *m_layout; }
  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] bool isBuilt() const noexcept { return !m_reader; }
  /// Who decodes its columns; null for a built one.
  [[nodiscard]] const EntryReader* reader() const noexcept { return m_reader; }

  /// The value of a column for a row: of an object, or of an element of its lists.
  [[nodiscard]] const std::byte* at(std::uint32_t column, std::size_t row) const {
    const Column& view = m_columns[column];
    const std::byte* base = view.base.load(std::memory_order_acquire);
    if (!base) [[unlikely]]
      base = load(column);
    return base + row * view.stride;
  }
  [[nodiscard]] Slice slice(const ObjectLayout::List& list, std::size_t object) const {
    return loadAs<Slice>(at(list.slices, object));
  }

  /// The object that a reference of a relation, by its number in the datatype, leads to: the one
  /// at this row of its columns `first` and `first` + 1. No object if there is none or its
  /// collection is not there.
  [[nodiscard]] ObjectPlace follow(std::uint32_t relation, std::uint32_t first,
                                   std::size_t row) const;
  /// A column from its first row on. Throws Error(usage) if nothing was ever put in.
  [[nodiscard]] ColumnView column(std::uint32_t number) const {
    const std::byte* const base = at(number, 0);
    return {base, m_columns[number].stride};
  }

  // Building. Only for a collection made to be built; positions are not checked.

  /// Adds an object with default values and returns its index.
  std::uint32_t create();
  [[nodiscard]] std::byte* row(std::size_t object) noexcept {
    return m_rows.data() + object * m_layout->rowSize;
  }
  [[nodiscard]] const std::byte* row(std::size_t object) const noexcept {
    return m_rows.data() + object * m_layout->rowSize;
  }
  /// An element of a list, by its position among all of the collection.
  [[nodiscard]] const std::byte* element(const ObjectLayout::List& list,
                                         std::size_t position) const noexcept {
    return m_pools[list.pool].data() + position * list.elementSize;
  }
  void reserve(std::size_t objects);
  void clear() noexcept;
  /// Removes the last objects or adds some with default values.
  void resize(std::size_t objects);
  /// Adds an element to a list of an object and returns where it lies.
  std::byte* addElement(const ObjectLayout::List& list, std::size_t object) {
    std::byte* const where = row(object) + list.sliceOffset;
    auto held = loadAs<ListRow>(where);
    if (held.slice.end - held.slice.begin == held.capacity)
      enlargeList(list, held);
    std::byte* const element =
        m_pools[list.pool].data() + std::size_t{held.slice.end} * list.elementSize;
    ++held.slice.end;
    std::memcpy(where, &held, sizeof held);
    return element;
  }
  void setOne(const ObjectLayout::One& one, std::size_t object, ObjectPlace target);
  void addToMany(const ObjectLayout::List& list, std::size_t object, ObjectPlace target);
  /// Adds a copy of an object of the same datatype, with its relations or without.
  std::uint32_t addCopy(ObjectPlace object, bool withRelations);

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
  /// Those that a program added.
  [[nodiscard]] const Decorations& decorations() const noexcept { return m_decorations; }

  // A loose object, which belongs to no collection, has a CollectionData of its own. Handles and
  // relations share it; once the object is pushed into a collection they are sent on to there.

  [[nodiscard]] static CollectionData* makeLoose(const Datatype& type);
  [[nodiscard]] bool isLoose() const noexcept { return m_references.load() > 0; }
  void retain() noexcept { m_references.fetch_add(1, std::memory_order_relaxed); }
  static void release(CollectionData* data) noexcept;
  /// The loose object was copied to `place`: from now on it is that one.
  void sendTo(ObjectPlace place) noexcept {
    clear();
    m_sentTo = place.data->m_anchor;
    m_sentIndex = place.index;
  }
  /// Where the object at `index` is now; no object if it was sent to a collection that is gone.
  [[nodiscard]] ObjectPlace current(std::uint32_t index) noexcept {
    if (!m_sentTo) [[likely]]
      return {this, index};
    CollectionData* const data = m_sentTo->load(std::memory_order_acquire);
    return data ? ObjectPlace{data, m_sentIndex} : ObjectPlace{};
  }

  // For the frame that it is in.

  /// The frame's number for it; `untracked` outside a frame.
  static constexpr std::uint32_t untracked = ~std::uint32_t{0};
  [[nodiscard]] std::uint32_t id() const noexcept { return m_id; }
  void setId(std::uint32_t id) noexcept { m_id = id; }
  [[nodiscard]] std::uint32_t table() const noexcept { return m_table; }
  // For EntryReader, when it goes to another entry.
  void setSize(std::size_t size) noexcept { m_size = size; }
  void forgetDecorations() { m_decorations.clear(); }
  /// No column is decoded yet.
  void forgetColumns() noexcept;
  [[nodiscard]] bool isLoaded(std::uint32_t column) const noexcept {
    return m_columns[column].base.load(std::memory_order_acquire) != nullptr;
  }
  void setColumn(std::uint32_t column, const std::byte* base, std::size_t stride) const noexcept {
    m_columns[column].stride = stride;
    m_columns[column].base.store(base, std::memory_order_release);
  }

private:
  struct Column {
    std::atomic<const std::byte*> base = nullptr;
    std::size_t stride = 0;
  };
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
  void copyRelations(ObjectPlace from, std::uint32_t to);
  void placeColumns(std::uint32_t pool) noexcept;
  void enlargeList(const ObjectLayout::List& list, ListRow& held);
  [[nodiscard]] Reference reference(ObjectPlace target);
  void forgetNeighbours() noexcept;

  const ObjectLayout* m_layout;
  std::size_t m_size = 0;
  std::unique_ptr<Column[]> m_columns;
  std::uint32_t m_id = untracked;
  Decorations m_decorations;

  Buffer m_rows;
  std::vector<Buffer> m_pools;
  /// Shared by all who refer to a collection; holds null once that is gone.
  using Anchor = std::atomic<CollectionData*>;
  std::shared_ptr<Anchor> m_anchor = std::make_shared<Anchor>(this);
  std::vector<std::shared_ptr<Anchor>> m_neighbours;
  std::unordered_map<const Anchor*, std::uint32_t> m_neighbourNumbers;
  const Anchor* m_lastNeighbour = nullptr; // the one that was last referred to
  std::uint32_t m_lastNumber = 0;
  std::vector<CollectionData*> m_keptLoose; // the loose ones among the neighbours
  std::atomic<std::uint32_t> m_references = 0;
  std::shared_ptr<Anchor> m_sentTo; // of a loose object that was pushed
  std::uint32_t m_sentIndex = 0;

  EntryReader* m_reader = nullptr;
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

inline std::uint32_t CollectionData::create() {
  const std::size_t bytes = m_layout->rowSize;
  if (m_rows.capacity() - m_rows.size() < bytes)
    reserve(m_size + 1);
  std::memcpy(m_rows.grow(bytes), m_layout->newRow.data(), bytes);
  return static_cast<std::uint32_t>(m_size++);
}

} // namespace kaon
