#include <kaon/io/DistantSource.h>

#include <kaon/base/Error.h>

#include "support/Errors.h"
#include "support/Fork.h"
#include "support/RecordingSource.h"
#include "support/Sanitizers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace kaon::io {
namespace {

using test::expectError;
using test::RequestLog;

/// A server with one file, whose bytes count up. It logs its requests.
struct Server {
  std::uint64_t size = 1'000'000;
  RequestLog log = {};
  std::atomic<bool> isDown = false;
  std::atomic<std::uint64_t> slowFrom = ~std::uint64_t{0};
  std::mutex slow = {}; // a request from `slowFrom` on waits for this mutex
  std::atomic<int> waiting = 0;

  std::unique_ptr<ByteSource> open(std::uint64_t announcedBytes = 500'000) {
    return distantSource(
        "https://far.away/file", size,
        [this](std::span<const ByteRange> ranges, std::span<const std::span<std::byte>> places) {
          log.add(ranges);
          if (isDown)
            fail(ErrorKind::io, "https://far.away/file: does not answer");
          std::unique_lock lock(slow, std::defer_lock);
          if (ranges.front().offset >= slowFrom) {
            ++waiting;
            lock.lock();
          }
          for (std::size_t i = 0; i < ranges.size(); ++i)
            for (std::size_t at = 0; at < places[i].size(); ++at)
              places[i][at] = byteAt(ranges[i].offset + at);
        },
        announcedBytes);
  }
  static std::byte byteAt(std::uint64_t offset) { return static_cast<std::byte>(offset * 7 / 3); }
};

void expectBytes(const ByteSource& source, std::uint64_t offset, std::uint64_t count) {
  Buffer scratch;
  const auto bytes = source.view(offset, count, scratch);
  ASSERT_EQ(bytes.size(), count);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    ASSERT_EQ(bytes[i], Server::byteAt(offset + i)) << "byte " << offset + i;
}

TEST(DistantSource, getsBothEndsInOneRequestAndKeepsThem) {
  Server server;
  const auto source = server.open();
  expectBytes(*source, 0, 1000);
  expectBytes(*source, 999'000, 1000);
  expectBytes(*source, 10, 10);
  const std::vector<std::vector<ByteRange>> both{
      {{0, edgeBytes}, {1'000'000 - edgeBytes, edgeBytes}}};
  EXPECT_EQ(server.log.requests(), both);
}

TEST(DistantSource, getsASmallFileAsAWhole) {
  Server server{.size = 100};
  expectBytes(*server.open(), 20, 80);
  EXPECT_EQ(server.log.requests(), (std::vector<std::vector<ByteRange>>{{{0, 100}}}));
}

TEST(DistantSource, joinsRangesThatAreNear) {
  Server server;
  const auto source = server.open();
  server.log.clear();
  Buffer scratch;
  const std::vector<ByteRange> ranges{{700'000, 10}, {300'000, 10}, {310'000, 10}};
  EXPECT_EQ(source->views(ranges, scratch)[1][0], Server::byteAt(300'000));
  EXPECT_EQ(server.log.requests(),
            (std::vector<std::vector<ByteRange>>{{{300'000, 10'010}, {700'000, 10}}}));
}

TEST(DistantSource, fetchesAnnouncedRangesOnce) {
  Server server;
  const auto source = server.open();
  server.log.clear();
  source->prefetch(std::vector<ByteRange>{{200'000, 50'000}, {600'000, 1000}});
  source->prefetch(std::vector<ByteRange>{{210'000, 100}}); // already being fetched
  expectBytes(*source, 200'000, 50'000);
  expectBytes(*source, 600'500, 500);
  EXPECT_EQ(server.log.requests().size(), 1U);
}

TEST(DistantSource, forgetsReadRangesAndThoseBeyondItsLimit) {
  Server server;
  const auto source = server.open(10'000);
  source->prefetch(std::vector<ByteRange>{{200'000, 5000}});
  expectBytes(*source, 200'000, 5000);
  source->prefetch(std::vector<ByteRange>{{300'000, 20'000}}); // more than the source may keep
  server.log.clear();
  expectBytes(*source, 200'000, 5000);
  expectBytes(*source, 300'000, 20'000);
  EXPECT_EQ(server.log.requests().size(), 2U);
}

TEST(DistantSource, keepsHeldRangesForAllReaders) {
  Server server;
  const auto source = server.open(10'000);
  server.log.clear();
  const std::vector<ByteRange> ranges{{200'000, 50'000}, {600'000, 1000}};
  auto held = source->hold(ranges);
  source->prefetch(std::vector<ByteRange>{{210'000, 100}}); // already being fetched
  for (int reader = 0; reader < 3; ++reader) {
    expectBytes(*source, 200'000, 50'000);
    expectBytes(*source, 600'500, 500);
  }
  EXPECT_EQ(server.log.requests(), (std::vector<std::vector<ByteRange>>{ranges}));
  held = nullptr;
  expectBytes(*source, 200'000, 50'000);
  EXPECT_EQ(server.log.requests().size(), 2U);
}

TEST(DistantSource, fetchesMuchThatIsHeldInSeveralParts) {
  Server server{.size = 20'000'000};
  const auto source = server.open();
  server.log.clear();
  const auto held = source->hold(
      std::vector<ByteRange>{{1'000'000, 5'000'000}, {7'000'000, 2'500'000}, {12'000'000, 100}});
  expectBytes(*source, 7'000'000, 10);
  expectBytes(*source, 12'000'000, 10);
  expectBytes(*source, 1'000'000, 10);
  EXPECT_EQ(server.log.requests().size(), 2U);
}

TEST(DistantSource, repeatsFailedRequests) {
  Server server;
  const auto source = server.open();
  server.isDown = true;
  source->prefetch(std::vector<ByteRange>{{200'000, 100}});
  expectError(ErrorKind::io, "does not answer", [&] { expectBytes(*source, 200'000, 100); });
  server.isDown = false;
  expectBytes(*source, 200'000, 100);
}

// The fetching threads are missing in the child.
TEST(DistantSource, forkedProcessFetchesForItself) {
  if (test::isThreadSanitized)
    GTEST_SKIP() << "the forked process begins threads";
  Server server;
  server.size = 10'000'000;
  auto source = server.open(1'000'000);
  std::unique_lock slow(server.slow);
  server.slowFrom = 5'000'000;
  const std::vector<ByteRange> ranges{{5'000'000, 100'000}};
  source->prefetch(ranges);
  const auto held = source->hold(std::vector<ByteRange>{{6'000'000, 100'000}});
  while (server.waiting < 2) // the threads may hold locks
    std::this_thread::yield();
  EXPECT_TRUE(test::inFork([&] {
    server.slowFrom = server.size;
    Buffer scratch;
    for (const std::uint64_t offset : {5'000'000, 6'000'000, 7'000'000})
      if (source->view(offset, 10, scratch)[3] != Server::byteAt(offset + 3))
        return false;
    source->prefetch(std::vector<ByteRange>{{8'000'000, 100'000}});
    return source->view(8'000'000, 10, scratch)[3] == Server::byteAt(8'000'003);
  }));
  EXPECT_TRUE(test::inFork([&] {
    source.reset(); // the other process still uses it
    return true;
  }));
  slow.unlock();
  expectBytes(*source, 5'000'000, 10);
}

TEST(DistantSource, reportsErrorsWhenItIsOpened) {
  Server server;
  server.isDown = true;
  expectError(ErrorKind::io, "does not answer", [&] { (void)server.open(); });
}

} // namespace
} // namespace kaon::io
