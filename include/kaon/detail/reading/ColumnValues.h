#pragma once

#include <kaon/detail/base/Memory.h>
#include <kaon/model/Scalar.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace kaon::detail {

/// The maximum of list levels in computations with columns.
inline constexpr unsigned mostListLevels = 4;

/// The type of a column's value in each entry: a number, a list of numbers, a list of lists of
/// numbers, a text, or a list of texts.
struct ColumnType {
  Scalar scalar = Scalar::Float64;
  unsigned depth = 0;  ///< 0: a number; 1: a list of numbers, or a text
  bool isText = false; ///< the innermost lists are the bytes of texts, usually in UTF-8

  /// Returns the levels of lists around the values, where a text is one value.
  [[nodiscard]] constexpr unsigned lists() const noexcept { return depth - (isText ? 1 : 0); }
  /// Returns whether values can be read as another type. Texts can be read as lists of bytes.
  [[nodiscard]] constexpr bool fits(const ColumnType& other) const noexcept {
    return scalar == other.scalar && depth == other.depth;
  }
  friend bool operator==(const ColumnType&, const ColumnType&) = default;
};

/// Returns the type's name: "float32", "list of float32", "list of lists of float32", "string",
/// "list of strings".
[[nodiscard]] std::string nameOf(ColumnType type);

/// A column's values in some entries, one after another, and the offsets of their lists. A view
/// that owns nothing.
struct ColumnValues {
  /// Aligned for their type. Bools are bytes of 0 and 1.
  const std::byte* values = nullptr;
  std::size_t size = 0; ///< number of values
  /// The offsets of each level of lists, the outermost first: list i has the elements [offsets[i],
  /// offsets[i + 1]) of the level below. The first offset is 0.
  std::array<std::span<const std::uint32_t>, mostListLevels> offsets = {};
  /// For an optional that is read with its presence: one byte per row, 0 where the value is
  /// missing. Null if all are present.
  const std::byte* present = nullptr;

  template <class T>
  [[nodiscard]] std::span<const T> as() const noexcept {
    return {detail::valuesAt<T>(values), size};
  }
};

} // namespace kaon::detail
