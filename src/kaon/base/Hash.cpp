#include <kaon/base/Hash.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kaon {

std::uint64_t checksum(std::span<const std::byte> bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

} // namespace kaon
