#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define KAON_HASH_AVX2 1
#endif

namespace kaon::detail {

/// checksum() for processors with AVX2.
[[nodiscard]] std::uint64_t checksumAvx2(const void* bytes, std::size_t size) noexcept;

} // namespace kaon::detail
