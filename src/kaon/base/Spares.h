#pragma once

#include <array>
#include <cstddef>
#include <utility>

namespace kaon {

/// Deleted objects of one thread, kept empty for reuse with their memory. T's deletion calls
/// keep(), and really deletes the object if that fails.
template <class T, std::size_t capacity>
class Spares {
public:
  /// Returns those of this thread. Returns null while it ends, and under ASan, which must see each
  /// deletion.
  [[nodiscard]] static Spares* ofThread() noexcept {
#ifdef __SANITIZE_ADDRESS__
    return nullptr;
#else
    thread_local Spares spares;
    return ended() ? nullptr : &spares;
#endif
  }
  [[nodiscard]] bool hasRoom() const noexcept { return m_size < capacity; }
  /// Returns false if there is no space.
  [[nodiscard]] bool keep(T* object) noexcept {
    if (!hasRoom())
      return false;
    m_objects[m_size++] = object;
    return true;
  }
  /// Returns the last object for which `isWanted` is true, or null.
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
  /// Static objects may outlive the spares of their thread.
  static bool& ended() noexcept {
    thread_local bool hasEnded = false;
    return hasEnded;
  }

  std::array<T*, capacity> m_objects{};
  std::size_t m_size = 0;
};

} // namespace kaon
