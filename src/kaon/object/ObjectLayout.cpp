#include <kaon/detail/object/ObjectLayout.h>

#include <kaon/base/Error.h>
#include <kaon/base/Lasting.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>

namespace kaon::detail {
namespace {

class LayoutMaker {
public:
  LayoutMaker(const Datatype& type, ObjectLayout& layout)
      : m_layout(layout), m_offset((type.rowSize + 3) / 4 * 4) {
    m_layout.type = &type;
    for (const Leaf& leaf : type.leaves)
      m_layout.columns.push_back({ObjectLayout::rows, leaf.offset, 0, sizeOf(leaf)});
    for (const VectorMember& vector : type.vectors) {
      const bool isText = vector.holdsStrings();
      addList(isText ? 1 : vector.rowSize, vector.innerLists());
      for (const Leaf& leaf : isText ? std::span(&characterLeaf, 1) : vector.leaves)
        m_layout.columns.push_back(
            {m_layout.pools - 1, leaf.offset, isText ? 1 : vector.rowSize, sizeOf(leaf)});
    }
    for (const Relation& relation : type.relations) {
      if (relation.many) {
        addList(sizeof(Reference), 0);
        addReference(m_layout.pools - 1, 0, sizeof(Reference));
      } else {
        m_layout.ones.push_back({columns(), m_offset});
        addReference(ObjectLayout::rows, m_offset, 0);
        m_offset += sizeof(Reference);
      }
    }
    finish();
  }

private:
  static constexpr std::uint32_t offsetSize = sizeof(std::uint32_t);
  [[nodiscard]] static std::uint32_t sizeOf(const Leaf& leaf) {
    return static_cast<std::uint32_t>(kaon::sizeOf(leaf.type)) * leaf.extent;
  }
  [[nodiscard]] std::uint32_t columns() const {
    return static_cast<std::uint32_t>(m_layout.columns.size());
  }
  /// Adds a list with its pools and the columns of all slices; the caller adds those of the leaves.
  void addList(std::uint32_t leafSize, std::uint32_t innerLists) {
    ObjectLayout::List& list = m_layout.lists.emplace_back(ObjectLayout::List{
        columns(), columns() + 1, m_layout.pools, 0, m_offset, innerLists, leafSize});
    list.elementSize = list.sizeIn(0);
    m_layout.columns.push_back({ObjectLayout::rows, m_offset, 0, offsetSize});
    m_offset += sizeof(ListRow);
    for (std::uint32_t level = 0; level < innerLists; ++level)
      m_layout.columns.push_back({m_layout.pools++, 0, sizeof(Slice), offsetSize});
    ++m_layout.pools;
  }
  void addReference(std::uint32_t pool, std::uint32_t offset, std::uint32_t stride) {
    constexpr auto neighbour = static_cast<std::uint32_t>(offsetof(Reference, neighbour));
    m_layout.columns.push_back({pool, offset, stride, sizeof(Reference::index)});
    m_layout.columns.push_back({pool, offset + neighbour, stride, sizeof(Reference::neighbour)});
  }
  void finish() {
    const Datatype& type = *m_layout.type;
    const std::uint32_t unit = type.alignment > 4 ? type.alignment : 4;
    m_layout.rowSize = std::max(unit, (m_offset + unit - 1) / unit * unit);
    if (type.rowSize > 0 && type.vectors.empty() && type.relations.empty())
      m_layout.rowSize = type.rowSize; // only structs, perhaps bare values
    for (ObjectLayout::Column& column : m_layout.columns)
      if (column.pool == ObjectLayout::rows)
        column.stride = m_layout.rowSize;
    m_layout.manyLists = detail::addressOf(m_layout.lists.data()) +
                         (type.vectors.size() - m_layout.ones.size()) * sizeof(ObjectLayout::List);
    m_layout.newRow.resize(m_layout.rowSize);
    if (type.rowSize > 0)
      std::memcpy(m_layout.newRow.data(), type.defaults.data(), type.rowSize);
    for (const ObjectLayout::One& one : m_layout.ones) {
      const Reference nothing;
      std::memcpy(m_layout.newRow.data() + one.offset, &nothing, sizeof nothing);
    }
  }

  ObjectLayout& m_layout;
  std::uint32_t m_offset;
};

bool haveSameTypes(std::span<const Leaf> a, std::span<const Leaf> b) {
  return std::ranges::equal(a, b, [](const Leaf& x, const Leaf& y) {
    return x.type == y.type && x.extent == y.extent && x.offset == y.offset;
  });
}

} // namespace

bool haveSameColumns(const Datatype& a, const Datatype& b) {
  return a.rowSize == b.rowSize && a.alignment == b.alignment &&
         haveSameTypes(a.leaves, b.leaves) &&
         std::ranges::equal(a.vectors, b.vectors,
                            [](const VectorMember& x, const VectorMember& y) {
                              return x.isString() == y.isString() &&
                                     x.holdsStrings() == y.holdsStrings() && x.depth == y.depth &&
                                     x.rowSize == y.rowSize && haveSameTypes(x.leaves, y.leaves);
                            }) &&
         std::ranges::equal(a.relations, b.relations, {}, &Relation::many, &Relation::many);
}

bool areSame(const Datatype& a, const Datatype& b) {
  const auto sameNames = [](const auto& x, const auto& y) { return x.name == y.name; };
  return &a == &b || (a.name == b.name && haveSameColumns(a, b) &&
                      std::ranges::equal(a.leaves, b.leaves, sameNames) &&
                      std::ranges::equal(a.vectors, b.vectors, sameNames) &&
                      std::ranges::equal(a.relations, b.relations, sameNames));
}

namespace {

const ObjectLayout& findLayout(const Datatype& type) {
  static std::mutex mutex;
  static Lasting<std::unordered_map<const Datatype*, std::unique_ptr<const ObjectLayout>>> layouts;
  const std::lock_guard lock(mutex);
  std::unique_ptr<const ObjectLayout>& layout = (*layouts)[&type];
  if (!layout) {
    auto newLayout = std::make_unique<ObjectLayout>();
    LayoutMaker(type, *newLayout);
    if (newLayout->columns.size() > ObjectLayout::mostColumns ||
        std::max(newLayout->lists.size(), newLayout->ones.size()) > ObjectLayout::mostLists)
      fail(ErrorKind::usage, "the datatype ", type.name, " has more than ",
           ObjectLayout::mostColumns, " columns, or ", ObjectLayout::mostLists,
           " lists or relations to one object");
    layout = std::move(newLayout);
  }
  return *layout;
}

} // namespace

/// Each new collection requests a layout, so layouts requested before are mostly found without the
/// lock.
const ObjectLayout& layoutOf(const Datatype& type) {
  static constinit std::array<std::atomic<const ObjectLayout*>, 64> asked{};
  const auto hash = std::uint64_t{0x9e3779b97f4a7c15} * detail::addressOf(&type);
  std::atomic<const ObjectLayout*>& last = asked[hash >> 58];
  const ObjectLayout* layout = last.load(std::memory_order_acquire);
  if (!layout || layout->type != &type) {
    layout = &findLayout(type);
    last.store(layout, std::memory_order_release);
  }
  return *layout;
}

} // namespace kaon::detail
