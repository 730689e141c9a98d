#include <kaon/detail/batch/StridedCopy.h>

#include "support/Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace kaon {
namespace {

TEST(StridedCopy, copiesElementsOfAnySizeBetweenAnySpacings) {
  test::Random random(1);
  for (const std::size_t size : {1, 2, 3, 4, 7, 8, 12, 16, 40})
    for (const std::size_t gap : {0, 1, 5})
      for (const std::size_t outGap : {0, 3})
        for (const std::size_t rows : {0, 1, 2, 100}) {
          const auto in = random.bytes(rows * (size + gap));
          std::vector<std::byte> out(rows * (size + outGap));
          detail::copyStrided(out.data(), size + outGap, in.data(), size + gap, rows, size);
          for (std::size_t row = 0; row < rows; ++row) {
            const auto from = in.begin() + static_cast<std::ptrdiff_t>(row * (size + gap));
            const auto to = out.begin() + static_cast<std::ptrdiff_t>(row * (size + outGap));
            EXPECT_TRUE(std::equal(from, from + static_cast<std::ptrdiff_t>(size), to));
          }
        }
}

TEST(StridedCopy, keepsBytesInBetween) {
  const std::vector<std::byte> in(6, std::byte{1});
  std::vector<std::byte> out(6, std::byte{9});
  detail::copyStrided(out.data(), 3, in.data(), 2, 2, 2);
  const std::vector expected{std::byte{1}, std::byte{1}, std::byte{9},
                             std::byte{1}, std::byte{1}, std::byte{9}};
  EXPECT_EQ(out, expected);
}

TEST(StridedCopy, copiesTogetherAsOneByOne) {
  test::Random random(2);
  for (const std::size_t rows : {0, 1, 255, 256, 257, 1000}) {
    const auto structs = random.bytes(rows * 7);
    std::vector<std::byte> first(rows * 4), second(rows * 3);
    const std::vector<detail::StridedCopy> copies{{first.data(), 4, structs.data(), 7, 4},
                                                  {second.data(), 3, structs.data() + 4, 7, 3}};
    detail::copyTogether(copies, rows);
    for (std::size_t i = 0; i < rows * 7; ++i)
      EXPECT_EQ(structs[i], i % 7 < 4 ? first[i / 7 * 4 + i % 7] : second[i / 7 * 3 + i % 7 - 4]);
  }
}

/// Copies rows with members of these sizes, one after another, into columns and back.
void checkStructs(const std::vector<std::size_t>& sizes, std::size_t gap, std::size_t rows) {
  test::Random random(3);
  std::size_t rowSize = gap;
  for (const std::size_t size : sizes)
    rowSize += size;
  const auto structs = random.bytes(rows * rowSize);
  std::vector<std::vector<std::byte>> columns;
  std::vector<detail::StridedCopy> out, into;
  std::vector<std::byte> back(structs.size());
  std::size_t offset = 0;
  for (const std::size_t size : sizes) {
    columns.emplace_back(rows * size);
    out.push_back({columns.back().data(), size, structs.data() + offset, rowSize, size});
    into.push_back({back.data() + offset, rowSize, columns.back().data(), size, size});
    offset += size;
  }
  detail::copyTogether(out, rows);
  offset = 0;
  for (std::size_t i = 0; i < sizes.size(); offset += sizes[i++])
    for (std::size_t row = 0; row < rows; ++row)
      EXPECT_TRUE(std::equal(columns[i].begin() + static_cast<std::ptrdiff_t>(row * sizes[i]),
                             columns[i].begin() + static_cast<std::ptrdiff_t>((row + 1) * sizes[i]),
                             structs.begin() + static_cast<std::ptrdiff_t>(row * rowSize + offset)))
          << i << ' ' << row;
  detail::copyTogether(into, rows);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < rowSize; ++i)
      EXPECT_EQ(back[row * rowSize + i], i < offset ? structs[row * rowSize + i] : std::byte{0});
}

TEST(StridedCopy, copiesMembersThatStandSideBySide) {
  const std::vector<std::vector<std::size_t>> structs{
      {4, 4, 4, 4}, {1, 4, 4, 4, 4, 4, 2}, {8, 8, 8}, {4, 8, 8, 4, 4, 4, 4, 4}, {4, 4, 4}, {4, 8}};
  for (const auto& sizes : structs)
    for (const std::size_t gap : {0, 5})
      for (const std::size_t rows : {0, 1, 3, 4, 7, 256, 259, 1000})
        checkStructs(sizes, gap, rows);
}

} // namespace
} // namespace kaon
