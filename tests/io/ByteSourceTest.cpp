#include <kaon/io/ByteSource.h>
#include <kaon/io/DistantSource.h>

#include "support/Errors.h"
#include "support/FaultySource.h"
#include "support/Files.h"
#include "support/Random.h"
#include "support/RecordingSource.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace kaon::io {
namespace {

using test::expectError;
using test::FaultySource;
using test::RecordingSource;
using test::TemporaryDirectory;
using test::writeFile;

std::string_view textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();

/// A way to open bytes: `open(path, contents)`.
struct Kind {
  std::string name;
  std::function<std::unique_ptr<ByteSource>(const std::string&, std::string_view)> open;
};

std::unique_ptr<ByteSource> openMemory(const std::string& path, std::string_view contents) {
  return memorySource(path, std::as_bytes(std::span(contents)));
}
std::unique_ptr<ByteSource> openRecorded(const std::string& path, std::string_view /*contents*/) {
  return std::make_unique<RecordingSource>(fileSource(path, MapUse::never),
                                           std::make_shared<RecordingSource::Logs>());
}
std::unique_ptr<ByteSource> openSound(const std::string& path, std::string_view /*contents*/) {
  return std::make_unique<FaultySource>(fileSource(path), test::Faults{});
}
std::unique_ptr<ByteSource> openDistant(const std::string& path, std::string_view contents) {
  return distantSource(
      path, contents.size(),
      [file = std::shared_ptr<ByteSource>(fileSource(path, MapUse::never))](const auto& ranges,
                                                                            const auto& places) {
        Buffer scratch;
        const auto views = file->views(ranges, scratch);
        for (std::size_t i = 0; i < ranges.size(); ++i)
          std::ranges::copy(views[i], places[i].begin());
      },
      1'000'000);
}

/// The properties of all sources.
class ByteSourceOfAnyKind : public testing::TestWithParam<Kind> {
protected:
  [[nodiscard]] std::unique_ptr<ByteSource> open(std::string contents) {
    m_contents = std::move(contents);
    writeFile(m_path, m_contents);
    return GetParam().open(m_path, m_contents);
  }
  TemporaryDirectory m_directory;
  std::string m_path = m_directory / "file";
  std::string m_contents;
};
INSTANTIATE_TEST_SUITE_P(
    Kinds, ByteSourceOfAnyKind,
    testing::Values(Kind{"memory", openMemory},
                    Kind{"file", [](const auto& path, auto) { return fileSource(path); }},
                    Kind{"read",
                         [](const auto& path, auto) { return fileSource(path, MapUse::never); }},
                    Kind{"recorded", openRecorded}, Kind{"sound", openSound},
                    Kind{"distant", openDistant}),
    [](const auto& test) { return test.param.name; });

TEST_P(ByteSourceOfAnyKind, isCalledAsItsPath) { EXPECT_EQ(open("x")->name(), m_path); }

TEST_P(ByteSourceOfAnyKind, readsOnlyInsideTheFile) {
  const auto source = open("0123456789");
  ASSERT_EQ(source->size(), 10U);
  Buffer scratch;
  EXPECT_EQ(textOf(source->view(0, 10, scratch)), "0123456789");
  EXPECT_EQ(textOf(source->view(3, 4, scratch)), "3456");
  EXPECT_EQ(source->view(10, 0, scratch).size(), 0U);
  const ByteRange outside[] = {{0, 11},   {10, 1},   {11, 0},      {9, 2},   {huge, 0},
                               {0, huge}, {1, huge}, {huge, huge}, {9, huge}};
  for (const ByteRange& range : outside) {
    const auto expected = source->name() + ": ends at byte 10";
    expectError(ErrorKind::corrupt, expected,
                [&] { (void)source->view(range.offset, range.count, scratch); });
    expectError(ErrorKind::corrupt, expected, [&] {
      (void)source->views(std::vector{ByteRange{0, 1}, range}, scratch);
    });
  }
}

TEST_P(ByteSourceOfAnyKind, emptyOneIsEmpty) {
  const auto source = open("");
  EXPECT_EQ(source->size(), 0U);
  Buffer scratch;
  EXPECT_TRUE(source->view(0, 0, scratch).empty());
  expectError(ErrorKind::corrupt, "ends at byte 0", [&] { (void)source->view(0, 1, scratch); });
}

TEST_P(ByteSourceOfAnyKind, viewsAreTheirRangesInAnyOrder) {
  const auto source = open("0123456789");
  Buffer scratch;
  const std::vector<ByteRange> ranges = {{7, 3}, {0, 2}, {2, 0}, {1, 4}, {0, 10}, {0, 2}, {10, 0}};
  std::vector<std::string> found;
  for (const auto bytes : source->views(ranges, scratch))
    found.emplace_back(textOf(bytes));
  EXPECT_EQ(found, (std::vector<std::string>{"789", "01", "", "1234", "0123456789", "01", ""}));
  EXPECT_TRUE(source->views({}, scratch).empty());
}

// Adjacent ranges, with and without gaps. They are too many for one system call.
TEST_P(ByteSourceOfAnyKind, viewsMayBeMany) {
  test::Random random(1);
  const auto contents = random.bytes(100'000);
  const auto source = open(std::string(textOf(contents)));
  Buffer scratch;
  for (const std::size_t step : {2U, 3U}) {
    std::vector<ByteRange> ranges;
    for (std::size_t offset = 0; offset < contents.size() - 2; offset += step)
      ranges.push_back({offset, 2});
    const auto views = source->views(ranges, scratch);
    for (std::size_t i = 0; i < ranges.size(); ++i)
      ASSERT_TRUE(std::ranges::equal(views[i], std::span(contents).subspan(ranges[i].offset, 2)));
  }
}

TEST_P(ByteSourceOfAnyKind, viewsOfRandomRangesAreThoseBytes) {
  test::Random random(1);
  const auto contents = random.bytes(3'000'000);
  const auto source = open(std::string(textOf(contents)));
  Buffer scratch;
  for (const std::size_t count : {1U, 10U, 1000U, 5000U}) {
    std::vector<ByteRange> ranges;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t offset = random.below(contents.size());
      const std::size_t most = std::min<std::size_t>(contents.size() - offset, 1000);
      ranges.push_back({offset, random.below(most + 1)});
    }
    const auto views = source->views(ranges, scratch);
    ASSERT_EQ(views.size(), count);
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_TRUE(std::ranges::equal(
          views[i], std::span(contents).subspan(ranges[i].offset, ranges[i].count)));
  }
}

TEST_P(ByteSourceOfAnyKind, viewsInTheScratchAreAligned) {
  const auto source = open(std::string(1000, 'x'));
  Buffer scratch;
  const std::vector<ByteRange> ranges = {{1, 3}, {4, 100}, {200, 7}};
  for (const auto bytes : source->views(ranges, scratch)) {
    const auto at = reinterpret_cast<std::uintptr_t>(bytes.data());
    const auto begin = reinterpret_cast<std::uintptr_t>(scratch.data());
    const bool isInScratch = at >= begin && at < begin + scratch.size();
    EXPECT_TRUE(!isInScratch || at % Buffer::alignment == 0);
  }
}

TEST_P(ByteSourceOfAnyKind, prefetchTakesAnythingAndChangesNothing) {
  const auto source = open(std::string(10'000, 'x'));
  const std::vector<ByteRange> ranges = {{5000, 3000}, {0, 0},       {1, 1},    {9999, 100},
                                         {10'000, 0},  {20'000, 10}, {huge, 0}, {huge, huge},
                                         {0, huge},    {5000, huge}, {4096, 1}, {8192, 0}};
  source->prefetch(ranges);
  source->prefetch({});
  Buffer scratch;
  EXPECT_EQ(textOf(source->view(0, 10'000, scratch)), m_contents);
}

/// The properties of all sources of files.
class ByteSourceOfAFile : public testing::TestWithParam<Kind> {
protected:
  [[nodiscard]] static auto open(const std::string& path) { return GetParam().open(path, ""); }
  TemporaryDirectory m_directory;
};
INSTANTIATE_TEST_SUITE_P(
    Kinds, ByteSourceOfAFile,
    testing::Values(Kind{"file", [](const auto& path, auto) { return fileSource(path); }},
                    Kind{"read",
                         [](const auto& path, auto) { return fileSource(path, MapUse::never); }}),
    [](const auto& test) { return test.param.name; });

TEST_P(ByteSourceOfAFile, missingFileIsAnErrorWithItsPath) {
  expectError(ErrorKind::missing, m_directory / "none: cannot open: No such file",
              [&] { (void)open(m_directory / "none"); });
}

TEST_P(ByteSourceOfAFile, directoryIsNotAFile) {
  expectError(ErrorKind::io, "is not a file", [&] { (void)open(m_directory / "."); });
}

TEST_P(ByteSourceOfAFile, deviceIsNotAFile) {
  expectError(ErrorKind::io, "/dev/null: is not a file", [] { (void)open("/dev/null"); });
}

TEST_P(ByteSourceOfAFile, pipeWithoutAWriterIsRefusedAtOnce) {
  ASSERT_EQ(::mkfifo((m_directory / "pipe").c_str(), 0600), 0);
  expectError(ErrorKind::io, "is not a file", [&] { (void)open(m_directory / "pipe"); });
}

TEST_P(ByteSourceOfAFile, filesMayBeMoreThanAProcessMayHaveOpen) {
  const std::string path = m_directory / "x";
  writeFile(path, "some bytes");
  ::rlimit usual{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &usual), 0);
  const ::rlimit few{std::min<::rlim_t>(256, usual.rlim_cur), usual.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  std::vector<std::unique_ptr<ByteSource>> sources;
  Buffer scratch;
  for (int i = 0; i < 300; ++i)
    sources.push_back(open(path));
  for (const auto& source : sources) {
    source->prefetch({{{0, 10}}});
    EXPECT_EQ(textOf(source->view(5, 5, scratch)), "bytes");
  }
  writeFile(m_directory / "other", "some bytes");
  std::filesystem::rename(m_directory / "other", path);
  EXPECT_EQ(textOf(sources.front()->view(5, 5, scratch)), "bytes"); // it is kept open
  expectError(ErrorKind::io, path + ": was replaced while open; open it again",
              [&] { (void)sources.back()->view(5, 5, scratch); });
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &usual), 0);
}

/// Writes a file that was changed last an hour ago: the system's clock for files is coarse.
void writeOldFile(const std::string& path, std::string_view contents) {
  writeFile(path, contents);
  std::filesystem::last_write_time(path,
                                   std::filesystem::last_write_time(path) - std::chrono::hours(1));
}

TEST_P(ByteSourceOfAFile, fileThatWasCutIsAnError) {
  const std::string path = m_directory / "file";
  for (const std::size_t left : {0U, 600U, 9000U}) {
    writeOldFile(path, std::string(10'000, 'x'));
    const auto source = open(path);
    std::filesystem::resize_file(path, left);
    Buffer scratch;
    const auto expected = path + ": has become shorter while open: ";
    expectError(ErrorKind::io, expected, [&] { (void)source->view(0, 100, scratch); });
    expectError(ErrorKind::io, expected, [&] { (void)source->view(500, 9500, scratch); });
    expectError(ErrorKind::io, expected, [&] {
      (void)source->views(std::vector<ByteRange>{{0, 10}, {20, 9700}}, scratch);
    });
    expectError(ErrorKind::io, expected, [&] {
      source->useInPlace({0, 10'000}, scratch, [](std::span<const std::byte> bytes) {
        EXPECT_LE(std::ranges::count(bytes, std::byte{'x'}), 10'000); // reads all of them
      });
    });
  }
}

TEST_P(ByteSourceOfAFile, fileThatWasOverwrittenIsAnError) {
  const std::string path = m_directory / "file";
  for (const std::string& contents : {std::string(10'000, 'y'), std::string(20'000, 'y')}) {
    writeOldFile(path, std::string(10'000, 'x'));
    const auto source = open(path);
    Buffer scratch;
    source->useInPlace({5000, 1}, scratch, [](auto bytes) { EXPECT_EQ(textOf(bytes), "x"); });
    writeFile(path, contents);
    const auto expected = path + ": was changed by another program while open; open it again";
    expectError(ErrorKind::io, expected, [&] { (void)source->view(5000, 1, scratch); });
    expectError(ErrorKind::io, expected, [&] {
      source->useInPlace({5000, 1}, scratch, [](auto /*bytes*/) {});
    });
    expectError(ErrorKind::io, expected, [&] { // and not the mistake that the other bytes cause
      source->useInPlace({5000, 1}, scratch,
                         [](auto /*bytes*/) { fail(ErrorKind::corrupt, "damaged"); });
    });
  }
}

TEST_P(ByteSourceOfAFile, changedByteInTheMiddleIsAnErrorAlsoIfTheFileGrows) {
  const std::string path = m_directory / "file";
  writeOldFile(path, std::string(100'000, 'x'));
  const auto source = open(path);
  std::fstream(path, std::ios::in | std::ios::out).seekp(50'000) << 'y';
  Buffer scratch;
  expectError(ErrorKind::io, "was changed", [&] { (void)source->view(0, 1, scratch); });
  std::ofstream(path, std::ios::app) << "more";
  expectError(ErrorKind::io, "was changed", [&] { (void)source->view(0, 1, scratch); });
}

TEST_P(ByteSourceOfAFile, fileThatOthersAppendToIsReadAsItWas) {
  const std::string path = m_directory / "file";
  writeOldFile(path, "0123456789");
  const auto source = open(path);
  Buffer scratch;
  for (int i = 0; i < 3; ++i) {
    std::ofstream(path, std::ios::app) << "more";
    EXPECT_EQ(source->size(), 10U);
    EXPECT_EQ(textOf(source->view(0, 10, scratch)), "0123456789");
    source->useInPlace({0, 10}, scratch,
                       [](auto bytes) { EXPECT_EQ(textOf(bytes), "0123456789"); });
  }
  std::filesystem::resize_file(path, 9);
  expectError(ErrorKind::io, "has become shorter", [&] { (void)source->view(0, 1, scratch); });
}

TEST_P(ByteSourceOfAFile, fileThatWasReplacedOrRemovedIsReadAsItWas) {
  const std::string path = m_directory / "file";
  writeFile(path, "0123456789");
  const auto source = open(path);
  Buffer scratch;
  writeFile(m_directory / "other", "abc");
  std::filesystem::rename(m_directory / "other", path);
  EXPECT_EQ(textOf(source->view(0, 10, scratch)), "0123456789");
  std::filesystem::remove(path);
  source->useInPlace({0, 10}, scratch, [](auto bytes) { EXPECT_EQ(textOf(bytes), "0123456789"); });
}

TEST(ByteSource, ofAMapNeedsNoScratchToUseBytesInPlace) {
  const TemporaryDirectory directory;
  writeFile(directory / "file", "0123456789");
  const auto source = fileSource(directory / "file", MapUse::always);
  ASSERT_TRUE(source->inPlace());
  Buffer scratch;
  EXPECT_EQ(source->viewInPlace(5, 5, scratch).data(), source->inPlace() + 5);
  EXPECT_EQ(scratch.capacity(), 0U);
  const auto copied = source->view(5, 5, scratch);
  EXPECT_EQ(copied.data(), scratch.data());
  EXPECT_FALSE(fileSource(directory / "file", MapUse::never)->inPlace());
}

TEST(ByteSource, thatReadsDoesNotMixItsRangesWithGaps) {
  const TemporaryDirectory directory;
  std::string contents(200'000, '.');
  contents.replace(0, 1, "a").replace(100, 1, "b").replace(150'000, 1, "c");
  writeFile(directory / "file", contents);
  const auto source = fileSource(directory / "file", MapUse::never);
  Buffer scratch;
  const auto views = source->views(std::vector<ByteRange>{{150'000, 1}, {100, 1}, {0, 1}}, scratch);
  EXPECT_EQ(textOf(views[0]), "c");
  EXPECT_EQ(textOf(views[1]), "b");
  EXPECT_EQ(textOf(views[2]), "a");
}

// The file states a size but has no bytes, like a damaged file.
TEST(ByteSource, thatReadsRefusesMoreThanMemoryCanHold) {
  const int file = ::memfd_create("vast", 0);
  ASSERT_GE(file, 0);
  constexpr std::uint64_t size = std::uint64_t{1} << 62;
  ASSERT_EQ(::ftruncate(file, static_cast<::off_t>(size)), 0);
  const auto source = fileSource("/proc/self/fd/" + std::to_string(file), MapUse::never);
  ::close(file);
  Buffer scratch;
  expectError(ErrorKind::corrupt, "more bytes are expected than fit into memory", [&] {
    (void)source->views(std::vector<ByteRange>(4, {0, size}), scratch);
  });
}

TEST(RecordingSource, tellsWhichRangesWereAskedForTogether) {
  const auto logs = std::make_shared<RecordingSource::Logs>();
  const RecordingSource source(openMemory("here", "0123456789"), logs);
  Buffer scratch;
  const std::vector<ByteRange> two = {{1, 2}, {5, 3}};
  const std::vector<ByteRange> one = {{4, 1}};
  source.prefetch(two);
  (void)source.views(two, scratch);
  (void)source.view(4, 1, scratch);
  using Requests = std::vector<std::vector<ByteRange>>;
  EXPECT_EQ(logs->prefetches.requests(), Requests{two});
  EXPECT_EQ(logs->views.requests(), (Requests{two, one}));
}

TEST(FaultySource, failsWhenItIsTold) {
  const FaultySource source(openMemory("here", "0123456789"), {.firstFailing = 1, .failing = 1});
  Buffer scratch;
  EXPECT_EQ(textOf(source.view(0, 1, scratch)), "0");
  expectError(ErrorKind::io, "here: request 1 fails", [&] { (void)source.view(0, 1, scratch); });
  EXPECT_EQ(textOf(source.view(0, 1, scratch)), "0");
}

TEST(FaultySource, hasNothingWhereItWasCut) {
  const FaultySource source(openMemory("here", "0123456789"), {.cutAt = 5});
  Buffer scratch;
  EXPECT_EQ(source.size(), 10U);
  EXPECT_EQ(textOf(source.view(0, 5, scratch)), "01234");
  expectError(ErrorKind::io, "here: was cut at byte 5", [&] {
    (void)source.views(std::vector<ByteRange>{{0, 5}, {4, 2}}, scratch);
  });
}

} // namespace
} // namespace kaon::io
