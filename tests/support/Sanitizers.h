#pragma once

namespace kaon::test {

/// Whether ASan watches: programs are many times slower then, and released memory is not kept.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool isSanitized = true;
#else
inline constexpr bool isSanitized = false;
#endif

/// Whether TSan does, which lets no process that was forked begin threads.
#ifdef __SANITIZE_THREAD__
inline constexpr bool isThreadSanitized = true;
#else
inline constexpr bool isThreadSanitized = false;
#endif

} // namespace kaon::test
