#pragma once

#include <kaon/base/Error.h>

#include <concepts>
#include <cstdint>

namespace kaon::detail {

/// A function of a handle's class that returns a member or relation, and the number of that member
/// or relation in the datatype.
template <class T, class V>
struct Accessor {
  V (T::*function)() const;
  std::uint32_t number;
};

/// Returns the number of the accessor with this function; generated code lists the accessors of a
/// class. Throws Error(usage) if it is not one of them.
template <class T, class V, class... Vs>
[[nodiscard]] constexpr std::uint32_t numberOf(V (T::*function)() const,
                                               const Accessor<T, Vs>&... accessors) {
  std::uint32_t number = 0;
  [[maybe_unused]] const auto isOf = [&]<class Other>(const Accessor<T, Other>& accessor) {
    number = accessor.number;
    if constexpr (std::same_as<V, Other>)
      return accessor.function == function;
    else
      return false;
  };
  if (!(isOf(accessors) || ...))
    fail(ErrorKind::usage, "this function of ", T::datatype().name,
         " is not the accessor of one of its members or relations");
  return number;
}

} // namespace kaon::detail
