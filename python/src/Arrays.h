#pragma once

#include <kaon/model/Scalar.h>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <span>

namespace kaon::python {

/// What arrays hold of one table: the rows of some entries, one after another.
struct TableArrays {
  nanobind::object offsets; ///< int64, where rows begin, counted from the first one; None: no lists
  nanobind::object present; ///< bool, a value an entry; None: all are, or the table lies under one
  nanobind::dict members;   ///< arrays of shape (rows,) or (rows, extent) by member number
};

/// A new array of shape (rows,), or (rows, extent) if the extent is not 1, with its memory as it
/// came. Small ones NumPy allocates.
[[nodiscard]] nanobind::object emptyArray(Scalar type, std::size_t rows, std::size_t extent = 1);

/// Where an array from emptyArray() lies.
template <class T = std::byte>
[[nodiscard]] T* dataOf(const nanobind::object& array) {
  return static_cast<T*>(nanobind::cast<nanobind::ndarray<>>(array).data());
}

/// An array that is read, of any type.
using AnyArray = nanobind::ndarray<nanobind::ro, nanobind::c_contig, nanobind::device::cpu>;

[[nodiscard]] nanobind::dlpack::dtype dtypeOf(Scalar type);

/// To NumPy any byte of a bool but 0 is true; kaon counts with them: makes them 0 or 1.
void normaliseBools(std::span<std::byte> bools) noexcept;

} // namespace kaon::python
