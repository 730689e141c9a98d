#pragma once

#include <kaon/detail/base/Memory.h>

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace kaon::detail {

/// Memory for arrays that are computed for one entry. Allocation moves a pointer; all memory is
/// released at once when a loop moves to the next entry. After the first entries it no longer
/// grows. For one thread.
class Arena {
public:
  /// A position in the arena: memory beyond it is free.
  struct Mark {
    std::size_t chunk = 0;
    std::size_t used = 0;
  };

  /// Returns the arena of the calling thread.
  [[nodiscard]] static Arena& ofThread() noexcept {
    Arena* const known = s_ofThread; // read several times per entry, so it avoids a call
    return known ? *known : makeOfThread();
  }

  /// Returns uninitialised space for `size` values, valid until the memory is released.
  template <class T>
  [[nodiscard]] std::span<T> allocate(std::size_t size) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignment);
    if (size == 0)
      return {};
    const std::size_t bytes = (size * sizeof(T) + alignment - 1) / alignment * alignment;
    if (m_mark.used + bytes > m_room) [[unlikely]]
      addRoom(bytes);
    std::byte* const begin = m_begin + m_mark.used;
    m_mark.used += bytes;
    return {detail::valuesAt<T>(begin), size};
  }

  [[nodiscard]] Mark mark() const noexcept { return m_mark; }
  /// Releases all memory allocated since the mark; arrays in it must not be used any more.
  void release(Mark mark) noexcept {
    if (mark.chunk != m_mark.chunk) [[unlikely]]
      enter(mark.chunk);
    m_mark.used = mark.used;
  }

private:
  static constexpr std::size_t alignment = 16;
  struct Chunk {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0;
  };
  [[nodiscard]] static Arena& makeOfThread() noexcept;
  /// Moves to a chunk with `bytes` bytes.
  [[gnu::cold]] void addRoom(std::size_t bytes);
  [[gnu::cold]] void enter(std::size_t chunk) noexcept;

  static inline constinit thread_local Arena* s_ofThread = nullptr;
  std::vector<Chunk> m_chunks;
  Mark m_mark;
  std::byte* m_begin = nullptr; // of the current chunk, like m_room
  std::size_t m_room = 0;
};

/// Releases, when it is destroyed, the memory that its thread's arena allocated since its
/// construction.
class ArenaScope {
public:
  ArenaScope() noexcept : m_arena(Arena::ofThread()), m_mark(m_arena.mark()) {}
  ~ArenaScope() { m_arena.release(m_mark); }
  ArenaScope(const ArenaScope&) = delete;
  ArenaScope& operator=(const ArenaScope&) = delete;

  /// Releases that memory earlier.
  void release() noexcept { m_arena.release(m_mark); }

private:
  Arena& m_arena;
  Arena::Mark m_mark;
};

} // namespace kaon::detail
