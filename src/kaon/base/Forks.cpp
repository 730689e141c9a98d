#include <kaon/base/Forks.h>

#include <pthread.h>

namespace kaon {
namespace {

std::atomic<std::uint64_t> forksSoFar = 0;

/// Counts in each child.
[[maybe_unused]] const int registered =
    ::pthread_atfork(nullptr, nullptr, [] { forksSoFar.fetch_add(1, std::memory_order_relaxed); });

} // namespace

std::uint64_t forks() noexcept { return forksSoFar.load(std::memory_order_relaxed); }

} // namespace kaon
