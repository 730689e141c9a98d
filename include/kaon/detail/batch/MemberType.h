#pragma once

#include <kaon/model/Scalar.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace kaon::detail {

/// The type of a value in a column: a number, or an array of numbers.
template <class M>
struct MemberType {
  static_assert(std::is_arithmetic_v<M>, "values of columns are numbers, and std::array of them");
  static constexpr Scalar scalar = scalarOf<M>();
  static constexpr std::uint32_t extent = 1;
};
template <class M, std::size_t size>
struct MemberType<std::array<M, size>> {
  static constexpr Scalar scalar = scalarOf<M>();
  static constexpr std::uint32_t extent = size;
};

} // namespace kaon::detail
