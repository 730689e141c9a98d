#include <kaon/formats/hdf5/GlobalHeap.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace kaon::hdf5 {

bool isHeap(std::span<const std::byte> bytes) {
  constexpr std::array<char, 8> beginning{'G', 'C', 'O', 'L', 1, 0, 0, 0};
  return bytes.size() >= beginning.size() &&
         std::memcmp(bytes.data(), beginning.data(), beginning.size()) == 0;
}

bool isSoundHeap(std::span<const std::byte> bytes, std::size_t lengthBytes) {
  constexpr std::size_t alignment = 8;
  const std::size_t headerBytes = alignment + lengthBytes; // of the heap, and of each object
  const auto lengthAt = [&](std::size_t at) {
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data() + at + alignment, std::min(lengthBytes, sizeof(length)));
    return length;
  };
  if (bytes.size() < headerBytes)
    return false;
  const std::uint64_t size = lengthAt(0);
  if (size > bytes.size())
    return true;
  const std::uint64_t firstObject = (headerBytes + alignment - 1) / alignment * alignment;
  for (std::uint64_t at = firstObject; at + headerBytes <= size;) {
    std::uint16_t number = 0;
    std::memcpy(&number, bytes.data() + at, sizeof(number));
    const std::uint64_t length = lengthAt(static_cast<std::size_t>(at)), rest = size - at;
    if (length > rest)
      return false;
    // Object 0 is the free space, whose length has its header in it.
    const std::uint64_t needed =
        number == 0 ? length : (headerBytes + length + alignment - 1) / alignment * alignment;
    if (needed < headerBytes || needed > rest)
      return false;
    at += needed;
  }
  return true;
}

} // namespace kaon::hdf5
