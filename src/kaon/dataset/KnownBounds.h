#pragma once

#include <kaon/batch/Source.h>
#include <kaon/expression/Bounds.h>
#include <kaon/model/Scalar.h>

#include <cstddef>
#include <functional>
#include <optional>

namespace kaon::detail {

/// What is known of some entries of a file without reading them.
struct KnownBounds {
  EntryRange entries;
  /// The extremes of the values of an argument, by its number; nothing where they are not known.
  std::function<std::optional<expression::Extremes>(std::size_t argument)> extremes;
};

/// The extremes of values of this type as numbers.
[[nodiscard]] expression::Extremes numbersOf(const Extremes& extremes, Scalar type);

} // namespace kaon::detail
