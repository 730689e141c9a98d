#include <kaon/io/HttpSource.h>

#include <kaon/base/Error.h>

#include "support/Errors.h"
#include "support/Fork.h"
#include "support/HttpServer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace kaon::io {
namespace {

using test::expectError;
using test::HttpAnswer;
using test::HttpServer;

/// Returns bytes that count up; they are no file of any format.
std::string contents(std::size_t size = 3'000'000) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<char>(i * 7 / 3);
  return bytes;
}

std::string bytesAt(const ByteSource& source, std::uint64_t offset, std::uint64_t count) {
  Buffer scratch;
  const auto bytes = source.view(offset, count, scratch);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A position in the middle of the file, which opening does not read.
constexpr std::uint64_t middle = 1'500'000;

class HttpSource : public testing::Test {
protected:
  void SetUp() override {
    try {
      (void)open();
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::usage)
        GTEST_SKIP() << error.what();
      throw;
    }
  }
  [[nodiscard]] std::unique_ptr<ByteSource> open() const {
    return httpSource(server.url(), 1'000'000);
  }
  void expectSound(const ByteSource& source) const {
    EXPECT_EQ(bytesAt(source, middle, 1000), file.substr(middle, 1000));
  }

  std::string file = contents();
  HttpServer server{file};
};

