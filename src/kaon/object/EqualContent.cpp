#include <kaon/detail/object/EqualContent.h>

#include <cstring>
#include <span>
#include <unordered_map>

namespace kaon::detail {
namespace {

/// Compares two collections of one datatype, and pairs the collections that they refer to.
class ContentComparison {
public:
  ContentComparison(const CollectionData& a, const CollectionData& b) : m_a(a), m_b(b) {
    m_pairs[&a] = &b;
    m_pairsBack[&b] = &a;
  }

  [[nodiscard]] bool equal() {
    for (std::size_t object = 0; object < m_a.size(); ++object) {
      const std::uint32_t a = m_a.rowOf(object), b = m_b.rowOf(object);
      if (!equalLeaves(m_a.type().leaves, 0, a, b) || !equalVectors(a, b) || !equalRelations(a, b))
        return false;
    }
    return true;
  }

private:
  [[nodiscard]] bool equalLeaves(std::span<const Leaf> leaves, std::uint32_t first, std::size_t i,
                                 std::size_t k) const {
    for (std::uint32_t leaf = 0; leaf < leaves.size(); ++leaf)
      if (std::memcmp(m_a.at(first + leaf, i), m_b.at(first + leaf, k),
                      std::size_t{sizeOf(leaves[leaf].type)} * leaves[leaf].extent) != 0)
        return false;
    return true;
  }
  [[nodiscard]] bool equalVectors(std::size_t inA, std::size_t inB) const {
    for (std::uint32_t v = 0; v < m_a.type().vectors.size(); ++v) {
      const ObjectLayout::List& list = m_a.layout().vectorMember(v);
      if (!equalElements(m_a.type().vectors[v], list, 0, m_a.slice(list, inA),
                         m_b.slice(list, inB)))
        return false;
    }
    return true;
  }
  /// Whether two lists at a level, and the lists in them, have equal elements.
  [[nodiscard]] bool equalElements(const VectorMember& vector, const ObjectLayout::List& list,
                                   std::uint32_t level, Slice a, Slice b) const {
    if (a.end - a.begin != b.end - b.begin)
      return false;
    const bool isInnermost = level == list.innerLists;
    if (isInnermost && vector.type == VectorMember::string)
      return m_a.text(list.firstLeaf(), a) == m_b.text(list.firstLeaf(), b);
    for (std::uint32_t i = 0; i < a.end - a.begin; ++i)
      if (isInnermost ? !equalLeaves(vector.leaves, list.firstLeaf(), a.begin + i, b.begin + i)
                      : !equalElements(vector, list, level + 1,
                                       m_a.innerSlice(list, level + 1, a.begin + i),
                                       m_b.innerSlice(list, level + 1, b.begin + i)))
        return false;
    return true;
  }
  [[nodiscard]] bool equalRelations(std::size_t inA, std::size_t inB) {
    for (std::uint32_t r = 0; r < m_a.type().relations.size(); ++r) {
      if (!m_a.type().relations[r].many) {
        const std::uint32_t first = m_a.layout().ones[r].first;
        if (!equalTargets(m_a.follow(r, first, inA), m_b.follow(r, first, inB)))
          return false;
        continue;
      }
      const ObjectLayout::List& list = m_a.layout().manyRelation(r);
      const Slice a = m_a.slice(list, inA), b = m_b.slice(list, inB);
      if (a.end - a.begin != b.end - b.begin)
        return false;
      for (std::uint32_t i = 0; i < a.end - a.begin; ++i)
        if (!equalTargets(m_a.follow(r, list.first, a.begin + i),
                          m_b.follow(r, list.first, b.begin + i)))
          return false;
    }
    return true;
  }
  [[nodiscard]] bool equalTargets(ObjectLocator a, ObjectLocator b) {
    if (!a || !b)
      return a.data == b.data;
    if (a.index() != b.index() || !areSame(a.data->type(), b.data->type()))
      return false;
    return m_pairs.try_emplace(a.data, b.data).first->second == b.data &&
           m_pairsBack.try_emplace(b.data, a.data).first->second == a.data;
  }

  const CollectionData& m_a;
  const CollectionData& m_b;
  std::unordered_map<const CollectionData*, const CollectionData*> m_pairs;
  std::unordered_map<const CollectionData*, const CollectionData*> m_pairsBack;
};

} // namespace

bool equalContent(const CollectionData& a, const CollectionData& b) {
  return &a == &b ||
         (areSame(a.type(), b.type()) && a.size() == b.size() && ContentComparison(a, b).equal());
}

} // namespace kaon::detail
