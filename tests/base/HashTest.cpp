#include <kaon/base/Hash.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kaon {
namespace {

std::uint64_t hashOf(std::string_view text) { return checksum(std::as_bytes(std::span(text))); }

// The test values of XXH3-64. kaon must never use another function: old files have these sums.
TEST(Hash, isXxh3) {
  EXPECT_EQ(hashOf(""), 0x2d06800538d394c2U);
  EXPECT_EQ(hashOf("a"), 0xe6c632b61e964e1fU);
}

// The library has versions for several processors.
TEST(Hash, isTheSameOnEveryProcessor) {
  std::vector<std::byte> bytes(5000);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(i * i % 251);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    ASSERT_EQ(checksum(std::span(bytes).first(size)), XXH3_64bits(bytes.data(), size)) << size;
}

} // namespace
} // namespace kaon