TEST_F(HttpSource, readsRangesOfAFile) {
  const auto source = open();
  EXPECT_EQ(source->size(), file.size());
  EXPECT_EQ(source->name(), server.url());
  EXPECT_TRUE(source->isDistant());
  Buffer scratch;
  const std::vector<ByteRange> ranges{{2'000'000, 10}, {middle, 500'000}, {0, 100}};
  const auto views = source->views(ranges, scratch);
  for (std::size_t i = 0; i < ranges.size(); ++i)
    EXPECT_TRUE(std::ranges::equal(
        views[i], std::as_bytes(std::span(file)).subspan(ranges[i].offset, ranges[i].count)));
}

TEST_F(HttpSource, takesConnectionsAgain) {
  const auto source = open();
  const std::size_t before = server.connections();
  for (std::uint64_t i = 0; i < 20; ++i)
    EXPECT_EQ(bytesAt(*source, 300'000 + i * 100'000, 10), file.substr(300'000 + i * 100'000, 10));
  EXPECT_LE(server.connections(), before + 1);
}

TEST_F(HttpSource, isReadBySeveralThreads) {
  const auto source = open();
  std::vector<std::thread> threads;
  for (std::uint64_t thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (std::uint64_t i = 0; i < 10; ++i) {
        const std::uint64_t offset = 200'000 + (i * 4 + thread) * 60'000;
        EXPECT_EQ(bytesAt(*source, offset, 500), file.substr(offset, 500));
      }
    });
  for (std::thread& thread : threads)
    thread.join();
}

// Two processes on one connection would get each other's responses.
TEST_F(HttpSource, forkedProcessHasConnectionsOfItsOwn) {
  const auto source = open();
  expectSound(*source);
  const std::size_t before = server.connections();
  EXPECT_TRUE(
      test::inFork([&] { return bytesAt(*source, middle, 1000) == file.substr(middle, 1000); }));
  EXPECT_EQ(server.connections(), before + 1);
  expectSound(*source);
  EXPECT_EQ(server.connections(), before + 1);
}

TEST_F(HttpSource, repeatsRequestsAfterTemporaryErrors) {
  for (const char* const fault : {"503", "429", "cut"}) {
    const auto source = open();
    const std::size_t first = server.requests();
    server.spoil = [&](HttpAnswer& answer, std::size_t request, std::size_t) {
      if (request >= first + 2)
        return;
      answer.isCut = std::string_view(fault) == "cut";
      if (!answer.isCut)
        answer.status = std::string(fault) + " Later";
    };
    expectSound(*source);
    EXPECT_EQ(server.requests(), first + 3) << fault;
    server.spoil = nullptr;
  }
}

TEST_F(HttpSource, reportsPermanentErrors) {
  const auto source = open();
  server.spoil = [](HttpAnswer& answer, std::size_t, std::size_t) { answer.status = "503 Later"; };
  expectError(ErrorKind::io, "the server answers 503", [&] { expectSound(*source); });
  server.spoil = [](HttpAnswer& answer, std::size_t, std::size_t) { answer.isCut = true; };
  expectError(ErrorKind::io, "cannot be read", [&] { expectSound(*source); });
  server.spoil = [](HttpAnswer& answer, std::size_t, std::size_t) { answer.status = "404 No"; };
  expectError(ErrorKind::missing, "the file does not exist", [&] { expectSound(*source); });
  expectError(ErrorKind::missing, "the file does not exist", [&] { (void)open(); });
  expectError(ErrorKind::io, "cannot be read",
              [] { (void)httpSource("http://127.0.0.1:1/events.kaon", 1000); });
}

TEST_F(HttpSource, doesNotTakeOtherBytesThanItAskedFor) {
  const auto source = open();
  const auto expectRefused = [&](auto spoil) {
    server.spoil = [&](HttpAnswer& answer, std::size_t, std::size_t) { spoil(answer); };
    expectError(ErrorKind::io, "has the file changed", [&] { expectSound(*source); });
  };
  const auto replace = [](std::string& text, const std::string& what, const std::string& by) {
    text.replace(text.find(what), what.size(), by);
  };
  expectRefused([](HttpAnswer& answer) { answer.body += "more"; });
  expectRefused([&](HttpAnswer& answer) { replace(answer.headers, "bytes 15", "bytes 14"); });
  expectRefused([&](HttpAnswer& answer) { replace(answer.headers, "Content-Range", "X-Range"); });
  expectRefused([&](HttpAnswer& answer) { replace(answer.headers, "bytes ", "lines "); });
}

TEST_F(HttpSource, seesThatTheFileIsAnother) {
  const auto source = open();
  server.tag = "\"2\"";
  expectError(ErrorKind::io, "has changed since it was opened", [&] { expectSound(*source); });
  server.tag = "\"1\"";
  expectSound(*source);
  server.spoil = [](HttpAnswer& answer, std::size_t, std::size_t) {
    answer.headers.replace(answer.headers.find("/3000000"), 8, "/3000001");
  };
  expectError(ErrorKind::io, "has changed since it was opened",
              [&] { (void)bytesAt(*source, 2'000'000, 10); });
}

TEST_F(HttpSource, seesThatAnotherFileIsShorter) {
  const auto source = open();
  server.spoil = [](HttpAnswer& answer, std::size_t, std::size_t) {
    answer = {.status = "416 Range Not Satisfiable", .headers = "Content-Range: bytes */1000\r\n"};
  };
  expectError(ErrorKind::io, "has changed since it was opened", [&] { expectSound(*source); });
}

// A byte each half second is activity for ever.
TEST_F(HttpSource, givesUpOnSlowServers) {
  const HttpLimits limits{.patience = std::chrono::seconds(1), .leastBytesPerSecond = 1000};
  const auto source = httpSource(server.url(), 1'000'000, limits);
  server.spoil = [](HttpAnswer& answer, std::size_t, std::size_t) {
    answer.pause = std::chrono::milliseconds(100);
  };
  const auto begin = std::chrono::steady_clock::now();
  expectError(ErrorKind::io, "cannot be read", [&] { expectSound(*source); });
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

// A server that always sends just enough is bounded by the time of the whole request.
TEST_F(HttpSource, hasADeadlineForEachRequest) {
  const HttpLimits limits{.patience = std::chrono::seconds(1), .leastBytesPerSecond = 1};
  const auto source = httpSource(server.url(), 1'000'000, limits);
  server.spoil = [](HttpAnswer& answer, std::size_t, std::size_t) {
    answer.pause = std::chrono::milliseconds(50);
  };
  const auto begin = std::chrono::steady_clock::now();
  expectError(ErrorKind::io, "cannot be read", [&] { expectSound(*source); });
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(40));
}

TEST_F(HttpSource, endsEndlessAnswers) {
  const auto source = open();
  for (const char* const status : {"206 Partial Content", "200 OK", "500 Error", "404 No"}) {
    server.spoil = [&](HttpAnswer& answer, std::size_t, std::size_t) {
      answer.status = status;
      answer.isEndless = true;
    };
    EXPECT_THROW(expectSound(*source), Error) << status;
  }
}

TEST_F(HttpSource, refusesServersWithoutRanges) {
  server.spoil = [&](HttpAnswer& answer, std::size_t, std::size_t) {
    answer = {.status = "200 OK", .body = file};
  };
  expectError(ErrorKind::io, "sends only whole files", [&] { (void)open(); });
}

TEST_F(HttpSource, followsTheServerElsewhere) {
  HttpServer other("nothing of this");
  other.spoil = [&](HttpAnswer& answer, std::size_t, std::size_t) {
    answer = {.status = "302 Found", .headers = "Location: " + server.url() + "\r\n"};
  };
  expectSound(*httpSource(other.url(), 1'000'000));
}

} // namespace
} // namespace kaon::io
