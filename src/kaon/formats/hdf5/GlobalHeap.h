#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

// All functions except isSoundHeap() are for files with addresses and lengths of eight bytes.

namespace kaon::hdf5 {

/// Whether bytes begin like a "global heap collection".
[[nodiscard]] bool isHeap(std::span<const std::byte> bytes);

/// Whether the objects of a "global heap collection" fill it without gaps. HDF5 stores texts of
/// variable length in it: HDF5 File Format Specification, III.E. It has no checksum. libhdf5 up to
/// 1.10 loops forever if an object has length 0. `lengthBytes` is the size of lengths in the file.
/// Returns true if `bytes` are only the beginning of a longer heap, which libhdf5 reads first.
[[nodiscard]] bool isSoundHeap(std::span<const std::byte> bytes, std::size_t lengthBytes);

/// The place of elements of variable length: u32 elements, u64 position of a heap, u32 number of an
/// object in it.
struct HeapReference {
  std::uint32_t elements = 0;
  std::uint64_t heap = 0;
  std::uint16_t object = 0;
};
inline constexpr std::uint32_t heapPlaceBytes = 16;
[[nodiscard]] HeapReference heapPlaceAt(const std::byte* bytes) noexcept;

/// The size of a heap's header: its signature and length.
inline constexpr std::size_t heapHeaderBytes = 16;
/// Returns the length of a heap with its header, or nothing if it is not a heap.
[[nodiscard]] std::optional<std::uint64_t> lengthOfHeap(std::span<const std::byte> header);

/// Returns the objects of a complete heap by their numbers, or nothing if they do not fill it
/// without gaps.
using HeapObjects = std::map<std::uint16_t, std::span<const std::byte>>;
[[nodiscard]] std::optional<HeapObjects> objectsOf(std::span<const std::byte> heap);

} // namespace kaon::hdf5
