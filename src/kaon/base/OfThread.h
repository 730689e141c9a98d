#pragma once

namespace kaon {

/// A value that the thread keeps, another one for each place in the code that asks: memory and
/// contexts that are costly to make. A writer that finishes while its thread ends, because it is
/// static, may come after the value is destroyed: it gets a new one, which stays.
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
