#include <kaon/formats/podio/PodioCollectionId.h>

#include <bit>
#include <cstddef>

namespace kaon {
namespace {

constexpr std::uint32_t mixed(std::uint32_t block) noexcept {
  return std::rotl(block * 0xCC9E2D51U, 15) * 0x1B873593U;
}

/// Returns the bytes of a block; the last block may have fewer than four.
std::uint32_t blockAt(std::string_view name, std::size_t begin) noexcept {
  std::uint32_t block = 0;
  for (std::size_t i = 0; i < 4 && begin + i < name.size(); ++i)
    block |= std::uint32_t{static_cast<unsigned char>(name[begin + i])} << (8 * i);
  return block;
}

} // namespace

std::uint32_t podioCollectionId(std::string_view name) noexcept {
  std::uint32_t hash = 0;
  for (std::size_t begin = 0; begin < name.size(); begin += 4) {
    hash ^= mixed(blockAt(name, begin));
    if (begin + 4 <= name.size())
      hash = std::rotl(hash, 13) * 5 + 0xE6546B64U;
  }
  hash ^= static_cast<std::uint32_t>(name.size());
  hash = (hash ^ (hash >> 16)) * 0x85EBCA6BU;
  hash = (hash ^ (hash >> 13)) * 0xC2B2AE35U;
  return hash ^ (hash >> 16);
}

} // namespace kaon
