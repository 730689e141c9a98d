#pragma once

#include <kaon/dataset/Node.h>

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <variant>

namespace kaon {

/// A number of any type, and which.
struct Number {
  template <class T>
    requires std::is_arithmetic_v<T>
  Number(T number) // NOLINT(google-explicit-constructor): numbers are meant by numbers
      : type(scalarOf<T>()), value(widest(number)) {}

  Scalar type;
  std::variant<std::int64_t, std::uint64_t, double> value;

private:
  template <class T>
  [[nodiscard]] static auto widest(T number) noexcept {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<double>(number);
    else if constexpr (std::is_signed_v<T>)
      return static_cast<std::int64_t>(number);
    else
      return static_cast<std::uint64_t>(number);
  }
};

/// A column of the dataset's files, one number an entry, that is `value` where a file lacks it: of
/// the type that the first file has it with, or else of the number's. Throws Error(type) where that
/// is no single number, or the number is none of that type; Error(usage) for what was defined.
[[nodiscard]] Formula columnOr(const Node& node, std::string_view column, const Number& value);

} // namespace kaon
