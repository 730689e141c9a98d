#pragma once

#include <kaon/formats/root/Documentation.h>
#include <kaon/formats/root/tree/Shape.h>
#include <kaon/formats/root/tree/TreeDescription.h>

#include <cstdint>

namespace kaon::root {

/// What is decoded from the baskets of a branch together: a leaf, or values of any shape.
struct Unit {
  enum class Kind : std::uint8_t {
    numbers, ///< as many an entry as the extent, or for each that a counter counts
    lists,   ///< a list of numbers an entry, behind a head of a few bytes
    streamed ///< all else
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  Kind kind = Kind::streamed;
  const BranchDescription* branch = nullptr;
  std::uint32_t slot = 0;       ///< the number of its branch among those that are read
  std::uint32_t counter = none; ///< the unit with the number of its values in an entry
  std::uint32_t sizes = none;   ///< streamed: the unit with the sizes of its arrays, one for each
  Part part;                    ///< of numbers and lists only the numbers count
  std::uint32_t offset = 0;     ///< numbers: of the leaf in an entry with several
  std::uint32_t entryBytes = 0; ///< numbers: of an entry with several leaves; else 0
  std::uint32_t headBytes = 0;  ///< lists: before the numbers
  double bytesPerEntry = 0;     ///< of its values when decoded, about
  Documentation documentation = {};

  /// The numbers of a unit of numbers or lists.
  [[nodiscard]] const Shape& numbers() const noexcept {
    return kind == Kind::lists ? part.shape.parts[0].shape : part.shape;
  }
  /// The stored bytes of one of its values.
  [[nodiscard]] std::uint32_t valueBytes() const noexcept {
    return numbers().form.storedBytes * numbers().extent;
  }
};

/// Where the values of a column come from.
struct ColumnOrigin {
  enum class Kind : std::uint8_t {
    presence,  ///< there is one in all entries
    counter,   ///< counts: the values of a unit of numbers
    listSizes, ///< counts: those of a unit of lists
    numbers,   ///< of a unit of numbers or lists
    streamed   ///< an output of a streamed unit
  };
  Kind kind = Kind::presence;
  std::uint32_t unit = 0;
  std::uint32_t output = 0;
};

} // namespace kaon::root
