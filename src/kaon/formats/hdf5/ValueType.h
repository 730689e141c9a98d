#pragma once

#include <kaon/base/Error.h>
#include <kaon/formats/hdf5/Library.h>
#include <kaon/model/Scalar.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::hdf5 {

inline constexpr int mostLevels = 16; ///< of nested arrays or records
inline constexpr std::uint64_t mostValueBytes = std::uint64_t{64} << 20;

/// Throws Error(type) with the reason why a dataset is not read.
[[noreturn]] inline void refuse(std::string_view reason) { fail(ErrorKind::type, reason); }

/// A number or an array of fixed length in each value.
struct ValueMember {
  std::string name; ///< "" if it is the whole value; "vertex.x" for nested records
  Scalar type = Scalar::Bool;
  std::uint32_t extent = 1;
  std::uint32_t offset = 0; ///< in bytes from the beginning of the value in memory
};

/// The type of a dataset's values, as they are stored and as they are in memory. In memory, numbers
/// are little-endian and members have no gaps.
struct ValueType {
  std::vector<ValueMember> members;
  Hdf5Handle stored, memory;
  std::uint32_t storedSize = 0; ///< size of a stored value
  std::uint32_t size = 0;       ///< size in memory
  bool isPlain = false;         ///< whether both forms are the same
};

/// Returns the type of numbers and arrays of numbers. Call it under the lock. Throws Error(type)
/// with the reason for all other types: "is of HDF5's class string". The caller reports it.
[[nodiscard]] ValueType valueTypeOf(Hdf5Handle stored);

/// Makes a whole number an unsigned one of 64 bits in memory. Call it under the lock. Throws
/// Error(type) for other types.
void widenToUInt64(ValueType& type);

/// Returns HDF5's name for the kind of a type: "integer", "string". Call it under the lock.
[[nodiscard]] std::string_view className(hid_t type);

/// Returns HDF5's type for a scalar. A bool is an enum as in h5py. Call it under the lock.
[[nodiscard]] Hdf5Handle typeOf(Scalar type);

} // namespace kaon::hdf5
