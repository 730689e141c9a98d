#include <kaon/base/Hash.h>

#include <gtest/gtest.h>

#include <string_view>

namespace kaon {
namespace {

std::uint64_t hashOf(std::string_view text) { return checksum(std::as_bytes(std::span(text))); }

// XXH3-64's own test values: files must stay readable for ever.
TEST(Hash, isXxh3) {
  EXPECT_EQ(hashOf(""), 0x2d06800538d394c2U);
  EXPECT_EQ(hashOf("a"), 0xe6c632b61e964e1fU);
}

} // namespace
} // namespace kaon
