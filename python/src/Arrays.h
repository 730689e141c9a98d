#pragma once

#include <kaon/model/Scalar.h>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <span>

namespace kaon::python {

/// The arrays of one table: the rows of some entries, one after another.
struct TableArrays {
  nanobind::object offsets; ///< int64, where each list begins, from 0; None: no lists
  nanobind::object present; ///< bool per entry; None: present everywhere, or under another table
  nanobind::dict members;   ///< by member number, of shape (rows,) or (rows, extent)
};

/// Returns an uninitialised array of shape (rows,), or (rows, extent) if the extent is not 1.
/// Memory of at least 1 MiB is kept for reuse; NumPy allocates smaller arrays.
[[nodiscard]] nanobind::object emptyArray(Scalar type, std::size_t rows, std::size_t extent = 1);

/// Returns the memory of an array that emptyArray() made.
template <class T = std::byte>
[[nodiscard]] T* dataOf(const nanobind::object& array) {
  return static_cast<T*>(nanobind::cast<nanobind::ndarray<>>(array).data());
}

/// A read-only array of any type.
using AnyArray = nanobind::ndarray<nanobind::ro, nanobind::c_contig, nanobind::device::cpu>;

[[nodiscard]] nanobind::dlpack::dtype dtypeOf(Scalar type);

/// Sets each true bool to 1. NumPy accepts any byte other than 0 as true, but kaon counts with
/// bools.
void normaliseBools(std::span<std::byte> bools) noexcept;

} // namespace kaon::python
