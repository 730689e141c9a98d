#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/kaonfile/FileStructs.h>
#include <kaon/model/Scalar.h>
#include <kaon/model/Table.h>

#include <cstddef>
#include <span>

namespace kaon::kaonfile {

/// The least and the greatest value of a page; NaN is ignored.
struct PageBounds {
  Bounds bounds;
  PageFlags flags = PageFlags::unbounded;

  /// Extends the bounds by those of another page of the same type.
  void add(const PageBounds& other, Scalar type) noexcept;
};
/// Returns the bounds in the form for users.
[[nodiscard]] Extremes extremesOf(const PageBounds& bounds) noexcept;
[[nodiscard]] PageBounds boundsOf(Scalar type, std::span<const std::byte> values) noexcept;

/// Returns the bounds of a member in rows of `rowSize` bytes.
[[nodiscard]] PageBounds boundsInRows(const Member& member, std::size_t rowSize,
                                      std::span<const std::byte> rows) noexcept;

} // namespace kaon::kaonfile
