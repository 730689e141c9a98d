#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace kaon {

/// Memory for arrays that are computed of one entry: it is given by moving a pointer, and comes
/// back all at once, when a loop goes on to the next entry. After the first entries it does not
/// grow any more. For one thread.
class Arena {
public:
  /// How much of an arena is in use.
  struct Mark {
    std::size_t chunk = 0;
    std::size_t used = 0;
  };

  /// The calling thread's.
  [[nodiscard]] static Arena& ofThread() noexcept {
    Arena* const known = s_ofThread; // looked up several times an entry: without a call
    return known ? *known : makeOfThread();
  }

  /// Room for so many values, not set, until what is there now is given back.
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
    return {reinterpret_cast<T*>(begin), size};
  }

  [[nodiscard]] Mark mark() const noexcept { return m_mark; }
  /// Takes back all that was allocated since then; arrays that lie there must not be used any more.
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
  /// Goes on to a chunk with that much room.
  [[gnu::cold]] void addRoom(std::size_t bytes);
  [[gnu::cold]] void enter(std::size_t chunk) noexcept;

  static inline constinit thread_local Arena* s_ofThread = nullptr;
  std::vector<Chunk> m_chunks;
  Mark m_mark;
  std::byte* m_begin = nullptr; // of the current chunk, as m_room
  std::size_t m_room = 0;
};

/// Gives back, at its end, what its thread's arena allocated since its beginning.
class ArenaScope {
public:
  ArenaScope() noexcept : m_arena(Arena::ofThread()), m_mark(m_arena.mark()) {}
  ~ArenaScope() { m_arena.release(m_mark); }
  ArenaScope(const ArenaScope&) = delete;
  ArenaScope& operator=(const ArenaScope&) = delete;

  /// The same before its end.
  void release() noexcept { m_arena.release(m_mark); }

private:
  Arena& m_arena;
  Arena::Mark m_mark;
};

} // namespace kaon
