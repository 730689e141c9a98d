#include <kaon/io/ByteSink.h>

#include "support/Errors.h"
#include "support/Files.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
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

TEST(ByteSink, rewritesBytes) {
  const TemporaryDirectory directory;
  const auto sink = fileSink(directory / "file");
  put(*sink, "head body");
  sink->rewrite(1, std::as_bytes(std::span(std::string_view("EA"))));
  put(*sink, " end");
  sink->finish();
  EXPECT_EQ(readFile(directory / "file"), "hEAd body end");
  Buffer bytes;
  const auto memory = memorySink("memory", bytes);
  put(*memory, "head");
  memory->rewrite(0, std::as_bytes(std::span(std::string_view("HE"))));
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), "HEad");
}

TEST(ByteSink, writesAgainWhereItAppends) {
  const TemporaryDirectory directory;
  writeFile(directory / "file", "old");
  auto sink = appendSink(directory / "file");
  put(*sink, " new");
  sink->rewrite(1, std::as_bytes(std::span(std::string_view("LD"))));
  EXPECT_EQ(readFile(directory / "file"), "oLD new");
  sink->abandon(); // the old bytes may refer to the new ones
  EXPECT_EQ(readFile(directory / "file"), "oLD new");
  sink = appendSink(directory / "file");
  put(*sink, "er");
  sink->finish();
  EXPECT_EQ(readFile(directory / "file"), "oLD newer");
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

TEST(ByteSink, leftoversOfADeadWriterAreKept) {
  const TemporaryDirectory directory;
  writeFile(directory / "file.part", "left by a writer that died");
  writeFile(directory / "file.part.1", "left by an earlier one");
  const auto sink = fileSink(directory / "file");
  put(*sink, "new");
  sink->finish();
  EXPECT_EQ(readFile(directory / "file"), "new");
  EXPECT_EQ(readFile(directory / "file.part.1"), "left by an earlier one");
  EXPECT_EQ(readFile(directory / "file.part.2"), "left by a writer that died");
}

TEST(ByteSink, emptyLeftoversAreNotKept) {
  const TemporaryDirectory directory;
  writeFile(directory / "file.part", "");
  put(*fileSink(directory / "file"), "new");
  EXPECT_FALSE(std::filesystem::exists(directory / "file.part.1"));
}

TEST(ByteSink, acknowledgedBytesStayWhenAnAppendingWriterGivesUp) {
  const TemporaryDirectory directory;
  writeFile(directory / "file", "old");
  const auto sink = appendSink(directory / "file");
  put(*sink, " acknowledged");
  sink->sync();
  put(*sink, " later");
  sink->abandon();
  EXPECT_EQ(readFile(directory / "file"), "old acknowledged");
}

// A writer may see the .part file of another one just when that one finishes.
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
      } catch (const Error&) { // the other writer is active
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
  expectError(ErrorKind::missing, directory / "none/file.part: cannot create: No such file",
              [&] { (void)fileSink(directory / "none/file"); });
}

TEST(ByteSink, directoryIsNotOverwritten) {
  const TemporaryDirectory directory;
  expectError(ErrorKind::io, "exists and is not a file", [&] { (void)fileSink(directory / "."); });
}

TEST(ByteSink, emptyPathMakesNoFile) {
  expectError(ErrorKind::usage, "the path of a file to be written is empty",
              [] { (void)fileSink(""); });
}

TEST(ByteSink, deviceIsNotReplacedByAFile) {
  expectError(ErrorKind::io, "/dev/null: exists and is not a file",
              [] { (void)fileSink("/dev/null"); });
}

/// Limits the size of files during its lifetime. To a writer, this looks like a full disk.
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

TEST(ByteSinkThatAppends, continuesAtTheEndOfTheFile) {
  const TemporaryDirectory directory;
  writeFile(directory / "file", "old ");
  const auto sink = appendSink(directory / "file");
  EXPECT_EQ(sink->name(), directory / "file");
  EXPECT_EQ(sink->start(), 4U);
  put(*sink, "new ");
  put(*sink, "");
  put(*sink, "newer");
  EXPECT_EQ(sink->start(), 4U);
  sink->finish();
  EXPECT_EQ(readFile(directory / "file"), "old new newer");
}

TEST(ByteSinkThatAppends, removesItsBytesWhenItGivesUp) {
  const TemporaryDirectory directory;
  writeFile(directory / "file", "old ");
  put(*appendSink(directory / "file"), "half");
  EXPECT_EQ(readFile(directory / "file"), "old ");
  const auto sink = appendSink(directory / "file");
  put(*sink, "half");
  sink->abandon();
  EXPECT_EQ(readFile(directory / "file"), "old ");
  const auto next = appendSink(directory / "file"); // while the first sink still exists
  put(*next, "new");
  next->finish();
  EXPECT_EQ(readFile(directory / "file"), "old new");
}

