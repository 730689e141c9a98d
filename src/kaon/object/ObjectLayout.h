#pragma once

#include <kaon/model/Datatype.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kaon {

/// The elements of a vector member or relation that belong to one object: [begin, end) among those
/// of the collection. Two adjacent offsets of an array can be read as a Slice.
struct Slice {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// A list of an object that is being built, as its row has it.
struct ListRow {
  Slice slice;
  std::uint32_t limit = 0; ///< where the room for its elements ends
};

/// A reference to an object: its position in its collection, and the number that the referring
/// collection has given that one.
struct Reference {
  std::int32_t index = -1; ///< -1: to nothing
  std::uint32_t neighbour = 0;
};

/// How the objects of a datatype lie in memory: in numbered columns. First come the leaves; then
/// for each vector member its slices and leaves (of lists in lists, and strings: slices, the slices
/// of each level of inner lists, leaves or characters); then for each relation to one object its
/// indices and neighbours, for each relation to many its slices, indices and neighbours.
///
/// In a collection that is being built, the columns are parts of rows: the user's struct, the
/// references to one object, and a slice with its limit for each list. The elements of the
/// lists lie in pools, those of inner lists in further ones.
struct ObjectLayout {
  static constexpr std::uint32_t rows = ~std::uint32_t{0}; ///< not a pool, but the rows
  static constexpr std::uint32_t allTogether = ~std::uint32_t{0};

  struct Column {
    std::uint32_t pool = rows;
    std::uint32_t offset = 0;
    std::uint32_t stride = 0;
    std::uint32_t step = 0; ///< the stride of values that lie one after another, as in pages
  };
  struct List {               ///< a vector member, or a relation to many
    std::uint32_t slices = 0; ///< column
    /// Column of the first inner lists' slices, or leaf; of a relation: of the indices.
    std::uint32_t first = 0;
    std::uint32_t pool = 0; ///< those behind it have what is in inner lists
    std::uint32_t elementSize = 0;
    std::uint32_t sliceOffset = 0; ///< in a row
    std::uint32_t innerLists = 0;  ///< levels of lists below the object's own, which are level 0
    std::uint32_t leafSize = 0;    ///< of what the innermost lists hold

    /// The size of an element of a list of a level.
    [[nodiscard]] std::uint32_t sizeIn(std::uint32_t level) const noexcept {
      return level < innerLists ? std::uint32_t{sizeof(Slice)} : leafSize;
    }
    /// Column of the first leaf.
    [[nodiscard]] std::uint32_t firstLeaf() const noexcept { return first + innerLists; }
  };
  struct One {                ///< a relation to one object
    std::uint32_t first = 0;  ///< column of the indices
    std::uint32_t offset = 0; ///< of the Reference in a row
  };

  static constexpr std::size_t mostColumns = 16384; ///< of a datatype, bounds noObjects()
  static constexpr std::size_t mostLists = 1024;    ///< likewise; and relations to one object

  const Datatype* type = nullptr;
  std::uint32_t rowSize = 0;
  std::vector<std::byte> newRow; ///< what a new object starts from
  std::vector<Column> columns;
  std::vector<List> lists; ///< the vector members, then the relations to many
  std::vector<One> ones;
  std::uint32_t pools = 0;

  /// By the number of a relation to many. The relations to one have none, so that it may point to
  /// before the lists.
  std::uintptr_t manyLists = 0;

  /// How many objects the last collection had: the next one makes room for as many.
  mutable std::atomic<std::uint32_t> lastSize = 0;

  [[nodiscard]] const List& vectorMember(std::uint32_t number) const { return lists[number]; }
  [[nodiscard]] const List& manyRelation(std::uint32_t relation) const {
    return *reinterpret_cast<const List*>(manyLists + relation * sizeof(List));
  }
};

/// Whether objects of two datatypes have the same columns of the same types: those of one library's
/// classes can be looked at by those of another's.
[[nodiscard]] bool haveSameColumns(const Datatype& a, const Datatype& b);

/// The layout of a datatype; made once, lives as long as the program. Any thread. Throws
/// Error(usage) for one of too many members.
[[nodiscard]] const ObjectLayout& layoutOf(const Datatype& type);

} // namespace kaon
