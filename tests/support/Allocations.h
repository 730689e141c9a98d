#pragma once

// Counts what a program allocates. It replaces the program's operators new and delete: include it
// in one file of a program only.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace kaon::test {

namespace detail {
inline std::atomic<std::size_t> allocations = 0;
inline std::atomic<std::size_t> allocatedBytes = 0;

inline void* allocate(std::size_t size, std::size_t alignment) {
  ++allocations;
  allocatedBytes += size;
  const std::size_t whole =
      (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment;
  if (void* const made = std::aligned_alloc(alignment, whole))
    return made;
  throw std::bad_alloc();
}
} // namespace detail

/// What is allocated while it lives.
class Allocations {
public:
  [[nodiscard]] std::size_t count() const { return detail::allocations - m_allocations; }
  [[nodiscard]] std::size_t bytes() const { return detail::allocatedBytes - m_bytes; }

private:
  std::size_t m_allocations = detail::allocations;
  std::size_t m_bytes = detail::allocatedBytes;
};

} // namespace kaon::test

// Not inline, or else GCC takes std::free for a mistake.
[[gnu::noinline]] void* operator new(std::size_t size) {
  return kaon::test::detail::allocate(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new[](std::size_t size) { return operator new(size); }
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return kaon::test::detail::allocate(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void* operator new[](std::size_t size, std::align_val_t alignment) {
  return operator new(size, alignment);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
