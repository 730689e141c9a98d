#pragma once

namespace kaon::test {

/// Whether ASan watches: programs are many times slower then, and released memory is not kept.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool isSanitized = true;
#else
inline constexpr bool isSanitized = false;
#endif

} // namespace kaon::test
