#include <kaon/io/MappedBytes.h>

#include "support/Files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <vector>

namespace kaon::io {
namespace {

constexpr std::size_t bytes = 64 * 4096;

/// A file of many pages that can be mapped and cut.
class MappedBytesOfAFile : public testing::Test {
protected:
  [[nodiscard]] std::unique_ptr<MappedBytes> map() const {
    return std::make_unique<MappedBytes>(m_path, FileDescriptor::open(m_path, O_RDONLY), bytes);
  }
  void SetUp() override { test::writeFile(m_path, std::string(bytes, 'x')); }
  void cut(std::size_t size) const { std::filesystem::resize_file(m_path, size); }

  test::TemporaryDirectory m_directory;
  std::string m_path = m_directory / "file";
};

[[nodiscard]] auto zerosIn(const MappedBytes& map) {
  return std::ranges::count(std::span(map.data(), bytes), std::byte{0});
}

[[nodiscard]] void (*handlerNow())(int) {
  struct sigaction now {};
  EXPECT_EQ(::sigaction(SIGBUS, nullptr, &now), 0);
  return now.sa_handler;
}

TEST_F(MappedBytesOfAFile, missingBytesAreZerosAndMarkTheMap) {
  const auto map = this->map(), other = this->map();
  EXPECT_EQ(zerosIn(*map), 0);
  EXPECT_FALSE(map->isDamaged());
  cut(4096 + 1);
  EXPECT_EQ(zerosIn(*map), static_cast<std::ptrdiff_t>(bytes) - 4096 - 1);
  EXPECT_TRUE(map->isDamaged());
  EXPECT_FALSE(other->isDamaged());
  EXPECT_FALSE(this->map()->isDamaged());
}

TEST_F(MappedBytesOfAFile, manyThreadsMayMissTheSameBytes) {
  const auto map = this->map();
  cut(0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] { EXPECT_EQ(zerosIn(*map), static_cast<std::ptrdiff_t>(bytes)); });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_TRUE(map->isDamaged());
}

TEST_F(MappedBytesOfAFile, handlerIsInstalledOnlyWhileMapsExist) {
  const auto before = handlerNow();
  auto first = map(), second = map();
  const auto during = handlerNow();
  EXPECT_NE(during, before);
  first.reset();
  EXPECT_EQ(handlerNow(), during);
  second.reset();
  EXPECT_EQ(handlerNow(), before);
}

std::jmp_buf afterFault;
void leave(int /*signal*/) { std::longjmp(afterFault, 1); }

/// Uses a missing byte of another map.
void missAnotherByte(const std::string& path) {
  const auto file = FileDescriptor::open(path, O_RDONLY);
  void* const map = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file.number(), 0);
  ASSERT_NE(map, MAP_FAILED);
  const volatile char* const first = static_cast<const char*>(map);
  EXPECT_EQ(*first, 'x');
  FAIL() << "a missing byte was read";
}

TEST_F(MappedBytesOfAFile, otherFaultsGoToTheHandlerBefore) {
  struct sigaction ours {
  }, before{};
  ours.sa_handler = &leave;
  ours.sa_flags = SA_NODEFER;
  ASSERT_EQ(::sigaction(SIGBUS, &ours, &before), 0);
  auto map = this->map();
  cut(0);
  volatile bool isHandled = false;
  if (setjmp(afterFault) == 0)
    missAnotherByte(m_path);
  else
    isHandled = true;
  EXPECT_TRUE(isHandled);
  EXPECT_FALSE(map->isDamaged());
  ::sigset_t signal; // blocked during the handler, which did not return
  ASSERT_EQ(::sigemptyset(&signal) + ::sigaddset(&signal, SIGBUS), 0);
  ASSERT_EQ(::pthread_sigmask(SIG_UNBLOCK, &signal, nullptr), 0);
  EXPECT_EQ(zerosIn(*map), static_cast<std::ptrdiff_t>(bytes));
  map.reset();
  ASSERT_EQ(::sigaction(SIGBUS, &before, nullptr), 0);
}

using MappedBytesDeathTest = MappedBytesOfAFile;

TEST_F(MappedBytesDeathTest, otherFaultsEndTheProgramIfNobodyHandlesThem) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        (void)std::signal(SIGBUS, SIG_DFL); // sanitizers have a handler
        const auto map = this->map();
        cut(0);
        missAnotherByte(m_path);
      },
      testing::KilledBySignal(SIGBUS), "");
}

} // namespace
} // namespace kaon::io
