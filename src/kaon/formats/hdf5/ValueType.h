#pragma once

#include <kaon/base/Error.h>
#include <kaon/formats/hdf5/Library.h>
#include <kaon/model/Scalar.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::hdf5 {

inline constexpr int mostLevels = 16; ///< of arrays or records in each other
inline constexpr std::uint64_t mostValueBytes = std::uint64_t{64} << 20;

/// Throws Error(type) with the reason for which a dataset is not read.
[[noreturn]] inline void refuse(std::string_view reason) { fail(ErrorKind::type, reason); }

/// A number, or an array of fixed length, in each value.
struct ValueMember {
  std::string name; ///< "" where the value is nothing else; of records in records "vertex.x"
  Scalar type = Scalar::Bool;
  std::uint32_t extent = 1;
  std::uint32_t offset = 0; ///< bytes from the beginning of the value in memory
};

/// What a dataset's values are: as they are stored, and as kaon has them in memory, where numbers
/// are little-endian and members follow each other without gaps.
struct ValueType {
  std::vector<ValueMember> members;
  Handle stored, memory;
  std::uint32_t storedSize = 0; ///< bytes of a value
  std::uint32_t size = 0;       ///< in memory
  bool isPlain = false;         ///< both are the same
};

/// That of numbers, and arrays of such. Under the lock. Throws Error(type) with the reason, for who
/// reports it, for all others: "is of HDF5's class string".
[[nodiscard]] ValueType valueTypeOf(Handle stored);

/// What HDF5 calls the kind of a type: "integer", "string". Under the lock.
[[nodiscard]] std::string_view className(hid_t type);

/// HDF5's type for a scalar; a bool is an enum as h5py has it. Under the lock.
[[nodiscard]] Handle typeOf(Scalar type);

} // namespace kaon::hdf5
