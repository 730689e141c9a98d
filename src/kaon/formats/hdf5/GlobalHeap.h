#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

// What follows but isSoundHeap() is of files with addresses and lengths of eight bytes.

namespace kaon::hdf5 {

/// Whether bytes are a "global heap collection", by what they begin with.
[[nodiscard]] bool isHeap(std::span<const std::byte> bytes);

/// Whether the objects of a "global heap collection", in which HDF5 keeps texts of any length, fill
/// it one behind the other: HDF5 File Format Specification, III.E. It has no checksum, and libhdf5
/// up to 1.10 goes round for ever where an object has no length. `lengthBytes` is the size of the
/// file's lengths. Of the beginning of a longer one, which libhdf5 reads first, nothing is said.
[[nodiscard]] bool isSoundHeap(std::span<const std::byte> bytes, std::size_t lengthBytes);

/// Where something of any length is: u32 elements, u64 position of a heap, u32 number of an object
/// in it.
struct HeapPlace {
  std::uint32_t elements = 0;
  std::uint64_t heap = 0;
  std::uint16_t object = 0;
};
inline constexpr std::uint32_t heapPlaceBytes = 16;
[[nodiscard]] HeapPlace heapPlaceAt(const std::byte* bytes) noexcept;

/// A heap begins with so many bytes: what it is, and how long.
inline constexpr std::size_t heapHeaderBytes = 16;
/// Its length, header and all; nothing if it is no heap.
[[nodiscard]] std::optional<std::uint64_t> lengthOfHeap(std::span<const std::byte> header);

/// The objects of such a heap, which is there as a whole, by their numbers. Nothing if they do not
/// fill it one behind the other.
using HeapObjects = std::map<std::uint16_t, std::span<const std::byte>>;
[[nodiscard]] std::optional<HeapObjects> objectsOf(std::span<const std::byte> heap);

} // namespace kaon::hdf5
