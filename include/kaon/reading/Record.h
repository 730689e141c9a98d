#pragma once

#include <kaon/array/ArrayFunctions.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/batch/MemberType.h>
#include <kaon/detail/reading/EntryValue.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kaon {

namespace detail {

/// The name of a member as a template argument.
template <std::size_t size>
struct MemberName {
  consteval MemberName(const char (&text)[size]) { std::ranges::copy(text, chars.begin()); }
  [[nodiscard]] constexpr std::string_view view() const noexcept {
    return {chars.data(), size - 1};
  }
  std::array<char, size> chars = {};
};

} // namespace detail

/// Reads several columns into a struct of the user. Each name is a member below the column that you
/// read. The names have the order of the struct's members.
///
///   struct Vec { float x, y, z; };
///   using Momentum = kaon::Record<Vec, "x", "y", "z">;
///   for (auto [momenta] : events.each<kaon::Array<Momentum>>("MCParticles.momentum"))
///     for (const Vec& p : momenta) ...
///
/// The struct's members are numbers, or std::array for arrays of fixed length.
template <class S, detail::MemberName... names>
struct Record {
  static_assert(std::is_aggregate_v<S> && sizeof...(names) >= 1 && sizeof...(names) <= 16,
                "a record must be an aggregate of 1 to 16 members, and each member needs a name");
};

namespace detail {

/// Returns references to the members of a struct with n members.
template <std::size_t n, class S>
[[nodiscard]] constexpr auto membersOf(S& s) {
  if constexpr (n == 1) {
    auto& [a] = s;
    return std::tie(a);
  } else if constexpr (n == 2) {
    auto& [a, b] = s;
    return std::tie(a, b);
  } else if constexpr (n == 3) {
    auto& [a, b, c] = s;
    return std::tie(a, b, c);
  } else if constexpr (n == 4) {
    auto& [a, b, c, d] = s;
    return std::tie(a, b, c, d);
  } else if constexpr (n == 5) {
    auto& [a, b, c, d, e] = s;
    return std::tie(a, b, c, d, e);
  } else if constexpr (n == 6) {
    auto& [a, b, c, d, e, f] = s;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (n == 7) {
    auto& [a, b, c, d, e, f, g] = s;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (n == 8) {
    auto& [a, b, c, d, e, f, g, h] = s;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (n == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = s;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (n == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = s;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (n == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = s;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (n == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = s;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (n == 13) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = s;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (n == 14) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o] = s;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o);
  } else if constexpr (n == 15) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p] = s;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p);
  } else {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q] = s;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q);
  }
}

/// The columns of a struct's members: addresses of values, types, and extents.
template <class Members>
struct MemberColumns;
template <class... M>
struct MemberColumns<std::tuple<M&...>> {
  using Places = std::tuple<const M*...>;
  static constexpr std::array<ColumnType, sizeof...(M)> types(unsigned depth) {
    return {ColumnType{MemberType<M>::scalar, depth}...};
  }
  static constexpr std::array<std::uint32_t, sizeof...(M)> extents = {MemberType<M>::extent...};
};
template <class S, std::size_t members>
using ColumnsOf = MemberColumns<decltype(membersOf<members>(std::declval<S&>()))>;

/// Returns the struct in a row of columns.
template <class S, class Places>
[[nodiscard]] S recordAt(const Places& places, std::size_t row) noexcept {
  return std::apply([row](const auto*... values) { return S{values[row]...}; }, places);
}

/// The columns of a record, whose rows are in `lists` levels of lists.
template <class S, unsigned lists, MemberName... names>
struct RecordColumns {
  using Columns = ColumnsOf<S, sizeof...(names)>;
  static constexpr std::array<std::string_view, sizeof...(names)> memberNames = {names.view()...};
  static constexpr std::array<ColumnType, sizeof...(names)> types = Columns::types(lists);
  static constexpr std::array<std::uint32_t, sizeof...(names)> extents = Columns::extents;

  typename Columns::Places places;
  /// Sets the addresses of the values. `columns(i)` returns column i.
  void viewMembers(const auto& columns) {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      ((std::get<i>(places) =
            valuesAt<std::remove_pointer_t<std::tuple_element_t<i, typename Columns::Places>>>(
                columns(i).values)),
       ...);
    }(std::index_sequence_for<decltype(names)...>());
  }
};

} // namespace detail

/// The records of one entry, each made on access. A view.
template <class S, detail::MemberName... names>
class Array<Record<S, names...>> : public detail::ArrayTag {
public:
  using value_type = S;
  using Places = typename detail::ColumnsOf<S, sizeof...(names)>::Places;

  Array() = default;
  /// Views the rows [first, first + size) of the columns.
  Array(const Places& places, std::size_t first, std::size_t size) noexcept
      : m_places(places), m_first(first), m_size(size) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] bool empty() const noexcept { return m_size == 0; }
  /// Returns record `i`. Does not check `i`.
  S operator[](std::size_t i) const noexcept { return detail::recordAt<S>(m_places, m_first + i); }
  /// Returns record `i`. Throws Error(usage) if `i` is out of range.
  [[nodiscard]] S at(std::size_t i) const {
    if (i >= m_size)
      fail(ErrorKind::usage, "index ", i, " is out of range in an array of size ", m_size);
    return (*this)[i];
  }
  [[nodiscard]] auto begin() const noexcept { return detail::ArrayIterator<Array>(*this, 0); }
  [[nodiscard]] auto end() const noexcept { return detail::ArrayIterator<Array>(*this, m_size); }

private:
  Places m_places{};
  std::size_t m_first = 0;
  std::size_t m_size = 0;
};

template <class S, detail::MemberName... names>
struct detail::EntryValue<Record<S, names...>> : detail::RecordColumns<S, 0, names...> {
  using Value = S;
  void view(const auto& columns) noexcept { this->viewMembers(columns); }
  S operator[](std::size_t entry) const noexcept {
    return detail::recordAt<S>(this->places, entry);
  }
};

template <class S, detail::MemberName... names>
struct detail::EntryValue<Array<Record<S, names...>>> : detail::RecordColumns<S, 1, names...> {
  using Value = Array<Record<S, names...>>;
  const std::uint32_t* offsets = nullptr;
  void view(const auto& columns) noexcept {
    this->viewMembers(columns);
    offsets = columns(0).offsets[0].data();
  }
  Value operator[](std::size_t entry) const noexcept {
    return {this->places, offsets[entry], offsets[entry + 1] - offsets[entry]};
  }
};

} // namespace kaon
