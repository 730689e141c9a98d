#include <kaon/formats/sio/lcio/FileIndex.h>

#include <kaon/formats/sio/SioFile.h>
#include <kaon/io/DistantSource.h>

#include "support/DamagedFiles.h"
#include "support/Random.h"
#include "support/RowsAsJson.h"
#include "support/Sanitizers.h"
#include "support/SioBytes.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

// With the index at the end of an LCIO file, a reader of a remote file need not go from record to
// record. The reader checks the index.

namespace kaon::sio::lcio {
namespace {

constexpr int events = 50;

/// Returns events so large that each is fetched separately.
std::string bytesOfEvents() {
  constexpr std::int32_t values = 20'000;
  const std::string list =
      test::sioNumbers(1, values) + std::string(4 * values, '\1') + test::sioNumbers(~0U);
  std::string bytes;
  std::vector<IndexEntry> entries;
  for (int i = 0; i < events; ++i) {
    entries.push_back({i / 20, events - i, bytes.size()});
    bytes += test::lcioEvent(events - i, {{"Values", "LCIntVec", 0, list}});
  }
  const Buffer index = indexRecords(entries, bytes.size());
  return bytes.append(reinterpret_cast<const char*>(index.data()), index.size());
}

/// Returns bytes of a remote file, and counts the requests.
std::unique_ptr<io::ByteSource> distant(const std::string& bytes, std::atomic<int>& requests) {
  return io::distantSource(
      "far.slcio", bytes.size(),
      [&](std::span<const io::ByteRange> ranges, std::span<const std::span<std::byte>> places) {
        ++requests;
        for (std::size_t i = 0; i < ranges.size(); ++i)
          std::memcpy(places[i].data(), bytes.data() + ranges[i].offset, places[i].size());
      },
      std::uint64_t{64} << 20);
}

std::vector<std::uint64_t> positionsIn(const std::string& bytes) {
  return indexedPositions(*io::memorySource("f.slcio", std::as_bytes(std::span(bytes))));
}

test::Json numbersOf(const File& file) {
  const Source& source = file.category("events");
  test::RowsAsJson rows(source);
  test::Json all = test::Json::array();
  for (std::uint64_t entry = 0; entry < source.entries(); ++entry)
    all.push_back(rows.entry(source.schema().tableNamed("eventNumber"), entry));
  return all;
}

/// Returns the number of requests to read the numbers of all events.
int requestsFor(const std::string& bytes, const test::Json& numbers) {
  std::atomic<int> requests = 0;
  {
    const auto file = openSioFile(distant(bytes, requests), {});
    EXPECT_EQ(numbersOf(*file), numbers);
  }
  return requests;
}

TEST(LcioIndex, sparesRequests) {
  const std::string bytes = bytesOfEvents();
  const std::vector<std::uint64_t> positions = positionsIn(bytes);
  ASSERT_EQ(positions.size(), std::size_t{events});
  EXPECT_EQ(positions.front(), 0U);
  const test::Json numbers =
      numbersOf(*openSioFile(io::memorySource("f.slcio", std::as_bytes(std::span(bytes))), {}));
  EXPECT_LE(requestsFor(bytes, numbers), 6);
  // Without the record that locates the index, the reader goes from record to record.
  EXPECT_GT(requestsFor(bytes.substr(0, bytes.size() - 136), numbers), events);
}

TEST(LcioIndex, isNotBelieved) {
  test::Warnings warnings;
  const std::string whole = bytesOfEvents();
  const test::Json numbers =
      numbersOf(*openSioFile(io::memorySource("f.slcio", std::as_bytes(std::span(whole))), {}));
  const std::size_t begin = whole.rfind("LCIOIndex") + 9; // after the names of records and blocks
  test::Random random(1);
  for (int i = 0; i < (test::isSanitized ? 20 : 100); ++i) {
    std::string bytes = whole;
    for (std::size_t n = 1 + random.below(30); n > 0; --n)
      bytes[begin + random.below(4 + 8 * events)] = static_cast<char>(random.bits());
    (void)requestsFor(bytes, numbers);
  }
}

TEST(LcioIndex, isReadOrNotWhereItIsDamaged) {
  const std::string whole = bytesOfEvents();
  const std::size_t begin = whole.find("LCIOIndex") - 24;
  const std::string end = whole.substr(begin);
  test::Random random(2);
  for (int i = 0; i < (test::isSanitized ? 2'000 : 50'000); ++i) {
    // Positions in the index are outside `end` unless they are changed.
    const std::string bytes = test::withOtherBytes(end, random, 20);
    EXPECT_LE(positionsIn(bytes).size(), bytes.size());
  }
}

} // namespace
} // namespace kaon::sio::lcio
