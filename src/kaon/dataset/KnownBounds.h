#pragma once

#include <kaon/batch/Source.h>
#include <kaon/expression/ValueBounds.h>
#include <kaon/model/Scalar.h>

#include <cstddef>
#include <functional>
#include <optional>

namespace kaon::detail {

/// Facts about some entries of a file that are known without reading them.
struct KnownBounds {
  EntryRange entries;
  /// Returns the extremes of the values of an argument, by its number; nothing if unknown.
  std::function<std::optional<expression::ValueBounds>(std::size_t argument)> extremes;
};

/// Returns the extremes of values of this type as numbers.
[[nodiscard]] expression::ValueBounds numbersOf(const Extremes& extremes, Scalar type);

} // namespace kaon::detail
