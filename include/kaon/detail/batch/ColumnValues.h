#pragma once

#include <kaon/model/Scalar.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace kaon::detail {

/// Lists lie in lists so deep in what is computed of columns.
inline constexpr unsigned mostListLevels = 4;

/// What a column has for each entry: a number, a list of numbers, a list of lists of numbers; a
/// text, a list of texts.
struct ColumnType {
  Scalar scalar = Scalar::Float64;
  unsigned depth = 0;  ///< 0: a number; 1: a list of numbers, or a text
  bool isText = false; ///< the innermost lists are the bytes of texts, in UTF-8 as a rule

  /// How many lists the values lie in, each text being one value.
  [[nodiscard]] constexpr unsigned lists() const noexcept { return depth - (isText ? 1 : 0); }
  /// Whether values can be looked at as those of another type: texts as lists of their bytes, too.
  [[nodiscard]] constexpr bool fits(const ColumnType& other) const noexcept {
    return scalar == other.scalar && depth == other.depth;
  }
  friend bool operator==(const ColumnType&, const ColumnType&) = default;
};

/// "float32", "list of float32", "list of lists of float32"; "string", "list of strings".
[[nodiscard]] std::string nameOf(ColumnType type);

/// A column of some entries: all values one after another, and where the lists are that they lie
/// in. A view: it owns nothing.
struct ColumnValues {
  const std::byte* values = nullptr; ///< aligned as their type is; bools are bytes of 0 and 1
  std::size_t size = 0;              ///< number of values
  /// For each level of lists, the outermost first: where each list begins in what is below it, and
  /// at last where the last one ends; the first begins at 0.
  std::array<std::span<const std::uint32_t>, mostListLevels> offsets = {};
  /// Of an optional that was asked for with its presence: a byte a row, 0 where it is missing.
  /// Null: all are there.
  const std::byte* present = nullptr;

  template <class T>
  [[nodiscard]] std::span<const T> as() const noexcept {
    return {reinterpret_cast<const T*>(values), size};
  }
};

} // namespace kaon::detail
