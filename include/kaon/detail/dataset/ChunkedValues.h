#pragma once

#include <kaon/detail/base/LargeArray.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace kaon::detail {

/// Values that arrive batch by batch, in unknown number. They stay in place until they are joined,
/// because growing one array would copy and clear it several times.
template <class T>
class ChunkedValues {
public:
  /// Returns memory for `count` further values.
  [[nodiscard]] T* grow(std::size_t count) {
    if (m_pieces.empty() || count > m_pieces.back().memory.size() - m_pieces.back().size)
      m_pieces.push_back({LargeArray<T>(std::max(count, std::clamp(m_size, least, most)))});
    Piece& piece = m_pieces.back();
    m_size += count;
    return piece.memory.data() + std::exchange(piece.size, piece.size + count);
  }
  /// Appends the values of `next`, and leaves it empty.
  void append(ChunkedValues&& next) {
    m_size += std::exchange(next.m_size, 0);
    std::ranges::move(next.m_pieces, std::back_inserter(m_pieces));
    next.m_pieces.clear();
  }

  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  /// Calls use(values) with each piece in order, then frees the piece.
  template <class Use>
  void consume(Use use) {
    for (Piece& piece : std::exchange(m_pieces, {})) {
      const LargeArray<T> memory = std::move(piece.memory);
      use(std::span<const T>(memory.data(), piece.size));
    }
    m_size = 0;
  }

private:
  struct Piece {
    LargeArray<T> memory;
    std::size_t size = 0;
  };
  static constexpr std::size_t least = 1024;
  static constexpr std::size_t most = (std::size_t{2} << 20) / sizeof(T); // the size of a huge page

  std::vector<Piece> m_pieces;
  std::size_t m_size = 0;
};

} // namespace kaon::detail
