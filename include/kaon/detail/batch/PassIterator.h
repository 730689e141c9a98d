#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace kaon::detail {

/// Iterates once over the items that a maker's next() makes. `current` is the maker's function that
/// returns the current item. The end is std::default_sentinel.
template <class Maker, auto current>
class PassIterator {
public:
  using value_type = std::remove_cvref_t<decltype((std::declval<const Maker&>().*current)())>;
  using difference_type = std::ptrdiff_t;
  explicit PassIterator(Maker& maker) : m_maker(maker.next() ? &maker : nullptr) {}
  const value_type& operator*() const { return (m_maker->*current)(); }
  PassIterator& operator++() {
    if (!m_maker->next())
      m_maker = nullptr;
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const PassIterator& i, std::default_sentinel_t) { return !i.m_maker; }

private:
  Maker* m_maker;
};

} // namespace kaon::detail
