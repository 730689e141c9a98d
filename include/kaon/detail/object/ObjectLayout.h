#pragma once

#include <kaon/detail/base/Memory.h>
#include <kaon/model/Datatype.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kaon::detail {

/// The elements of a vector member or relation that belong to one object: [begin, end) among those
/// of the collection. Two adjacent offsets in an array can be read as a Slice.
struct Slice {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// A list of an object being built, as stored in its row.
struct ListRow {
  Slice slice;
  std::uint32_t limit = 0; ///< the end of the space reserved for its elements
};

/// A reference to an object: its position in its collection, and the number of that collection
/// among the neighbours of the referring one.
struct Reference {
  std::int32_t index = -1; ///< -1: unset
  std::uint32_t neighbour = 0;
};

/// The layout of a datatype's objects in memory, in numbered columns. The leaves come first. For
/// each vector member follow its slices and leaves. Vector members of lists or strings have slices,
/// the slices of each level of inner lists, and leaves or characters. For each relation to one
/// object follow its indices and neighbours; for each relation to many its slices, indices and
/// neighbours.
///
/// In a collection being built, the columns are parts of rows: the user's struct, the references to
/// one object, and a slice with its limit for each list. Pools hold the elements of the lists;
/// further pools hold those of inner lists.
struct ObjectLayout {
  static constexpr std::uint32_t rows = ~std::uint32_t{0}; ///< the rows, not a pool
  static constexpr std::uint32_t allTogether = ~std::uint32_t{0};

  struct Column {
    std::uint32_t pool = rows;
    std::uint32_t offset = 0;
    std::uint32_t stride = 0;
    std::uint32_t step = 0; ///< the stride of contiguous values, as in pages
  };
  struct List {               ///< a vector member, or a relation to many
    std::uint32_t slices = 0; ///< column of the slices
    /// The column of the first inner lists' slices, or the first leaf; for a relation, the indices.
    std::uint32_t first = 0;
    std::uint32_t pool = 0; ///< the pools after it hold the inner lists
    std::uint32_t elementSize = 0;
    std::uint32_t sliceOffset = 0; ///< in a row
    std::uint32_t innerLists = 0;  ///< levels of lists inside the object's list, which is level 0
    std::uint32_t leafSize = 0;    ///< size of an innermost element

    /// Returns the size of an element of a list at a level.
    [[nodiscard]] std::uint32_t sizeIn(std::uint32_t level) const noexcept {
      return level < innerLists ? std::uint32_t{sizeof(Slice)} : leafSize;
    }
    /// Returns the column of the first leaf.
    [[nodiscard]] std::uint32_t firstLeaf() const noexcept { return first + innerLists; }
  };
  struct One {                ///< a relation to one object
    std::uint32_t first = 0;  ///< column of the indices
    std::uint32_t offset = 0; ///< of the Reference in a row
  };

  static constexpr std::size_t mostColumns = 16384; ///< per datatype; bounds noObjects()
  static constexpr std::size_t mostLists = 1024;    ///< per datatype; also of relations to one

  const Datatype* type = nullptr;
  std::uint32_t rowSize = 0;
  std::vector<std::byte> newRow; ///< the initial bytes of a new object
  std::vector<Column> columns;
  std::vector<List> lists; ///< the vector members, then the relations to many
  std::vector<One> ones;
  std::uint32_t pools = 0;

  /// The address from which the number of a relation to many finds its list. It may be before the
  /// lists, because relations to one have the first numbers and no lists.
  std::uintptr_t manyLists = 0;

  /// The number of objects of the last collection: the next one reserves space for as many.
  mutable std::atomic<std::uint32_t> lastSize = 0;

  [[nodiscard]] const List& vectorMember(std::uint32_t number) const { return lists[number]; }
  [[nodiscard]] const List& manyRelation(std::uint32_t relation) const {
    return *static_cast<const List*>(memoryAt(manyLists + relation * sizeof(List)));
  }
};

/// Whether objects of two datatypes have the same columns of the same types. Classes of one library
/// can then view objects of another's.
[[nodiscard]] bool haveSameColumns(const Datatype& a, const Datatype& b);
/// Whether two descriptions are of one datatype. They may be in two libraries of a process, such as
/// plugins, each with the classes of a model.
[[nodiscard]] bool areSame(const Datatype& a, const Datatype& b);

/// Returns the layout of a datatype; it is made once and lives as long as the program. Any thread.
/// Throws Error(usage) for a datatype with too many members.
[[nodiscard]] const ObjectLayout& layoutOf(const Datatype& type);

} // namespace kaon::detail
