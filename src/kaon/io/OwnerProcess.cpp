#include <kaon/io/OwnerProcess.h>

#include <kaon/base/Error.h>

#include <atomic>
#include <pthread.h>

namespace kaon::io {
namespace {

std::atomic<std::uint64_t> forksSoFar = 0;

/// Counts in each child.
[[maybe_unused]] const int registered =
    ::pthread_atfork(nullptr, nullptr, [] { forksSoFar.fetch_add(1, std::memory_order_relaxed); });

} // namespace

std::uint64_t OwnerProcess::forks() noexcept { return forksSoFar.load(std::memory_order_relaxed); }

void OwnerProcess::failForked(const std::string& name) {
  fail(ErrorKind::usage, name,
       ": is written by the process that this one was forked from; open another file here");
}

} // namespace kaon::io
