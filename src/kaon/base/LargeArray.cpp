#include <kaon/detail/base/LargeArray.h>

#include <kaon/base/Forks.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <mutex>
#include <new>

#include <sys/mman.h>

namespace kaon::detail {
namespace {

constexpr std::size_t hugePage = std::size_t{2} << 20;
constexpr std::size_t mostIdle = std::size_t{512} << 20; // the system may take back any of it

struct MemoryBlock {
  std::byte* begin;
  std::size_t bytes;
};

/// Returns new pages, aligned to huge pages.
std::byte* map(std::size_t bytes) {
  void* const mapped =
      ::mmap(nullptr, bytes + hugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED)
    throw std::bad_alloc();
  auto* const memory = static_cast<std::byte*>(mapped);
  const std::size_t before = (hugePage - detail::addressOf(memory) % hugePage) % hugePage;
  if (before > 0)
    ::munmap(memory, before);
  ::munmap(memory + before + bytes, hugePage - before);
#ifdef MADV_HUGEPAGE // Linux only; the system may still use small pages
  ::madvise(memory + before, bytes, MADV_HUGEPAGE);
#endif
  return memory + before;
}

class IdleMemory {
public:
  /// Returns the smallest block that is not much larger; an empty block if none fits.
  [[nodiscard]] MemoryBlock take(std::size_t bytes) {
    const std::lock_guard lock(m_mutex);
    auto best = m_blocks.end();
    for (auto block = m_blocks.begin(); block != m_blocks.end(); ++block)
      if (block->bytes >= bytes && block->bytes <= bytes + bytes / 4 &&
          (best == m_blocks.end() || block->bytes < best->bytes))
        best = block;
    if (best == m_blocks.end())
      return {};
    const MemoryBlock block = *best;
    m_blocks.erase(best);
    m_bytes -= block.bytes;
    return block;
  }
  void give(MemoryBlock block) noexcept {
    ::madvise(block.begin, block.bytes, MADV_FREE);
    const std::lock_guard lock(m_mutex);
    try {
      m_blocks.push_back(block);
      m_bytes += block.bytes;
    } catch (const std::bad_alloc&) {
      ::munmap(block.begin, block.bytes);
    }
    while (m_bytes > mostIdle) {
      ::munmap(m_blocks.front().begin, m_blocks.front().bytes);
      m_bytes -= m_blocks.front().bytes;
      m_blocks.pop_front();
    }
  }

private:
  std::mutex m_mutex;
  std::deque<MemoryBlock> m_blocks; // the longest idle first
  std::size_t m_bytes = 0;
};

/// A forked process has its own: another thread may have held the lock.
IdleMemory& idle() {
  static const OfProcess<IdleMemory>& memory =
      *new OfProcess<IdleMemory>; // arrays may outlive everything else
  return memory.get();
}

} // namespace

void LargeMemoryRelease::operator()(std::byte* memory) const noexcept {
  idle().give({memory, bytes});
}

LargeMemory takeLargeMemory(std::size_t bytes) {
  if (bytes > std::numeric_limits<std::size_t>::max() - 2 * hugePage)
    throw std::bad_alloc();
  const std::size_t whole = (bytes + hugePage - 1) / hugePage * hugePage;
  if (const MemoryBlock block = idle().take(whole); block.begin)
    return {block.begin, LargeMemoryRelease{block.bytes}};
  return {map(whole), LargeMemoryRelease{whole}};
}

} // namespace kaon::detail
