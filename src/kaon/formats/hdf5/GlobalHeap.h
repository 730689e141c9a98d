#pragma once

#include <cstddef>
#include <span>

namespace kaon::hdf5 {

/// Whether bytes are a "global heap collection", by what they begin with.
[[nodiscard]] bool isHeap(std::span<const std::byte> bytes);

/// Whether the objects of a "global heap collection", in which HDF5 keeps texts of any length, fill
/// it one behind the other: HDF5 File Format Specification, III.E. It has no checksum, and libhdf5
/// up to 1.10 goes round for ever where an object has no length. `lengthBytes` is the size of the
/// file's lengths. Of the beginning of a longer one, which libhdf5 reads first, nothing is said.
[[nodiscard]] bool isSoundHeap(std::span<const std::byte> bytes, std::size_t lengthBytes);

} // namespace kaon::hdf5
