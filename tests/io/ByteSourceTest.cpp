#include <kaon/io/ByteSource.h>
#include <kaon/io/DistantSource.h>

#include "support/Errors.h"
#include "support/FaultySource.h"
#include "support/Files.h"
#include "support/Random.h"
#include "support/RecordingSource.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
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
  return std::make_unique<RecordingSource>(readSource(path),
                                           std::make_shared<RecordingSource::Logs>());
}
std::unique_ptr<ByteSource> openSound(const std::string& path, std::string_view /*contents*/) {
  return std::make_unique<FaultySource>(fileSource(path), test::Faults{});
}
std::unique_ptr<ByteSource> openDistant(const std::string& path, std::string_view contents) {
  return distantSource(
      path, contents.size(),
      [file = std::shared_ptr<ByteSource>(readSource(path))](const auto& ranges,
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
                    Kind{"read", [](const auto& path, auto) { return readSource(path); }},
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
                    Kind{"read", [](const auto& path, auto) { return readSource(path); }}),
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

TEST(ByteSource, ofAMapNeedsNoScratch) {
  const TemporaryDirectory directory;
  writeFile(directory / "file", "0123456789");
  const auto source = fileSource(directory / "file");
  Buffer scratch;
  const auto first = source->view(0, 5, scratch);
  const auto views = source->views(std::vector<ByteRange>{{0, 5}, {5, 5}}, scratch);
  EXPECT_EQ(views[0].data(), first.data());
  EXPECT_EQ(views[1].data(), first.data() + 5);
  EXPECT_EQ(scratch.capacity(), 0U);
}

TEST(ByteSource, mappedFilesMayBeMoreThanAProcessMayHaveOpen) {
  const TemporaryDirectory directory;
  const std::string path = directory / "x";
  writeFile(path, "some bytes");
  ::rlimit usual{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &usual), 0);
  const ::rlimit few{std::min<::rlim_t>(256, usual.rlim_cur), usual.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  std::vector<std::unique_ptr<ByteSource>> sources;
  Buffer scratch;
  for (int i = 0; i < 300; ++i)
    sources.push_back(fileSource(path));
  for (const auto& source : sources) {
    source->prefetch({{{0, 10}}});
    EXPECT_EQ(textOf(source->view(5, 5, scratch)), "bytes");
  }
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &usual), 0);
}

TEST(ByteSource, thatReadsSeesThatAFileWasCut) {
  const TemporaryDirectory directory;
  writeFile(directory / "file", std::string(1000, 'x'));
  const auto source = readSource(directory / "file");
  std::filesystem::resize_file(directory / "file", 600);
  Buffer scratch;
  EXPECT_EQ(source->view(0, 600, scratch).size(), 600U);
  const auto expected = directory / "file: has become shorter while open: nothing follows byte 600";
  expectError(ErrorKind::io, expected, [&] { (void)source->view(500, 200, scratch); });
  expectError(ErrorKind::io, expected, [&] {
    (void)source->views(std::vector<ByteRange>{{0, 10}, {20, 700}}, scratch);
  });
}

TEST(ByteSource, thatReadsDoesNotMixItsRangesWithGaps) {
  const TemporaryDirectory directory;
  std::string contents(200'000, '.');
  contents.replace(0, 1, "a").replace(100, 1, "b").replace(150'000, 1, "c");
  writeFile(directory / "file", contents);
  const auto source = readSource(directory / "file");
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
  const auto source = readSource("/proc/self/fd/" + std::to_string(file));
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
