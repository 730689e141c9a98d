#pragma once

namespace kaon {

/// Returns a value that belongs to the thread and to the calling place in the code: memory and
/// contexts that are slow to make. A static writer may finish while its thread ends, after the
/// value was destroyed. It then gets a new value, which is never destroyed.
template <class T, class Place = decltype([] {})>
[[nodiscard]] T& ofThread() {
  thread_local bool hasEnded = false;
  if (hasEnded) [[unlikely]] {
    thread_local T* const last = new T; // NOLINT: nobody is left to delete it
    return *last;
  }
  struct Kept {
    T value{};
    ~Kept() { hasEnded = true; }
  };
  thread_local Kept kept;
  return kept.value;
}

} // namespace kaon
