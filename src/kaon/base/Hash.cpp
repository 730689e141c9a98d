#include <kaon/base/Hash.h>

#include <kaon/base/HashAvx2.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kaon {

std::uint64_t checksum(std::span<const std::byte> bytes) noexcept {
#ifdef KAON_HASH_AVX2
  // The compiler's baseline has vectors half as wide, which are slower than memory.
  static const bool hasAvx2 = __builtin_cpu_supports("avx2") != 0;
  if (hasAvx2)
    return detail::checksumAvx2(bytes.data(), bytes.size());
#endif
  return XXH3_64bits(bytes.data(), bytes.size());
}

struct ChecksumOfParts::State {
  XXH3_state_t xxh;
};

ChecksumOfParts::ChecksumOfParts() : m_state(std::make_unique<State>()) {
  XXH3_64bits_reset(&m_state->xxh);
}
ChecksumOfParts::~ChecksumOfParts() = default;
void ChecksumOfParts::add(std::span<const std::byte> bytes) noexcept {
  XXH3_64bits_update(&m_state->xxh, bytes.data(), bytes.size());
}
std::uint64_t ChecksumOfParts::value() const noexcept { return XXH3_64bits_digest(&m_state->xxh); }

} // namespace kaon
