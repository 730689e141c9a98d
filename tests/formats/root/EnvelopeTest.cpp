#include <kaon/formats/root/ntuple/Envelope.h>

#include "support/Errors.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace kaon::root {
namespace {

using test::expectError;

template <class T>
std::string little(T value) {
  std::string text(sizeof(T), '\0');
  std::memcpy(text.data(), &value, sizeof(T));
  return text;
}

std::string joined(std::initializer_list<std::string> parts) {
  std::string all;
  for (const std::string& part : parts)
    all.append(part);
  return all;
}

ByteReader readerOf(const std::string& bytes) {
  return {std::as_bytes(std::span(bytes)), "f.root: the header"};
}

/// Returns the blob at `place` in a file with these bytes.
std::string blob(const std::string& file, const Locator& place, std::uint64_t maxKeySize) {
  const auto source = io::memorySource("f.root", std::as_bytes(std::span(file)));
  Buffer storage;
  const auto bytes = readBlob(*source, place, maxKeySize, storage, "f.root: a page");
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(RootBlob, isPutTogetherFromItsPieces) {
  // 60 bytes in pieces of at most 32: 16 bytes and two positions, 32 bytes, 12 bytes.
  std::string text;
  for (char c = '0'; text.size() < 60; ++c)
    text.push_back(c);
  const std::string file =
      joined({text.substr(16, 32), "----", text.substr(48), "----", text.substr(0, 16),
              little(std::uint64_t{0}), little(std::uint64_t{36}), "----"});
  EXPECT_EQ(blob(file, {52, 60}, 32), text);
  EXPECT_EQ(blob(text, {0, 60}, 60), text);
}

TEST(RootBlob, thatCannotBeCutSoIsRefused) {
  const std::string file(100, '\x7f');
  for (const std::uint64_t maxKeySize : {1U, 8U, 9U, 20U})
    expectError(ErrorKind::corrupt, "f.root", [&] { (void)blob(file, {0, 90}, maxKeySize); });
  expectError(ErrorKind::corrupt, "f.root", [&] { (void)blob(file, {0, 1'000'000}, 50); });
}

TEST(RootEnvelope, hasLocatorsOfTwoSizes) {
  const std::string simple = joined({little(std::int32_t{7}), little(std::uint64_t{1'000})});
  ByteReader reader = readerOf(simple);
  const Locator near = takeLocator(reader);
  EXPECT_EQ(near.position, 1'000U);
  EXPECT_EQ(near.bytes, 7U);
  // In the form of RNTupleSerializer::SerializeLocator() of ROOT 6.40.
  const std::string large =
      joined({std::string("\xec\xff\xff\xfe", 4), little(std::uint64_t{1} << 33),
              little(std::uint64_t{1} << 34)});
  reader = readerOf(large);
  const Locator far = takeLocator(reader);
  EXPECT_EQ(far.position, std::uint64_t{1} << 34);
  EXPECT_EQ(far.bytes, std::uint64_t{1} << 33);
}

TEST(RootEnvelope, refusesLocatorsOfOtherStores) {
  const std::string daos = joined({little(-std::int32_t{2 << 24 | 20}), std::string(16, '\0')});
  ByteReader reader = readerOf(daos);
  expectError(ErrorKind::version, "locator type 2", [&] { (void)takeLocator(reader); });
}

TEST(RootEnvelope, refusesLocatorsToMoreThanFilesHave) {
  for (const std::uint64_t bytes : {UINT64_MAX - 3, std::uint64_t{1} << 63}) { // and 8: a checksum
    const std::string large =
        joined({little(-std::int32_t{1 << 24 | 20}), little(bytes), little(std::uint64_t{100})});
    ByteReader reader = readerOf(large);
    expectError(ErrorKind::corrupt, "more bytes than files have",
                [&] { (void)takeLocator(reader); });
  }
}

TEST(RootEnvelope, ignoresAdditionsOfLaterVersions) {
  const std::string bytes =
      joined({little(std::int64_t{20}), little(std::uint32_t{5}), std::string(8, 'x'), "next"});
  ByteReader reader = readerOf(bytes);
  ByteReader record = takeRecord(reader);
  EXPECT_EQ(record.get<std::uint32_t>(), 5U);
  EXPECT_EQ(reader.rest().size(), 4U);
}

TEST(RootEnvelope, refusesFramesOfInvalidSizes) {
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{7}, std::int64_t{-11},
                                  std::int64_t{100}, INT64_MIN, INT64_MAX}) {
    const std::string bytes = joined({little(size), little(std::uint32_t{1'000}), "1234"});
    ByteReader record = readerOf(bytes), list = readerOf(bytes);
    expectError(ErrorKind::corrupt, "f.root: the header", [&] { (void)takeRecord(record); });
    expectError(ErrorKind::corrupt, "f.root: the header", [&] { (void)takeList(list); });
  }
  const std::string bytes = joined({little(std::int64_t{-16}), little(std::uint32_t{5}), "1234"});
  ByteReader reader = readerOf(bytes);
  expectError(ErrorKind::corrupt, "more items", [&] { (void)takeList(reader); });
}

} // namespace
} // namespace kaon::root
