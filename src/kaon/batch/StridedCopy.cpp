#include <kaon/detail/batch/StridedCopy.h>

#include <algorithm>
#include <cstring>

namespace kaon::detail {
namespace {

/// A range of rows, for all copies.
struct Rows {
  std::size_t first, last;
};

void copyRows(const StridedCopy& copy, Rows rows) noexcept {
  copyStrided(copy.out + rows.first * copy.outStride, copy.outStride,
              copy.in + rows.first * copy.inStride, copy.inStride, rows.last - rows.first,
              copy.size);
}

/// A square of 4 x 4 numbers of 4 bytes, which any 64-bit processor can transpose in registers.
/// Squares of numbers of 8 bytes would have only 2 x 2, which gains nothing.
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
  /// Turns lines into columns.
  void transpose() noexcept {
    deal();
    deal();
  }

private:
  using Line [[gnu::vector_size(side * size)]] = std::uint32_t;

  /// Deals the numbers like cards, from both halves of the lines in turn.
  void deal() noexcept {
    const Square before = *this;
    for (std::size_t i = 0; i < side / 2; ++i) {
      const Line a = before.m_lines[i], b = before.m_lines[i + side / 2];
      m_lines[2 * i] = __builtin_shufflevector(a, b, 0, 4, 1, 5);
      m_lines[2 * i + 1] = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    }
  }

  Line m_lines[side]; // std::array would drop the vector attribute
};

/// Returns whether the first copies fill a square: elements have its size, and isNext(copy, i) is
/// true for each copy.
bool areSquare(std::span<const StridedCopy> copies, auto isNext) noexcept {
  if (copies.size() < Square::side)
    return false;
  for (std::size_t i = 0; i < Square::side; ++i)
    if (copies[i].size != Square::size || !isNext(copies[i], i))
      return false;
  return true;
}

/// Returns whether the numbers are adjacent in structs, and are copied to columns.
bool areFromStructs(std::span<const StridedCopy> copies) noexcept {
  return areSquare(copies, [&](const StridedCopy& copy, std::size_t i) {
    return copy.outStride == Square::size && copy.inStride == copies[0].inStride &&
           copy.in == copies[0].in + i * Square::size;
  });
}
/// Returns whether the numbers are in columns, and are copied to adjacent members of structs.
bool areToStructs(std::span<const StridedCopy> copies) noexcept {
  return areSquare(copies, [&](const StridedCopy& copy, std::size_t i) {
    return copy.inStride == Square::size && copy.outStride == copies[0].outStride &&
           copy.out == copies[0].out + i * Square::size;
  });
}

/// Copies rows in squares. Line i of a square that begins at `row` comes from from(row, i). After
/// transposing, it goes to to(row, i).
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

/// Makes the first copy, and the copies that go together with it. Returns their number.
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
