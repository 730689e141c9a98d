#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/kaon/Format.h>
#include <kaon/model/Scalar.h>
#include <kaon/model/Table.h>

#include <cstddef>
#include <span>

namespace kaon::store {

/// The least and the greatest of a page's values; NaNs are left out.
struct PageBounds {
  Bounds bounds;
  PageFlags flags = PageFlags::unbounded;

  /// Takes in those of another page of the same type.
  void add(const PageBounds& other, Scalar type) noexcept;
};
/// What users see of them.
[[nodiscard]] Extremes extremesOf(const PageBounds& bounds) noexcept;
[[nodiscard]] PageBounds boundsOf(Scalar type, std::span<const std::byte> values) noexcept;

/// Those of a member in whole rows of `rowSize` bytes.
[[nodiscard]] PageBounds boundsInRows(const Member& member, std::size_t rowSize,
                                      std::span<const std::byte> rows) noexcept;

} // namespace kaon::store
