#include <kaon/io/ByteSink.h>

#include "support/Errors.h"
#include "support/Files.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <thread>
#include <vector>

namespace kaon::io {
namespace {

using test::expectError;
using test::readFile;
using test::TemporaryDirectory;
using test::writeFile;

void put(ByteSink& sink, std::string_view text) { sink.write(std::as_bytes(std::span(text))); }

TEST(ByteSink, fileAppearsAtFinishWithAllThatWasWritten) {
  const TemporaryDirectory directory;
  const auto sink = fileSink(directory / "file");
  put(*sink, "front ");
  put(*sink, "");
  put(*sink, "back");
  EXPECT_FALSE(std::filesystem::exists(directory / "file"));
  sink->finish();
  EXPECT_EQ(readFile(directory / "file"), "front back");
  EXPECT_FALSE(std::filesystem::exists(directory / "file.part"));
}

TEST(ByteSink, isCalledAsItsPath) {
  const TemporaryDirectory directory;
  EXPECT_EQ(fileSink(directory / "file")->name(), directory / "file");
}

TEST(ByteSink, oldFileStaysUntilFinish) {
  const TemporaryDirectory directory;
  writeFile(directory / "file", "old");
  const auto sink = fileSink(directory / "file");
  put(*sink, "new");
  EXPECT_EQ(readFile(directory / "file"), "old");
  sink->finish();
  EXPECT_EQ(readFile(directory / "file"), "new");
}

TEST(ByteSink, oldFileStaysWhereTheWriterGivesUp) {
  const TemporaryDirectory directory;
  writeFile(directory / "file", "old");
  put(*fileSink(directory / "file"), "new");
  EXPECT_EQ(readFile(directory / "file"), "old");
}

TEST(ByteSink, secondWriterOfAFileIsRefused) {
  const TemporaryDirectory directory;
  const auto first = fileSink(directory / "file");
  put(*first, "first");
  expectError(ErrorKind::io, directory / "file.part: another writer is at work",
              [&] { (void)fileSink(directory / "file"); });
  first->finish();
  EXPECT_EQ(readFile(directory / "file"), "first");
}

TEST(ByteSink, nextWriterIsWelcomeAfterFinish) {
  const TemporaryDirectory directory;
  const auto first = fileSink(directory / "file");
  put(*first, "first");
  first->finish();
  const auto second = fileSink(directory / "file");
  put(*second, "second");
  EXPECT_EQ(readFile(directory / "file"), "first");
  second->finish();
  EXPECT_EQ(readFile(directory / "file"), "second");
}

TEST(ByteSink, leftoversOfADeadWriterAreReplaced) {
  const TemporaryDirectory directory;
  writeFile(directory / "file.part", "left by a writer that died, and longer than what comes");
  const auto sink = fileSink(directory / "file");
  put(*sink, "new");
  sink->finish();
  EXPECT_EQ(readFile(directory / "file"), "new");
}

// A writer may meet the .part of another at the moment when that one finishes.
TEST(ByteSink, competingWritersNeverSpoilAFinishedFile) {
  const TemporaryDirectory directory;
  const std::string path = directory / "file";
  std::atomic<int> finished = 0;
  std::atomic<int> spoilt = 0;
  const auto compete = [&](char letter) {
    const std::string text(10'000, letter);
    for (int i = 0; i < 300; ++i) {
      try {
        const auto sink = fileSink(path);
        put(*sink, text);
        sink->finish();
        ++finished;
      } catch (const Error&) { // the other one is at work
      }
      const std::string found = finished > 0 ? readFile(path) : text;
      if (found.size() != text.size() || found != std::string(text.size(), found[0]))
        ++spoilt;
    }
  };
  std::vector<std::thread> threads;
  for (const char letter : {'a', 'b', 'c', 'd'})
    threads.emplace_back(compete, letter);
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_GT(finished, 0);
  EXPECT_EQ(spoilt, 0);
}

TEST(ByteSink, missingDirectoryIsAnErrorAtOnce) {
  const TemporaryDirectory directory;
  expectError(ErrorKind::io, directory / "none/file.part: cannot create: No such file",
              [&] { (void)fileSink(directory / "none/file"); });
}

TEST(ByteSink, directoryIsNotOverwritten) {
  const TemporaryDirectory directory;
  expectError(ErrorKind::io, "exists and is not a file", [&] { (void)fileSink(directory / "."); });
}

TEST(ByteSink, deviceIsNotReplacedByAFile) {
  expectError(ErrorKind::io, "/dev/null: exists and is not a file",
              [] { (void)fileSink("/dev/null"); });
}

/// As long as it lives, no file can grow beyond `bytes`: to a writer that is a full disk.
class FullDisk {
public:
  explicit FullDisk(::rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &m_before);
    ::rlimit limit = m_before;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &m_before);
    std::signal(SIGXFSZ, SIG_DFL);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

private:
  ::rlimit m_before{};
};

TEST(ByteSink, fullDiskIsAnErrorAndLeavesTheOldFile) {
  const TemporaryDirectory directory;
  writeFile(directory / "file", "old");
  {
    const auto sink = fileSink(directory / "file");
    const std::string text(10'000, 'x');
    const FullDisk disk(4096);
    expectError(ErrorKind::io, directory / "file.part: cannot write: ", [&] { put(*sink, text); });
  }
  EXPECT_EQ(readFile(directory / "file"), "old");
}

} // namespace
} // namespace kaon::io
