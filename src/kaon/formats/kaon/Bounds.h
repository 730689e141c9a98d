#pragma once

#include <kaon/formats/kaon/Format.h>
#include <kaon/model/Scalar.h>

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
[[nodiscard]] PageBounds boundsOf(Scalar type, std::span<const std::byte> values) noexcept;

} // namespace kaon::store
