#pragma once

// Counts the allocations of a program. It replaces the program's operators new and delete: include
// it in only one file of a program.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace kaon::test {

namespace allocations {
inline std::atomic<std::size_t> allocations = 0;
inline std::atomic<std::size_t> allocatedBytes = 0;
inline std::atomic<std::size_t> liveBytes = 0; // in use at present
inline std::atomic<std::size_t> mostBytes = 0; // the maximum so far

/// Stores the size before each piece of memory, in `alignment` bytes.
inline void* allocate(std::size_t size, std::size_t alignment) {
  const std::size_t whole = alignment + (size + alignment - 1) / alignment * alignment;
  auto* const made = static_cast<std::byte*>(std::aligned_alloc(alignment, whole));
  if (!made)
    throw std::bad_alloc();
  new (made) std::size_t(size);
  ++allocations;
  allocatedBytes += size;
  const std::size_t live = liveBytes += size;
  std::size_t most = mostBytes;
  while (most < live && !mostBytes.compare_exchange_weak(most, live)) {
  }
  return made + alignment;
}

inline void release(void* memory, std::size_t alignment) noexcept {
  if (!memory)
    return;
  std::byte* const made = static_cast<std::byte*>(memory) - alignment;
  liveBytes -= *std::launder(reinterpret_cast<std::size_t*>(made));
  std::free(made);
}
} // namespace allocations

/// The allocations during its lifetime.
class Allocations {
public:
  [[nodiscard]] std::size_t count() const { return allocations::allocations - m_allocations; }
  [[nodiscard]] std::size_t bytes() const { return allocations::allocatedBytes - m_bytes; }
  /// Returns how many more bytes are in use now than at the beginning.
  [[nodiscard]] std::ptrdiff_t held() const {
    return static_cast<std::ptrdiff_t>(allocations::liveBytes - m_live);
  }
  /// Returns the maximum of bytes in use, less the bytes at the beginning. Only valid for the
  /// latest object.
  [[nodiscard]] std::size_t peak() const { return allocations::mostBytes - m_live; }

private:
  std::size_t m_allocations = allocations::allocations;
  std::size_t m_bytes = allocations::allocatedBytes;
  std::size_t m_live = allocations::mostBytes = allocations::liveBytes.load();
};

} // namespace kaon::test

// Not inline, because otherwise GCC warns of std::free.
[[gnu::noinline]] void* operator new(std::size_t size) {
  return kaon::test::allocations::allocate(size, alignof(std::max_align_t));
}
/// std::stable_sort allocates its memory like this.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept try {
  return operator new(size);
} catch (const std::bad_alloc&) {
  return nullptr;
}
[[gnu::noinline]] void* operator new[](std::size_t size) { return operator new(size); }
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return kaon::test::allocations::allocate(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void* operator new[](std::size_t size, std::align_val_t alignment) {
  return operator new(size, alignment);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  kaon::test::allocations::release(memory, alignof(std::max_align_t));
}
[[gnu::noinline]] void operator delete[](void* memory) noexcept { operator delete(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept {
  operator delete(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t alignment) noexcept {
  kaon::test::allocations::release(memory, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete[](void* memory, std::align_val_t alignment) noexcept {
  operator delete(memory, alignment);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t,
                                       std::align_val_t alignment) noexcept {
  operator delete(memory, alignment);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t,
                                         std::align_val_t alignment) noexcept {
  operator delete(memory, alignment);
}
