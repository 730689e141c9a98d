#pragma once

#include <kaon/formats/root/Documentation.h>
#include <kaon/formats/root/tree/Shape.h>
#include <kaon/formats/root/tree/TreeDescription.h>

#include <cstdint>

namespace kaon::root {

/// Values that are decoded together from the baskets of a branch: a leaf, or values of any shape.
struct Unit {
  enum class Kind : std::uint8_t {
    numbers, ///< a fixed number in an entry, or for each counted value
    lists,   ///< a list of numbers in an entry, behind a few header bytes
    streamed ///< all others
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  Kind kind = Kind::streamed;
  const BranchDescription* branch = nullptr;
  std::uint32_t slot = 0;       ///< The number of its branch among those that are read.
  std::uint32_t counter = none; ///< The unit with the number of its values in an entry.
  std::uint32_t sizes = none;   ///< Streamed: the unit with the lengths of its arrays.
  ShapePart part;               ///< Numbers and lists use only its numbers.
  std::uint32_t offset = 0;     ///< Numbers: of the leaf, in an entry with several leaves.
  std::uint32_t entryBytes = 0; ///< Numbers: size of an entry with several leaves, otherwise 0.
  std::uint32_t headBytes = 0;  ///< Lists: size of the header.
  double bytesPerEntry = 0;     ///< Estimated size of the decoded values.
  Documentation documentation = {};

  /// Returns the numbers of a unit of numbers or lists.
  [[nodiscard]] const Shape& numbers() const noexcept {
    return kind == Kind::lists ? part.shape.parts[0].shape : part.shape;
  }
  /// Returns the stored size of one of its values.
  [[nodiscard]] std::uint32_t valueBytes() const noexcept {
    return numbers().form.storedBytes * numbers().extent;
  }
};

/// The source of the values of a column.
struct ColumnOrigin {
  enum class Kind : std::uint8_t {
    presence,  ///< Present in all entries.
    counter,   ///< Counts: the values of a unit of numbers.
    listSizes, ///< Counts: the lengths of a unit of lists.
    numbers,   ///< Of a unit of numbers or lists.
    streamed   ///< An output of a streamed unit.
  };
  Kind kind = Kind::presence;
  std::uint32_t unit = 0;
  std::uint32_t output = 0;
};

} // namespace kaon::root
