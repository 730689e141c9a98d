#pragma once

#include <array>
#include <cstddef>
#include <utility>

namespace kaon {

/// Empty objects of one thread, kept when they were deleted: the next one of their kind is made of
/// such a one, with its memory. T's deletion hands them over, and really deletes where this fails.
template <class T, std::size_t capacity>
class Spares {
public:
  /// Those of this thread; null while it ends, and under ASan, which is to see each deletion.
  [[nodiscard]] static Spares* ofThread() noexcept {
#ifdef __SANITIZE_ADDRESS__
    return nullptr;
#else
    thread_local Spares spares;
    return ended() ? nullptr : &spares;
#endif
  }
  [[nodiscard]] bool hasRoom() const noexcept { return m_size < capacity; }
  /// False if there is no room.
  [[nodiscard]] bool keep(T* object) noexcept {
    if (!hasRoom())
      return false;
    m_objects[m_size++] = object;
    return true;
  }
  /// The last one that `isWanted`; null if there is none.
  template <class IsWanted>
  [[nodiscard]] T* take(IsWanted isWanted) noexcept {
    for (std::size_t i = m_size; i > 0; --i)
      if (isWanted(*m_objects[i - 1]))
        return std::exchange(m_objects[i - 1], m_objects[--m_size]);
    return nullptr;
  }

private:
  Spares() = default;
  ~Spares() {
    ended() = true;
    for (std::size_t i = 0; i < m_size; ++i)
      delete m_objects[i];
  }
  /// Objects may outlive the spares of their thread: those that are static do.
  static bool& ended() noexcept {
    thread_local bool hasEnded = false;
    return hasEnded;
  }

  std::array<T*, capacity> m_objects{};
  std::size_t m_size = 0;
};

} // namespace kaon
