#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kaon::detail {

/// The address of contiguous values, as in most pages: the type alone determines the position of a
/// value. Null if the values are not contiguous or not decoded.
using ObjectArray = std::atomic<const std::byte*>;

/// A column of a collection in memory that is not an array: the position of its values, once they
/// are decoded.
struct ObjectColumn {
  std::atomic<const std::byte*> base = nullptr; ///< null for an array, too
  std::uint32_t stride = 0;                     ///< also set for an array
  /// The number of columns, from this one on, with the same relative positions as the leaves in the
  /// user's struct.
  std::uint32_t together = 1;
};

/// The positions of a collection's objects in rows that begin with the datatype's struct: in built
/// collections, and in files with row layout. A loop over these objects finds members by their
/// offsets in the struct, without looking up columns.
struct ObjectStructs {
  /// `unknown`: decoding the first column decides it.
  enum class State : std::uint8_t { none, unknown, known };

  std::atomic<State> state = State::none; ///< the members below are valid if `known`
  std::size_t stride = 0;
  const std::byte* begin = nullptr; ///< null for a collection that never had objects
};

} // namespace kaon::detail
