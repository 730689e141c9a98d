#pragma once

#include <kaon/object/Link.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <span>
#include <tuple>
#include <vector>

namespace kaon {

/// An object at the other end of a link, and the link's weight.
template <class T>
struct WeightedObject {
  T o;
  float weight = 1;
  friend bool operator==(const WeightedObject&, const WeightedObject&) = default;
};

namespace detail {
/// A link seen from one end. Links from the same object are contiguous.
struct LinkEnd {
  ObjectLocator from;
  ObjectLocator to;
  float weight;
};
struct BeforeInLinks {
  bool operator()(const LinkEnd& a, ObjectLocator b) const { return less(a.from, b); }
  bool operator()(ObjectLocator a, const LinkEnd& b) const { return less(a, b.from); }
  bool operator()(const LinkEnd& a, const LinkEnd& b) const { return less(a.from, b.from); }
  static bool less(ObjectLocator a, ObjectLocator b) {
    return a.data == b.data ? a.row < b.row : std::less<>()(a.data, b.data);
  }
};
} // namespace detail

namespace detail {

/// The objects linked with one object, in the order of the links: a view, valid as long as its
/// navigator.
template <class T>
class LinkedRange {
public:
  using value_type = WeightedObject<T>;
  using iterator = IndexIterator<LinkedRange>;
  using const_iterator = iterator;

  LinkedRange() = default;
  explicit LinkedRange(std::span<const detail::LinkEnd> links) : m_links(links) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_links.size(); }
  [[nodiscard]] bool empty() const noexcept { return m_links.empty(); }
  [[nodiscard]] WeightedObject<T> operator[](std::size_t i) const {
    return {objectAt<T>(m_links[i].to), m_links[i].weight};
  }
  /// Throws std::out_of_range.
  [[nodiscard]] WeightedObject<T> at(std::size_t i) const {
    if (i >= size())
      detail::failIndex(i, size());
    return (*this)[i];
  }
  [[nodiscard]] WeightedObject<T> front() const { return (*this)[0]; }
  [[nodiscard]] WeightedObject<T> back() const { return (*this)[size() - 1]; }
  [[nodiscard]] iterator begin() const { return {*this, 0}; }
  [[nodiscard]] iterator end() const { return {*this, size()}; }
  operator std::vector<value_type>() const { return {begin(), end()}; }

private:
  std::span<const detail::LinkEnd> m_links;
};

/// Select the end of the links that getLinked() returns, if both ends have the same type.
struct ReturnFromTag {};
struct ReturnToTag {};

} // namespace detail
inline constexpr detail::ReturnFromTag returnFrom;
inline constexpr detail::ReturnToTag returnTo;

/// Finds the objects at the other ends of a collection's links, from either end. It sorts the links
/// once; look-ups allocate no memory. The collection must outlive it, unchanged and at the same
/// entry. Any number of threads may use it. A link without an end leads to an object that is not
/// available.
template <class Links>
class LinkNavigator {
public:
  using FromType = typename Links::value_type::FromType;
  using ToType = typename Links::value_type::ToType;

  /// Throws Error(corrupt) or Error(type) if a damaged file's links have invalid targets.
  explicit LinkNavigator(const Links& links) {
    m_byFrom.reserve(links.size());
    m_byTo.reserve(links.size());
    for (const auto link : links) {
      const detail::ObjectLocator from = link.getFrom().place(), to = link.getTo().place();
      if (from)
        m_byFrom.push_back({from, to, link.getWeight()});
      if (to)
        m_byTo.push_back({to, from, link.getWeight()});
    }
    std::ranges::stable_sort(m_byFrom, detail::BeforeInLinks());
    std::ranges::stable_sort(m_byTo, detail::BeforeInLinks());
  }

  /// Returns the objects that links from this object lead to.
  [[nodiscard]] detail::LinkedRange<ToType> getLinkedTo(const FromType& object) const {
    return find<ToType>(m_byFrom, object.place());
  }
  /// Returns the objects whose links lead to this one.
  [[nodiscard]] detail::LinkedRange<FromType> getLinkedFrom(const ToType& object) const {
    return find<FromType>(m_byTo, object.place());
  }

  /// Returns the objects at the other ends of this object's links.
  template <class T>
    requires(detail::endOf<FromType, ToType, T> != detail::LinkEndKind::neither)
  [[nodiscard]] auto getLinked(const T& object) const {
    if constexpr (detail::endOf<FromType, ToType, T> == detail::LinkEndKind::from)
      return getLinkedTo(object);
    else
      return getLinkedFrom(object);
  }
  [[nodiscard]] detail::LinkedRange<FromType> getLinked(const ToType& object,
                                                        detail::ReturnFromTag) const {
    return getLinkedFrom(object);
  }
  [[nodiscard]] detail::LinkedRange<ToType> getLinked(const FromType& object,
                                                      detail::ReturnToTag) const {
    return getLinkedTo(object);
  }

private:
  using Sorted = std::vector<detail::LinkEnd>;
  template <class T>
  [[nodiscard]] static detail::LinkedRange<T> find(const Sorted& links,
                                                   detail::ObjectLocator object) {
    const auto [first, last] =
        std::equal_range(links.begin(), links.end(), object, detail::BeforeInLinks());
    return detail::LinkedRange<T>(std::span(first, last));
  }

  Sorted m_byFrom; // by the object that a link leads from
  Sorted m_byTo;   // the reversed links, by the object that a link leads to
};

} // namespace kaon
