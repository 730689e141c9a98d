#include <kaon/files/Files.h>

#include <kaon/base/Error.h>
#include <kaon/batch/Columns.h>
#include <kaon/files/Format.h>
#include <kaon/files/Urls.h>
#include <kaon/reading/Batches.h>

#include "support/Errors.h"
#include "support/Files.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::expectError;

class Files : public ::testing::Test {
protected:
  void write(const WriterOptions& options = {}) const {
    BatchWriter writer = batchWriter(m_path, options);
    Columns columns(m_numbers.size());
    columns.add("number", m_numbers);
    writer.write("events", columns.batch());
    writer.finish();
  }
  void expectNumbers(const File& file, std::size_t times = 1) const {
    std::vector<std::int32_t> expected;
    for (std::size_t i = 0; i < times; ++i)
      expected.insert(expected.end(), m_numbers.begin(), m_numbers.end());
    std::vector<std::int32_t> all;
    for (const Batch& batch : Batches(file.category("events"), {"number"})) {
      const auto values = batch.values<std::int32_t>("number");
      all.insert(all.end(), values.begin(), values.end());
    }
    EXPECT_EQ(all, expected);
  }

  test::TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
  std::vector<std::int32_t> m_numbers{3, 1, 4, 1, 5};
};

TEST_F(Files, openMappedAndRead) {
  write({.clusterEntries = 2});
  for (const MapUse map : {MapUse::automatic, MapUse::always, MapUse::never})
    for (const bool verifies : {true, false})
      for (const std::size_t budget : {std::size_t{0}, std::size_t{1} << 20})
        expectNumbers(*open(m_path, {.map = map, .memoryBudget = budget, .verify = verifies}));
}

TEST_F(Files, openFromBytes) {
  write();
  const std::string bytes = test::readFile(m_path);
  const auto file = open(io::memorySource("some bytes", std::as_bytes(std::span(bytes))));
  EXPECT_EQ(file->name(), "some bytes");
  EXPECT_EQ(file->format(), "kaon");
  EXPECT_EQ(file->bytes(), bytes.size());
  expectNumbers(*file);
}

TEST_F(Files, areAppendedTo) {
  write();
  write({.append = true});
  expectNumbers(*open(m_path), 2);
}

TEST_F(Files, areNotCompressedByLevelsThatACodecLacks) {
  for (const Compression how : {zstd(23), zstd(-8), zlib(0), lzma(10), lz4(0)})
    expectError(ErrorKind::usage, ", not " + std::to_string(how.level),
                [&] { write({.codec = how}); });
  EXPECT_FALSE(std::filesystem::exists(m_path));
  for (const Compression how : {zstd(22), zstd(-7), zlib(12), lzma(0), lz4(65537), uncompressed()})
    write({.codec = how});
}

TEST_F(Files, areTrustedOnlyIfAsked) {
  write({.codec = uncompressed()});
  std::string bytes = test::readFile(m_path);
  const std::string stored(reinterpret_cast<const char*>(m_numbers.data()), 20);
  const std::size_t page = bytes.find(stored);
  ASSERT_NE(page, std::string::npos);
  bytes[page] = 9;
  test::writeFile(m_path, bytes);
  expectError(ErrorKind::corrupt, "checksum", [&] { expectNumbers(*open(m_path)); });
  m_numbers[0] = 9;
  expectNumbers(*open(m_path, {.verify = false}));
}

TEST_F(Files, areKnownByTheirFirstBytes) {
  write();
  const std::string other = m_directory / "events.root";
  test::writeFile(other, test::readFile(m_path));
  expectNumbers(*open(other));
  for (const std::string text : {"some text", "root:x:0:0:root:/root:/bin/bash\n"}) {
    test::writeFile(other, text);
    expectError(ErrorKind::version, "events.root: is not a kaon file", [&] { (void)open(other); });
  }
  for (const std::string text : {"PAR1....", "ARROW1.."}) {
    test::writeFile(other, text);
    expectError(ErrorKind::version, "`kaon convert` makes", [&] { (void)open(other); });
  }
  test::writeFile(other, "");
  expectError(ErrorKind::version, "events.root: is empty", [&] { (void)open(other); });
  expectError(ErrorKind::missing, "cannot open", [&] { (void)open(m_directory / "none"); });
}

