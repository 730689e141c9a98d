#include <kaon/base/AvailableMemory.h>

#include <gtest/gtest.h>
#include <unistd.h>

namespace kaon {
namespace {

TEST(AvailableMemory, IsAtMostThatOfTheMachine) {
  const auto machine = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                       static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  EXPECT_GT(availableMemory(), std::uint64_t{1} << 20);
  EXPECT_LE(availableMemory(), machine);
}

} // namespace
} // namespace kaon
