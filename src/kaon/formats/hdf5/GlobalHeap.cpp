#include <kaon/formats/hdf5/GlobalHeap.h>

#include <kaon/base/Bytes.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace kaon::hdf5 {
namespace {

constexpr std::size_t alignment = 8;

std::uint64_t lengthAt(std::span<const std::byte> bytes, std::size_t at, std::size_t lengthBytes) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data() + at + alignment, std::min(lengthBytes, sizeof(length)));
  return length;
}

/// Calls `use(number, data)` for each object of a heap of this size. Returns false if they do not
/// fill it without gaps.
template <class Use>
bool forObjects(std::span<const std::byte> bytes, std::uint64_t size, std::size_t lengthBytes,
                const Use& use) {
  const std::size_t headerBytes = alignment + lengthBytes; // of the heap, and of each object
  const std::uint64_t firstObject = (headerBytes + alignment - 1) / alignment * alignment;
  for (std::uint64_t at = firstObject; at + headerBytes <= size;) {
    std::uint16_t number = 0;
    std::memcpy(&number, bytes.data() + at, sizeof(number));
    const auto place = static_cast<std::size_t>(at);
    const std::uint64_t length = lengthAt(bytes, place, lengthBytes), rest = size - at;
    if (length > rest)
      return false;
    // Object 0 is the free space. Its length includes its header.
    const std::uint64_t needed =
        number == 0 ? length : (headerBytes + length + alignment - 1) / alignment * alignment;
    if (needed < headerBytes || needed > rest)
      return false;
    if (number != 0)
      use(number, bytes.subspan(place + headerBytes, static_cast<std::size_t>(length)));
    at += needed;
  }
  return true;
}

} // namespace

bool isHeap(std::span<const std::byte> bytes) {
  constexpr std::array<char, 8> beginning{'G', 'C', 'O', 'L', 1, 0, 0, 0};
  return bytes.size() >= beginning.size() &&
         std::memcmp(bytes.data(), beginning.data(), beginning.size()) == 0;
}

bool isSoundHeap(std::span<const std::byte> bytes, std::size_t lengthBytes) {
  if (bytes.size() < alignment + lengthBytes)
    return false;
  const std::uint64_t size = lengthAt(bytes, 0, lengthBytes);
  return size > bytes.size() || forObjects(bytes, size, lengthBytes, [](auto, auto) {});
}

HeapReference heapPlaceAt(const std::byte* bytes) noexcept {
  return {detail::loadAs<std::uint32_t>(bytes), detail::loadAs<std::uint64_t>(bytes + 4),
          static_cast<std::uint16_t>(detail::loadAs<std::uint32_t>(bytes + 12))};
}

std::optional<std::uint64_t> lengthOfHeap(std::span<const std::byte> header) {
  if (header.size() < heapHeaderBytes || !isHeap(header))
    return std::nullopt;
  return lengthAt(header, 0, sizeof(std::uint64_t));
}

std::optional<HeapObjects> objectsOf(std::span<const std::byte> heap) {
  HeapObjects objects;
  if (!forObjects(heap, heap.size(), sizeof(std::uint64_t),
                  [&](std::uint16_t number, std::span<const std::byte> data) {
                    objects.emplace(number, data);
                  }))
    return std::nullopt;
  return objects;
}

} // namespace kaon::hdf5