TEST_F(Files, ofOtherSchemesAreRefusedByName) {
  expectError(ErrorKind::io, "'s3'", [] { (void)open("s3://bucket/events.kaon"); });
}

TEST_F(Files, atUrlsAreOpenedAsAProgramWants) {
  write();
  std::vector<std::string> opened;
  openUrlsBy([&](const std::string& url) {
    opened.push_back(url);
    return io::fileSource(m_path);
  });
  const std::string url = "s3://bucket/events.kaon";
  expectNumbers(*open(url));
  EXPECT_TRUE(verify(url).isSound());
  EXPECT_EQ(opened, (std::vector{url, url}));
  openUrlsBy(nullptr);
  expectError(ErrorKind::io, "'s3'", [&] { (void)open(url); });
}

TEST_F(Files, mayBeCalledLikeUrls) {
  write();
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::create_directory(m_directory / "s3:");
  std::filesystem::copy(m_path, m_directory / "s3:/events.kaon");
  std::filesystem::current_path(std::filesystem::path(m_path).parent_path());
  EXPECT_FALSE(isUrl("s3://events.kaon"));
  expectNumbers(*open("s3://events.kaon"));
  std::filesystem::current_path(before);
}

TEST_F(Files, areVerified) {
  write();
  EXPECT_TRUE(verify(m_path).isSound());
  std::string bytes = test::readFile(m_path);
  bytes[bytes.size() / 2] ^= 1;
  test::writeFile(m_path, bytes);
  EXPECT_FALSE(verify(m_path).isSound());
}

TEST_F(Files, ofOtherFormatsAreVerifiedByReadingThem) {
  const std::string path = m_directory / "numbers.root";
  {
    const std::vector<double> values(40'000, 1.5);
    Columns columns(values.size());
    columns.add("x", values);
    BatchWriter writer = batchWriter(path, {.codec = uncompressed(), .pageBytes = 512});
    writer.write("numbers", columns.batch());
    writer.finish();
  }
  const Verification sound = verify(path);
  EXPECT_TRUE(sound.isSound());
  EXPECT_GT(sound.pages, 1U);
  std::string bytes = test::readFile(path);
  bytes[bytes.size() / 2] ^= 1;
  test::writeFile(path, bytes);
  const Verification damaged = verify(path);
  ASSERT_EQ(damaged.findings.size(), 1U);
  EXPECT_EQ(damaged.findings[0].category, "numbers");
  EXPECT_EQ(damaged.findings[0].column, "x");
  EXPECT_EQ(damaged.findings[0].entries, (EntryRange{0, 40'000}));
}

TEST(Formats, areFoundByNameAndBySuffix) {
  ASSERT_FALSE(formats().empty());
  for (const Format& format : formats()) {
    EXPECT_FALSE(format.name.empty());
    if (!format.create)
      continue;
    EXPECT_EQ(&formatToWrite("out", format.name), &format);
    for (const std::string_view suffix : {format.suffix, format.otherSuffix})
      if (!suffix.empty()) {
        EXPECT_EQ(&formatToWrite("out" + std::string(suffix), ""), &format);
      }
  }
  EXPECT_EQ(formatToWrite("out.data", "").name, "kaon");
  EXPECT_EQ(formatToWrite("out.hdf5", "").name, "hdf5");
  EXPECT_EQ(formatToWrite("out.root", "kaon").name, "kaon");
  test::expectError(ErrorKind::name, "did you mean 'kaon'?",
                    [] { (void)formatToWrite("out", "kaonn"); });
}

} // namespace
} // namespace kaon
