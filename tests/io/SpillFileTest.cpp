#include <kaon/io/SpillFile.h>

#include <kaon/base/Buffer.h>

#include "support/Errors.h"
#include "support/Files.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace kaon::io {
namespace {

using test::expectError;

std::uint64_t append(SpillFile& file, std::string_view text) {
  return file.append(std::as_bytes(std::span(text)));
}

std::string read(const SpillFile& file, std::uint64_t position, std::size_t size) {
  std::string text(size, ' ');
  file.read(position, std::as_writable_bytes(std::span(text)));
  return text;
}

TEST(SpillFile, restoresItsBytes) {
  const test::TemporaryDirectory directory;
  SpillFile file(directory / "");
  const std::uint64_t first = append(file, "kaons"), second = append(file, "and pions");
  EXPECT_EQ(read(file, second, 9), "and pions");
  EXPECT_EQ(read(file, first, 5), "kaons");
  EXPECT_TRUE(std::filesystem::is_empty(directory / "")); // the file has no name
}

TEST(SpillFile, beginsAnewWhenItWasEmptied) {
  const test::TemporaryDirectory directory;
  SpillFile file(directory / "");
  append(file, "kaons");
  file.clear();
  EXPECT_EQ(append(file, "muons"), 0U);
  EXPECT_EQ(read(file, 0, 5), "muons");
}

TEST(SpillFile, refusesToReadMoreThanItHas) {
  const test::TemporaryDirectory directory;
  SpillFile file(directory / "");
  append(file, "kaons");
  expectError(ErrorKind::io, "is shorter than the data written", [&] { (void)read(file, 3, 3); });
}

TEST(SpillFile, saysWhereItCannotBe) {
  const test::TemporaryDirectory directory;
  SpillFile file(directory / "none");
  expectError(ErrorKind::missing, "none: a temporary file there", [&] { append(file, "kaons"); });
}

} // namespace
} // namespace kaon::io
