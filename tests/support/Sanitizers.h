#pragma once

namespace kaon::test {

/// Whether ASan is active: programs are then many times slower, and released memory is not reused.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool isSanitized = true;
#else
inline constexpr bool isSanitized = false;
#endif

/// Whether TSan is active: forked processes then cannot start threads.
#ifdef __SANITIZE_THREAD__
inline constexpr bool isThreadSanitized = true;
#else
inline constexpr bool isThreadSanitized = false;
#endif

} // namespace kaon::test
