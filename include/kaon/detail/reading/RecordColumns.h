#pragma once

#include <kaon/detail/base/Memory.h>
#include <kaon/detail/batch/MemberType.h>
#include <kaon/detail/reading/ColumnValues.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kaon::detail {

/// The name of a member as a template argument.
template <std::size_t size>
struct MemberName {
  consteval MemberName(const char (&text)[size]) { std::ranges::copy(text, chars.begin()); }
  [[nodiscard]] constexpr std::string_view view() const noexcept {
    return {chars.data(), size - 1};
  }
  std::array<char, size> chars = {};
};

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

} // namespace kaon::detail