TEST(ByteSinkThatAppends, cutsOffTheEndOfTheFile) {
  const TemporaryDirectory directory;
  writeFile(directory / "file", "old and broken");
  const auto sink = appendSink(directory / "file");
  sink->cut(4);
  EXPECT_EQ(sink->start(), 4U);
  put(*sink, "new");
  sink->finish();
  EXPECT_EQ(readFile(directory / "file"), "old new");
  expectError(ErrorKind::usage, "nothing to cut off",
              [&] { fileSink(directory / "another")->cut(4); });
}

// The other process may still write.
TEST(ByteSinkThatAppends, takesNothingBackInAForkedProcess) {
  const TemporaryDirectory directory;
  writeFile(directory / "file", "old ");
  auto sink = appendSink(directory / "file");
  put(*sink, "new");
  const ::pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    sink->abandon();
    sink.reset();
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  sink->finish();
  EXPECT_EQ(readFile(directory / "file"), "old new");
}

TEST(ByteSinkThatAppends, dyingInTheMiddleHarmsNothingAndLocksNobodyOut) {
  const TemporaryDirectory directory;
  const std::string old(100'000, 'o');
  writeFile(directory / "file", old);
  const ::pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto sink = appendSink(directory / "file");
    put(*sink, std::string(5000, 'n'));
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(readFile(directory / "file"), old + std::string(5000, 'n'));
  const auto sink = appendSink(directory / "file");
  put(*sink, "next");
  sink->finish();
  EXPECT_EQ(readFile(directory / "file"), old + std::string(5000, 'n') + "next");
}

// Two processes would write to the same position of one file.
TEST(ByteSink, isForTheProcessThatOpenedTheFile) {
  const TemporaryDirectory directory;
  writeFile(directory / "old", "old ");
  const auto file = fileSink(directory / "file");
  const auto appended = appendSink(directory / "old");
  put(*file, "before, ");
  const ::pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    for (const auto* sink : {&file, &appended}) {
      expectError(ErrorKind::usage, "forked from", [&] { put(**sink, "by the child"); });
      expectError(ErrorKind::usage, "forked from", [&] { (*sink)->finish(); });
    }
    ::_exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  put(*file, "after");
  file->finish();
  put(*appended, "new");
  appended->finish();
  EXPECT_EQ(readFile(directory / "file"), "before, after");
  EXPECT_EQ(readFile(directory / "old"), "old new");
}

TEST(ByteSinkThatAppends, refusesAllOtherWritersOfTheFile) {
  const TemporaryDirectory directory;
  writeFile(directory / "file", "old ");
  const auto first = appendSink(directory / "file");
  const auto refused = directory / "file: another writer is at work";
  expectError(ErrorKind::io, refused, [&] { (void)appendSink(directory / "file"); });
  expectError(ErrorKind::io, refused, [&] { (void)fileSink(directory / "file"); });
  put(*first, "first");
  first->finish();
  const auto second = appendSink(directory / "file");
  put(*second, ", second");
  second->finish();
  EXPECT_EQ(readFile(directory / "file"), "old first, second");
}

TEST(ByteSinkThatAppends, isRefusedWhileTheFileIsBeingReplaced) {
  const TemporaryDirectory directory;
  writeFile(directory / "file", "old");
  const auto first = fileSink(directory / "file");
  expectError(ErrorKind::io, directory / "file: another writer is at work",
              [&] { (void)appendSink(directory / "file"); });
  put(*first, "first");
  first->finish();
  const auto second = appendSink(directory / "file");
  put(*second, ", second");
  second->finish();
  EXPECT_EQ(readFile(directory / "file"), "first, second");
}

TEST(ByteSinkThatAppends, needsAFile) {
  const TemporaryDirectory directory;
  expectError(ErrorKind::missing, directory / "none: cannot open to append: No such file",
              [&] { (void)appendSink(directory / "none"); });
  expectError(ErrorKind::io, "cannot open to append: Is a directory",
              [&] { (void)appendSink(directory / "."); });
  expectError(ErrorKind::io, "/dev/null: is not a file", [] { (void)appendSink("/dev/null"); });
}

TEST(ByteSinkThatAppends, tellsIfAnotherProgramChangedTheFile) {
  const TemporaryDirectory directory;
  const auto expected = directory / "file: another program changed the file";
  writeFile(directory / "file", "old");
  {
    const auto sink = appendSink(directory / "file");
    std::ofstream(directory / "file", std::ios::app) << "foreign";
    put(*sink, "new");
    expectError(ErrorKind::io, expected, [&] { sink->finish(); });
  }
  const auto sink = appendSink(directory / "file");
  writeFile(directory / "other", "replacement");
  std::filesystem::rename(directory / "other", directory / "file");
  expectError(ErrorKind::io, expected, [&] { sink->finish(); });
}

TEST(ByteSinkThatAppends, fullDiskIsAnErrorAndLeavesTheOldBytes) {
  const TemporaryDirectory directory;
  writeFile(directory / "file", "old");
  {
    const auto sink = appendSink(directory / "file");
    const std::string text(10'000, 'x');
    const FullDisk disk(4096);
    expectError(ErrorKind::io, directory / "file: cannot write: ", [&] { put(*sink, text); });
  }
  EXPECT_EQ(readFile(directory / "file"), "old");
}

TEST(ByteSink, ofMemoryAppendsToIt) {
  Buffer bytes;
  const auto first = memorySink("here", bytes);
  EXPECT_EQ(first->name(), "here");
  EXPECT_EQ(first->start(), 0U);
  put(*first, "front ");
  put(*first, "back");
  first->finish();
  const auto second = memorySink("here", bytes);
  EXPECT_EQ(second->start(), 10U);
  put(*second, "!");
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
            "front back!");
}

/// Both ends of a pipe.
class Pipe {
public:
  Pipe() { EXPECT_EQ(::pipe(m_ends.data()), 0); }
  ~Pipe() {
    closeReader();
    closeWriter();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] int writer() const noexcept { return m_ends[1]; }
  void closeReader() { close(m_ends[0]); }
  void closeWriter() { close(m_ends[1]); }
  /// Returns all bytes until the writing end is closed, reading a few at a time.
  [[nodiscard]] std::string read() const {
    std::string text;
    std::array<char, 1000> piece{};
    while (const ::ssize_t count = ::read(m_ends[0], piece.data(), piece.size())) {
      EXPECT_GT(count, 0);
      text.append(piece.data(), static_cast<std::size_t>(count));
    }
    return text;
  }

private:
  static void close(int& end) {
    if (end >= 0)
      ::close(end);
    end = -1;
  }
  std::array<int, 2> m_ends{};
};

// Exceeds a pipe's buffer, so that the system writes less than asked. The second pipe does not
// wait.
TEST(ByteSinkOfAStream, writesAllThatAPipeTakes) {
  for (const int flags : {0, O_NONBLOCK}) {
    Pipe pipe;
    ASSERT_EQ(::fcntl(pipe.writer(), F_SETFL, flags), 0);
    std::string text(1'000'000, 'x');
    text.back() = '!';
    std::string found;
    std::thread reader([&] { found = pipe.read(); });
    const auto sink = streamSink(pipe.writer(), "pipe");
    EXPECT_EQ(sink->name(), "pipe");
    put(*sink, "front ");
    put(*sink, text);
    sink->finish();
    pipe.closeWriter();
    reader.join();
    EXPECT_EQ(found, "front " + text);
  }
}

TEST(ByteSinkOfAStream, leavesTheDescriptorOpen) {
  Pipe pipe;
  put(*streamSink(pipe.writer(), "pipe"), "one ");
  put(*streamSink(pipe.writer(), "pipe"), "two");
  pipe.closeWriter();
  EXPECT_EQ(pipe.read(), "one two");
}

// Without protection, SIGPIPE would end the test program.
TEST(ByteSinkOfAStream, closedReaderIsAnError) {
  Pipe pipe;
  pipe.closeReader();
  const auto sink = streamSink(pipe.writer(), "standard output");
  for (int i = 0; i < 2; ++i)
    expectError(ErrorKind::io, "standard output: cannot write: Broken pipe",
                [&] { put(*sink, "text"); });
}

TEST(ByteSinkOfAStream, leavesThePipeSignalsOfTheProgramAlone) {
  ::sigset_t pipeSignal;
  ::sigset_t before;
  ::sigemptyset(&pipeSignal);
  ::sigaddset(&pipeSignal, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipeSignal, &before);
  std::raise(SIGPIPE);

  Pipe pipe;
  pipe.closeReader();
  expectError(ErrorKind::io, "Broken pipe", [&] { put(*streamSink(pipe.writer(), "pipe"), "x"); });

  ::sigset_t pending;
  ::sigpending(&pending);
  EXPECT_EQ(::sigismember(&pending, SIGPIPE), 1);
  std::signal(SIGPIPE, SIG_IGN); // discards the pending signal
  std::signal(SIGPIPE, SIG_DFL);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST(ByteSinkOfAStream, mayBeAFile) {
  const TemporaryDirectory directory;
  const int file = ::open((directory / "file").c_str(), O_WRONLY | O_CREAT, 0600);
  const auto sink = streamSink(file, "redirected");
  put(*sink, "text");
  sink->finish();
  ::close(file);
  EXPECT_EQ(readFile(directory / "file"), "text");
  expectError(ErrorKind::io, "redirected: cannot write: Bad file", [&] { put(*sink, "more"); });
}

} // namespace
} // namespace kaon::io
