#include <kaon/detail/batch/StridedCopy.h>

#include <algorithm>
#include <cstring>

namespace kaon::detail {
namespace {

/// Some rows of all copies.
struct Rows {
  std::size_t first, last;
};

void copyRows(const StridedCopy& copy, Rows rows) noexcept {
  copyStrided(copy.out + rows.first * copy.outStride, copy.outStride,
              copy.in + rows.first * copy.inStride, copy.inStride, rows.last - rows.first,
              copy.size);
}

/// Four numbers of 4 bytes in each of four lines. Any 64-bit processor has what it takes. Of 8
/// bytes there would be two, which gains nothing.
class Square {
public:
  static constexpr std::size_t side = 4;
  static constexpr std::size_t size = 4;

  void load(std::size_t line, const std::byte* from) noexcept {
    std::memcpy(&m_lines[line], from, sizeof(Line));
  }
  void store(std::size_t line, std::byte* to) const noexcept {
    std::memcpy(to, &m_lines[line], sizeof(Line));
  }
  /// Lines become columns.
  void transpose() noexcept {
    deal();
    deal();
  }

private:
  using Line [[gnu::vector_size(side * size)]] = std::uint32_t;

  /// The numbers like cards, from both halves of the lines in turn.
  void deal() noexcept {
    const Square before = *this;
    for (std::size_t i = 0; i < side / 2; ++i) {
      const Line a = before.m_lines[i], b = before.m_lines[i + side / 2];
      m_lines[2 * i] = __builtin_shufflevector(a, b, 0, 4, 1, 5);
      m_lines[2 * i + 1] = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    }
  }

  Line m_lines[side]; // std::array would forget that they are vectors
};

/// Whether the first copies are of as many numbers as a square has, where isNext(copy, i) says of
/// each that it belongs to the first one.
bool areSquare(std::span<const StridedCopy> copies, auto isNext) noexcept {
  if (copies.size() < Square::side)
    return false;
  for (std::size_t i = 0; i < Square::side; ++i)
    if (copies[i].size != Square::size || !isNext(copies[i], i))
      return false;
  return true;
}

/// Whether these numbers stand side by side in structs, and in columns where they are copied to.
bool areFromStructs(std::span<const StridedCopy> copies) noexcept {
  return areSquare(copies, [&](const StridedCopy& copy, std::size_t i) {
    return copy.outStride == Square::size && copy.inStride == copies[0].inStride &&
           copy.in == copies[0].in + i * Square::size;
  });
}
/// The other way round.
bool areToStructs(std::span<const StridedCopy> copies) noexcept {
  return areSquare(copies, [&](const StridedCopy& copy, std::size_t i) {
    return copy.inStride == Square::size && copy.outStride == copies[0].outStride &&
           copy.out == copies[0].out + i * Square::size;
  });
}

/// Line i of a square that begins at a row is at from(row, i), and goes to to(row, i).
void copySquares(std::span<const StridedCopy> copies, Rows rows, auto from, auto to) noexcept {
  for (; rows.first + Square::side <= rows.last; rows.first += Square::side) {
    Square square;
    for (std::size_t i = 0; i < Square::side; ++i)
      square.load(i, from(rows.first, i));
    square.transpose();
    for (std::size_t i = 0; i < Square::side; ++i)
      square.store(i, to(rows.first, i));
  }
  for (const StridedCopy& copy : copies.first(Square::side))
    copyRows(copy, rows);
}

/// Makes the first copy, and those that are made with it; tells how many.
std::size_t copyNext(std::span<const StridedCopy> copies, Rows rows) noexcept {
  const StridedCopy& first = copies[0];
  if (areFromStructs(copies)) {
    copySquares(
        copies, rows,
        [&](std::size_t row, std::size_t i) { return first.in + (row + i) * first.inStride; },
        [&](std::size_t row, std::size_t i) { return copies[i].out + row * Square::size; });
    return Square::side;
  }
  if (areToStructs(copies)) {
    copySquares(
        copies, rows,
        [&](std::size_t row, std::size_t i) { return copies[i].in + row * Square::size; },
        [&](std::size_t row, std::size_t i) { return first.out + (row + i) * first.outStride; });
    return Square::side;
  }
  copyRows(first, rows);
  return 1;
}

} // namespace

void copyTogether(std::span<const StridedCopy> copies, std::size_t rows) noexcept {
  constexpr std::size_t most = 256;
  for (std::size_t first = 0; first < rows; first += most)
    for (std::size_t i = 0; i < copies.size();)
      i += copyNext(copies.subspan(i), {first, std::min(first + most, rows)});
}

} // namespace kaon::detail
