#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace kaon {

/// The types of single values. Files store these numbers.
enum class Scalar : std::uint8_t {
  Bool,
  Int8,
  UInt8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Int64,
  UInt64,
  Float32,
  Float64
};
namespace detail {

inline constexpr std::size_t scalarKinds = 11;

} // namespace detail

/// Returns the size of one value in bytes.
[[nodiscard]] constexpr std::uint32_t sizeOf(Scalar type) noexcept {
  constexpr std::uint32_t sizes[detail::scalarKinds] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

[[nodiscard]] constexpr bool isFloat(Scalar type) noexcept {
  return type == Scalar::Float32 || type == Scalar::Float64;
}

/// Returns NumPy's name of the type: "bool", "int8", ..., "float64".
[[nodiscard]] constexpr std::string_view nameOf(Scalar type) noexcept {
  constexpr std::string_view names[detail::scalarKinds] = {"bool",   "int8",    "uint8",  "int16",
                                                           "uint16", "int32",   "uint32", "int64",
                                                           "uint64", "float32", "float64"};
  return names[static_cast<std::size_t>(type)];
}

/// Returns the scalar for a C++ number type.
template <class T>
[[nodiscard]] constexpr Scalar scalarOf() noexcept {
  static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8,
                "columns cannot have values of this type");
  if constexpr (std::is_same_v<T, bool>)
    return Scalar::Bool;
  else if constexpr (std::is_floating_point_v<T>)
    return sizeof(T) == 4 ? Scalar::Float32 : Scalar::Float64;
  else if constexpr (std::is_signed_v<T>)
    return sizeof(T) == 1   ? Scalar::Int8
           : sizeof(T) == 2 ? Scalar::Int16
           : sizeof(T) == 4 ? Scalar::Int32
                            : Scalar::Int64;
  else
    return sizeof(T) == 1   ? Scalar::UInt8
           : sizeof(T) == 2 ? Scalar::UInt16
           : sizeof(T) == 4 ? Scalar::UInt32
                            : Scalar::UInt64;
}

/// Calls `use(T())` with the C++ type of a scalar. Bools are passed as bytes.
template <class Use>
auto withScalar(Scalar type, Use use) {
  switch (type) {
  case Scalar::Int8:
    return use(std::int8_t{});
  case Scalar::Bool:
  case Scalar::UInt8:
    return use(std::uint8_t{});
  case Scalar::Int16:
    return use(std::int16_t{});
  case Scalar::UInt16:
    return use(std::uint16_t{});
  case Scalar::Int32:
    return use(std::int32_t{});
  case Scalar::UInt32:
    return use(std::uint32_t{});
  case Scalar::Int64:
    return use(std::int64_t{});
  case Scalar::UInt64:
    return use(std::uint64_t{});
  case Scalar::Float32:
    return use(float{});
  case Scalar::Float64:
    break;
  }
  return use(double{});
}

} // namespace kaon
