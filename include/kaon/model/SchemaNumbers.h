#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace kaon {

/// The number of a table, member or column, which counts from 0. Integers and numbers convert to
/// each other. Numbers of different things do not: using one as another, or comparing them, does
/// not compile.
template <class Thing>
class NumberOf {
public:
  constexpr NumberOf() = default;
  constexpr NumberOf(std::uint32_t number) noexcept : m_number(number) {}
  template <class Other>
  NumberOf(NumberOf<Other>) = delete;
  constexpr operator std::uint32_t() const noexcept { return m_number; }
  constexpr NumberOf& operator++() noexcept {
    ++m_number;
    return *this;
  }
  constexpr NumberOf operator++(int) noexcept { return m_number++; }
  constexpr NumberOf& operator+=(std::uint32_t count) noexcept {
    m_number += count;
    return *this;
  }

private:
  std::uint32_t m_number = 0;
};

template <class A, class B>
  requires(!std::is_same_v<A, B>)
bool operator==(NumberOf<A>, NumberOf<B>) = delete;
template <class A, class B>
  requires(!std::is_same_v<A, B>)
std::strong_ordering operator<=>(NumberOf<A>, NumberOf<B>) = delete;

struct Column;
struct Member;
struct Table;

/// The number of a table in a schema.
using TableNumber = NumberOf<Table>;
/// The number of a member in its table.
using MemberNumber = NumberOf<Member>;
/// The number of a column in a schema.
using ColumnNumber = NumberOf<Column>;

/// A member of a table.
struct TableMember {
  TableNumber table = ~std::uint32_t{0}; ///< by default, no table
  MemberNumber member = 0;
  friend bool operator==(const TableMember&, const TableMember&) = default;
  friend auto operator<=>(const TableMember&, const TableMember&) = default;
};

/// The numbers [first, last).
template <class Thing>
struct NumberRange {
  NumberOf<Thing> first = 0;
  NumberOf<Thing> last = 0;

  class Iterator {
  public:
    using value_type = NumberOf<Thing>;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    explicit Iterator(NumberOf<Thing> number) noexcept : m_number(number) {}
    NumberOf<Thing> operator*() const noexcept { return m_number; }
    Iterator& operator++() noexcept {
      ++m_number;
      return *this;
    }
    Iterator operator++(int) noexcept { return Iterator(m_number++); }
    friend bool operator==(const Iterator& a, const Iterator& b) noexcept {
      return a.m_number == b.m_number;
    }

  private:
    NumberOf<Thing> m_number;
  };
  [[nodiscard]] Iterator begin() const noexcept { return Iterator(first); }
  [[nodiscard]] Iterator end() const noexcept { return Iterator(last); }
};
using MemberRange = NumberRange<Member>;
using ColumnRange = NumberRange<Column>;

} // namespace kaon

// Ranges of integers can be searched for numbers.
template <class Thing, template <class> class A, template <class> class B>
struct std::basic_common_reference<kaon::NumberOf<Thing>, std::uint32_t, A, B> {
  using type = std::uint32_t;
};
template <class Thing, template <class> class A, template <class> class B>
struct std::basic_common_reference<std::uint32_t, kaon::NumberOf<Thing>, A, B> {
  using type = std::uint32_t;
};
