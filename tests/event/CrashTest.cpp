#include "support/Files.h"
#include "support/Random.h"
#include "support/TestEvents.h"
#include "support/Warnings.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/files/Files.h>

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

// Writers that are killed at any moment.

namespace {

using kaon::Frame;
using kaon::Reader;
using kaon::Writer;
using kaon::WriterOptions;
using kaon::test::expectEvent;
using kaon::test::makeEvent;
using kaon::test::writeEvents;

constexpr std::uint32_t clusterEntries = 5;

/// Another process that writes events from `first` on until it is killed.
class Victim {
public:
  Victim(const std::string& path, WriterOptions options, int first) : m_process(::fork()) {
    if (m_process != 0)
      return;
    try {
      options.clusterEntries = clusterEntries;
      Writer writer(path, options);
      for (int event = first;; ++event)
        writer.write(makeEvent(event), "events");
    } catch (...) {
      ::_exit(1);
    }
  }
  /// Returns true if it was still running.
  bool kill() const {
    ::kill(m_process, SIGKILL);
    int status = 0;
    ::waitpid(m_process, &status, 0);
    return WIFSIGNALED(status);
  }

private:
  ::pid_t m_process;
};

using Microseconds = std::chrono::microseconds;

/// Returns the time that a writer of this build needs on this machine to write some clusters.
Microseconds timeOfClusters(const std::string& path, const WriterOptions& options, int first) {
  const std::uintmax_t before =
      std::filesystem::exists(path) ? std::filesystem::file_size(path) : 0;
  const std::string growing = options.append ? path : path + ".part";
  const auto begin = std::chrono::steady_clock::now();
  const Victim writer(path, options, first);
  const auto elapsed = [&] {
    return std::chrono::duration_cast<Microseconds>(std::chrono::steady_clock::now() - begin);
  };
  std::error_code error;
  while (elapsed() < std::chrono::seconds(20)) {
    const std::uintmax_t size = std::filesystem::file_size(growing, error);
    if (!error && size > before + 40'000)
      break;
    std::this_thread::sleep_for(Microseconds(100));
  }
  EXPECT_TRUE(writer.kill());
  return elapsed();
}

/// Expects that the file opens, with a warning. It must have the events from 0 on: the earlier
/// ones, followed by whole clusters.
std::uint64_t expectWholeClusters(const std::string& path, std::uint64_t before = 0) {
  kaon::test::Warnings warnings;
  const Reader reader(path);
  if (reader.file().isComplete()) {
    EXPECT_GT(before, 0U); // nothing was appended yet
    EXPECT_EQ(reader["events"].size(), before);
    return before;
  }
  EXPECT_EQ(warnings.take().size(), 1U);
  if (reader.categories().empty())
    return 0;
  const auto category = reader["events"];
  EXPECT_GE(category.size(), before);
  EXPECT_EQ((category.size() - before) % clusterEntries, 0U);
  int event = 0;
  for (const Frame& frame : category)
    expectEvent(frame, event++);
  return category.size();
}

class Killed : public testing::Test {
protected:
  static constexpr int times = 50;
  /// Waits for a random time up to `longest`.
  void waitUpTo(Microseconds longest) {
    std::this_thread::sleep_for(
        Microseconds(m_random.below(static_cast<std::size_t>(longest.count()))));
  }
  kaon::test::TemporaryDirectory m_directory;
  kaon::test::Random m_random{1};
};

TEST_F(Killed, leavesItsWholeClusters) {
  const WriterOptions options{.pageBytes = 500};
  const Microseconds longest = timeOfClusters(m_directory / "first", options, 0);
  std::uint64_t events = 0;
  for (int i = 0; i < times; ++i) {
    const std::string path = m_directory / ("file" + std::to_string(i));
    const Victim writer(path, options, 0);
    waitUpTo(longest);
    ASSERT_TRUE(writer.kill());
    EXPECT_FALSE(std::filesystem::exists(path));
    const std::string part = path + ".part";
    if (!std::filesystem::exists(part) || std::filesystem::file_size(part) < 32)
      continue; // it had not begun
    events += expectWholeClusters(part);
  }
  EXPECT_GT(events, 0U);
}

TEST_F(Killed, whileItAppendsLeavesAFileThatTheNextWriterMends) {
  constexpr int before = 7;
  const std::string original = m_directory / "original";
  writeEvents(original, before, {.tags = {"number"}});
  const std::string bytes = kaon::test::readFile(original);
  const WriterOptions options{.tags = {"number"}, .append = true};
  const std::string path = m_directory / "appended";
  kaon::test::writeFile(path, bytes);
  const Microseconds longest = timeOfClusters(path, options, before);
  std::uint64_t events = 0;
  for (int i = 0; i < times; ++i) {
    kaon::test::writeFile(path, bytes);
    const Victim writer(path, options, before);
    waitUpTo(longest);
    ASSERT_TRUE(writer.kill());
    EXPECT_TRUE(kaon::test::readFile(path).starts_with(bytes));
    const std::uint64_t found = expectWholeClusters(path, before);
    events += found - before;
    const kaon::test::Warnings warnings;
    Writer next(path, options);
    next.write(makeEvent(static_cast<int>(found)), "events");
    next.finish();
    const Reader reader(path);
    EXPECT_TRUE(reader.file().isComplete());
    ASSERT_EQ(reader["events"].size(), found + 1);
    int event = 0;
    for (const Frame& frame : reader["events"])
      expectEvent(frame, event++);
    EXPECT_TRUE(kaon::verify(path).isSound());
  }
  EXPECT_GT(events, 0U);
}

} // namespace
