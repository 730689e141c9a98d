// This file is compiled for AVX2. It includes no inline functions that other files could share.
#include <kaon/base/HashAvx2.h>

#ifdef KAON_HASH_AVX2
#define XXH_INLINE_ALL
#define XXH_VECTOR XXH_AVX2
#include <xxhash.h>

namespace kaon::detail {
std::uint64_t checksumAvx2(const void* bytes, std::size_t size) noexcept {
  return XXH3_64bits(bytes, size);
}
} // namespace kaon::detail
#endif
