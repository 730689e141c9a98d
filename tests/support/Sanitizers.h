#pragma once

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

namespace kaon::test {

#ifdef __SANITIZE_ADDRESS__
/// Whether ASan watches: programs are many times slower then, and released memory is not kept.
inline constexpr bool isSanitized = true;
/// While it lives, what its thread allocates may stay: for libraries of others that forget some.
using LeaksOfOthers = __lsan::ScopedDisabler;
#else
inline constexpr bool isSanitized = false;
struct LeaksOfOthers {
  LeaksOfOthers() {} // so that no one takes it for unused
};
#endif

} // namespace kaon::test
