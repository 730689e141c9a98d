#include <kaon/io/ByteSource.h>

#include "support/Errors.h"
#include "support/Files.h"

#include <gtest/gtest.h>

#include <limits>
#include <string_view>

namespace kaon::io {
namespace {

using test::expectError;
using test::TemporaryDirectory;
using test::writeFile;

std::string_view textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();

void expectBounds(const ByteSource& source) {
  ASSERT_EQ(source.size(), 10U);
  Buffer scratch;
  EXPECT_EQ(textOf(source.view(0, 10, scratch)), "0123456789");
  EXPECT_EQ(textOf(source.view(3, 4, scratch)), "3456");
  EXPECT_EQ(source.view(10, 0, scratch).size(), 0U);
  const std::pair<std::uint64_t, std::uint64_t> outside[] = {
      {0, 11}, {10, 1}, {11, 0}, {9, 2}, {huge, 0}, {0, huge}, {1, huge}, {huge, huge}, {9, huge}};
  for (const auto& [offset, count] : outside)
    expectError(ErrorKind::corrupt, source.name() + ": ends at byte 10",
                [&] { (void)source.view(offset, count, scratch); });
}

TEST(ByteSource, ofMemoryGivesWhatIsInsideAndNothingElse) {
  expectBounds(*memorySource("here", std::as_bytes(std::span("0123456789", 10))));
}

TEST(ByteSource, ofAFileGivesWhatIsInsideAndNothingElse) {
  const TemporaryDirectory directory;
  writeFile(directory / "file", "0123456789");
  expectBounds(*fileSource(directory / "file"));
}

TEST(ByteSource, isCalledAsItsPath) {
  const TemporaryDirectory directory;
  writeFile(directory / "file", "x");
  EXPECT_EQ(fileSource(directory / "file")->name(), directory / "file");
}

TEST(ByteSource, emptyFileIsEmpty) {
  const TemporaryDirectory directory;
  writeFile(directory / "empty", "");
  const auto source = fileSource(directory / "empty");
  EXPECT_EQ(source->size(), 0U);
  Buffer scratch;
  EXPECT_TRUE(source->view(0, 0, scratch).empty());
  expectError(ErrorKind::corrupt, "ends at byte 0", [&] { (void)source->view(0, 1, scratch); });
}

TEST(ByteSource, missingFileIsAnErrorWithItsPath) {
  const TemporaryDirectory directory;
  expectError(ErrorKind::io, directory / "none: cannot open: No such file",
              [&] { (void)fileSource(directory / "none"); });
}

TEST(ByteSource, directoryIsNotAFile) {
  const TemporaryDirectory directory;
  expectError(ErrorKind::io, "is not a file", [&] { (void)fileSource(directory / "."); });
}

TEST(ByteSource, deviceIsNotAFile) {
  expectError(ErrorKind::io, "/dev/null: is not a file", [] { (void)fileSource("/dev/null"); });
}

TEST(ByteSource, viewsLieInTheSourceAndOutliveTheScratch) {
  const TemporaryDirectory directory;
  writeFile(directory / "file", "0123456789");
  const auto source = fileSource(directory / "file");
  Buffer scratch;
  const auto first = source->view(0, 5, scratch);
  (void)source->view(5, 5, scratch);
  EXPECT_EQ(textOf(first), "01234");
}

} // namespace
} // namespace kaon::io
