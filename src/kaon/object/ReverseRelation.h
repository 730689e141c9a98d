#pragma once

#include <kaon/object/Collection.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kaon {

/// Which objects of one collection a relation leads from, by the object that it leads to. Built in
/// one pass over the relation; asking takes no memory.
class ReferrerIndex {
public:
  ReferrerIndex(const CollectionData& referrers, std::uint32_t relation);
  /// The rows of those that refer to an object, ascending; one that does so n times, n times.
  [[nodiscard]] std::span<const std::uint32_t> of(ObjectPlace object) const noexcept;

private:
  /// Those that refer to the objects of one collection: of object i [offsets[i], offsets[i + 1]).
  struct Target {
    std::vector<std::uint32_t> offsets;
    std::vector<std::uint32_t> referrers;
  };
  std::unordered_map<const CollectionData*, Target> m_targets;
};

/// The number of a relation. Throws Error(name), with a suggestion, if there is none of this name.
[[nodiscard]] std::uint32_t relationNumber(const Datatype& type, std::string_view name);

/// The objects that refer to one: a view, valid as long as the ReverseRelation that gave it.
template <class T>
class ReferrerRange {
public:
  using value_type = T;
  using iterator = IndexIterator<ReferrerRange>;
  using const_iterator = iterator;

  ReferrerRange() = default;
  ReferrerRange(CollectionData* data, std::span<const std::uint32_t> rows)
      : m_data(data), m_rows(rows) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_rows.size(); }
  [[nodiscard]] bool empty() const noexcept { return m_rows.empty(); }
  [[nodiscard]] T operator[](std::size_t i) const { return {m_data, m_rows[i]}; }
  /// Throws std::out_of_range.
  [[nodiscard]] T at(std::size_t i) const {
    if (i >= size())
      detail::failIndex(i, size());
    return (*this)[i];
  }
  [[nodiscard]] T front() const { return (*this)[0]; }
  [[nodiscard]] T back() const { return (*this)[size() - 1]; }
  [[nodiscard]] iterator begin() const { return {*this, 0}; }
  [[nodiscard]] iterator end() const { return {*this, size()}; }

private:
  CollectionData* m_data = nullptr;
  std::span<const std::uint32_t> m_rows;
};

/// A relation the other way round: who refers to an object.
///
///     const kaon::ReverseRelation hitsOf(hits, &Hit::getParticle);
///     for (const Hit hit : hitsOf.of(particle)) ...
///
/// The collection, unchanged and at the same entry, must outlive it. Any number of threads may ask.
template <class From, class To>
class ReverseRelation {
public:
  /// By the accessor of a relation to one object, or to many. Throws Error(usage) if it is none, or
  /// if the collection is a subset, Error(corrupt) where a damaged file's relations lead nowhere.
  ReverseRelation(const Collection<From>& referrers, To (From::*accessor)() const)
      : ReverseRelation(referrers, From::relationOf(accessor)) {}
  ReverseRelation(const Collection<From>& referrers, RelationRange<To> (From::*accessor)() const)
      : ReverseRelation(referrers, From::relationOf(accessor)) {}
  /// By its name in the model. Throws Error(name), with a suggestion, if there is no such relation.
  ReverseRelation(const Collection<From>& referrers, std::string_view relation)
      : ReverseRelation(referrers, relationNumber(From::datatype(), relation)) {}

  /// The objects that refer to this one, in the order of their collection.
  [[nodiscard]] ReferrerRange<From> of(const To& object) const {
    return {m_data, m_index.of(object.place())};
  }

private:
  ReverseRelation(const Collection<From>& referrers, std::uint32_t relation)
      : m_data(&referrers.objects()), m_index(*m_data, relation) {}
  CollectionData* m_data;
  ReferrerIndex m_index;
};

template <class Objects, class From, class To>
ReverseRelation(const Objects&, RelationRange<To> (From::*)() const) -> ReverseRelation<From, To>;
template <class Objects, class From, class To>
ReverseRelation(const Objects&, To (From::*)() const) -> ReverseRelation<From, To>;

} // namespace kaon
