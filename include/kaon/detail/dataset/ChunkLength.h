#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace kaon::detail {

/// The number of entries between two updates of the ThreadProgress. It begins small, and grows as
/// long as a piece takes less than a millisecond.
class ChunkLength {
public:
  [[nodiscard]] std::size_t entries() const noexcept { return m_entries; }
  /// Ends a piece and chooses the next length. Updates the ThreadProgress, except after a short
  /// piece.
  void next();

private:
  using Clock = std::chrono::steady_clock;
  std::size_t m_entries = 4;
  Clock::time_point m_begin = Clock::now();
};

/// Calls `use(first, last)` for consecutive pieces of the entries. `use` may call slow functions of
/// users.
template <class Use>
void inPieces(std::size_t entries, Use use) {
  ChunkLength length;
  for (std::size_t first = 0, last = 0; first < entries; first = last) {
    last = first + std::min(length.entries(), entries - first);
    use(first, last);
    if (last < entries)
      length.next();
  }
}

} // namespace kaon::detail
