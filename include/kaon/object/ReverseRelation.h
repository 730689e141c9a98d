#pragma once

#include <kaon/object/Collection.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace kaon {

namespace detail {

/// Maps each object that a relation points to, to the objects of one collection that refer to it.
/// Built in one pass over the relation; look-ups allocate no memory.
class ReferrerIndex {
public:
  ReferrerIndex(const CollectionData& referrers, std::uint32_t relation);
  /// Returns the rows of the objects that refer to `object`, ascending; n times if one refers n
  /// times.
  [[nodiscard]] std::span<const std::uint32_t> of(ObjectLocator object) const noexcept;

private:
  /// The referrers of one collection's objects: [offsets[i], offsets[i + 1]) for object i.
  struct Target {
    std::vector<std::uint32_t> offsets;
    std::vector<std::uint32_t> referrers;
  };
  std::unordered_map<const CollectionData*, Target> m_targets;
};

/// Returns the number of a relation. Throws Error(name), with a suggestion, for an unknown name.
[[nodiscard]] std::uint32_t relationNumber(const Datatype& type, std::string_view name);

} // namespace detail

/// The objects that refer to one object: a view, valid as long as its ReverseRelation.
template <class T>
class ReferrerRange {
public:
  using value_type = T;
  using iterator = detail::IndexIterator<ReferrerRange>;
  using const_iterator = iterator;

  ReferrerRange() = default;
  ReferrerRange(detail::CollectionData* data, std::span<const std::uint32_t> rows)
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
  detail::CollectionData* m_data = nullptr;
  std::span<const std::uint32_t> m_rows;
};

/// A relation in the reverse direction: finds the objects that refer to an object.
///
///     const kaon::ReverseRelation hitsOf(hits, &Hit::getParticle);
///     for (const Hit hit : hitsOf.of(particle)) ...
///
/// The collection must outlive it, unchanged and at the same entry. Any number of threads may use
/// it.
template <class From, class To>
class ReverseRelation {
public:
  /// Takes the accessor of a relation to one object or to many. Throws Error(usage) for another
  /// function, or if the collection is a subset. Throws Error(corrupt) if a damaged file's
  /// relations have invalid targets.
  template <class Target>
    requires std::same_as<std::remove_const_t<Target>, To>
  ReverseRelation(const Collection<From>& referrers, Target (From::*accessor)() const)
      : ReverseRelation(referrers, From::relationOf(accessor)) {}
  ReverseRelation(const Collection<From>& referrers, RelationRange<To> (From::*accessor)() const)
      : ReverseRelation(referrers, From::relationOf(accessor)) {}
  /// Takes the name of the relation in the model. Throws Error(name), with a suggestion, if it is
  /// unknown.
  ReverseRelation(const Collection<From>& referrers, std::string_view relation)
      : ReverseRelation(referrers, detail::relationNumber(From::datatype(), relation)) {}

  /// Returns the objects that refer to this one, in the order of their collection.
  [[nodiscard]] ReferrerRange<From> of(const To& object) const {
    return {m_data, m_index.of(object.place())};
  }

private:
  ReverseRelation(const Collection<From>& referrers, std::uint32_t relation)
      : m_data(&referrers.objects()), m_index(*m_data, relation) {}
  detail::CollectionData* m_data;
  detail::ReferrerIndex m_index;
};

template <class Objects, class From, class To>
ReverseRelation(const Objects&, RelationRange<To> (From::*)() const) -> ReverseRelation<From, To>;
template <class Objects, class From, class To>
ReverseRelation(const Objects&, To (From::*)() const)
    -> ReverseRelation<From, std::remove_const_t<To>>;

} // namespace kaon
