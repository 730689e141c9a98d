#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace kaon::detail {

/// How many of a batch's entries a function is called for until the thread's Pulse beats: a few at
/// first, and more and more as long as they take less than a millisecond.
class PieceLength {
public:
  [[nodiscard]] std::size_t entries() const noexcept { return m_entries; }
  /// A piece is done.
  void next();

private:
  using Clock = std::chrono::steady_clock;
  std::size_t m_entries = 4;
  Clock::time_point m_begin = Clock::now();
};

/// Calls `use(first, last)` with pieces of so many entries, in order. Functions of users are called
/// in there: they may be slow.
template <class Use>
void inPieces(std::size_t entries, Use use) {
  PieceLength length;
  for (std::size_t first = 0, last = 0; first < entries; first = last) {
    last = first + std::min(length.entries(), entries - first);
    use(first, last);
    if (last < entries)
      length.next();
  }
}

} // namespace kaon::detail
