#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kaon {

/// Where values are that lie one after another, as pages mostly have them: which one is looked up
/// is known from its type alone. Null where they lie otherwise, or are nowhere yet.
using ObjectArray = std::atomic<const std::byte*>;

/// A column of a collection in memory that is no array: where its values are, once these are there.
struct ObjectColumn {
  std::atomic<const std::byte*> base = nullptr; ///< null for an array, too
  std::uint32_t stride = 0;                     ///< also of an array
  /// How many columns, from this one on, lie to each other as the leaves do in the user's struct.
  std::uint32_t together = 1;
};

/// Where the objects of a collection are that lie in rows which begin with the datatype's struct:
/// those that are built, and those in rows of a file. A loop over them finds members by where these
/// are in the struct, without looking at their columns.
struct ObjectStructs {
  /// `unknown`: it turns out when the first column is there.
  enum class State : std::uint8_t { none, unknown, known };

  std::atomic<State> state = State::none; ///< what follows is there if they are `known`
  std::size_t stride = 0;
  const std::byte* begin = nullptr; ///< null for a collection that never had objects
};

} // namespace kaon
