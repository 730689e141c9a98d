#include "support/Files.h"
#include "testmodel/testmodel.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// The memory of events that are larger than a cluster.

namespace {

using kaon::Codec;
using kaon::Frame;
using kaon::Layout;
using kaon::Reader;
using kaon::Writer;
using kaon::test::TemporaryDirectory;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool isMeasured = false; // sanitizers take memory of their own
#else
constexpr bool isMeasured = true;
#endif

/// Returns the most memory of a child process that runs a function, in bytes.
double mostMemoryOf(const std::function<void()>& run) {
  const ::pid_t child = ::fork();
  if (child == 0) {
    try {
      run();
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  struct rusage usage {};
  EXPECT_EQ(::wait4(child, &status, 0, &usage), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return 1024. * static_cast<double>(usage.ru_maxrss);
}

::test::HitCollection makeHits(std::uint64_t count) {
  ::test::HitCollection hits;
  hits.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto noise = static_cast<float>(i * 2654435761U % 1000003U);
    hits.create(i, noise, std::array{noise * 2, 1 / (noise + 1), 5.F});
  }
  return hits;
}

constexpr std::uint64_t many = std::uint64_t{2} << 20;
constexpr double bytesOfMany = 32. * static_cast<double>(many); // struct and relation

struct Case {
  Codec codec;
  Layout layout;
};
class HugeEventTest : public testing::TestWithParam<Case> {
protected:
  TemporaryDirectory m_directory;
  const std::string m_path = m_directory / "huge.kaon";

  /// Writes a small event, one of `count` hits, and another small one.
  void write(std::uint64_t count) const {
    Writer out(m_path, {.codec = {GetParam().codec, 1}, .layout = GetParam().layout});
    for (const std::uint64_t hits : {std::uint64_t{3}, count, std::uint64_t{3}}) {
      Frame frame;
      frame.put(makeHits(hits), "Hits");
      out.write(frame, "events");
    }
    out.finish();
  }
  void read(std::uint64_t count) const {
    const Reader reader(m_path);
    const auto events = reader["events"];
    ASSERT_EQ(events.size(), 3U);
    for (const Frame& frame : events.frames({0, events.size()})) {
      const auto& hits = frame.get<::test::HitCollection>("Hits");
      ASSERT_TRUE(hits.size() == 3 || hits.size() == count);
      for (std::uint64_t i = 0; i < hits.size(); ++i) {
        const auto noise = static_cast<float>(i * 2654435761U % 1000003U);
        ASSERT_EQ(hits[i].getCell(), i);
        ASSERT_EQ(hits[i].getEnergy(), noise);
        ASSERT_EQ(hits[i].getMomentum()[1], 1 / (noise + 1));
        ASSERT_EQ(hits[i].getMomentum()[2], 5.F);
        ASSERT_FALSE(hits[i].getParticle().isAvailable());
      }
    }
  }
};

TEST_P(HugeEventTest, isWrittenAndReadInOneAndAHalfTimesItsSize) {
  const double writingFew = mostMemoryOf([&] { write(10); });
  const double readingFew = mostMemoryOf([&] { read(10); });
  const double writing = mostMemoryOf([&] { write(many); }) - writingFew;
  const double reading = mostMemoryOf([&] { read(many); }) - readingFew;
  RecordProperty("writing", std::to_string(writing / bytesOfMany));
  RecordProperty("reading", std::to_string(reading / bytesOfMany));
  if (!isMeasured)
    return;
  EXPECT_LE(writing, 1.5 * bytesOfMany);
  EXPECT_LE(reading, 1.5 * bytesOfMany);
}
INSTANTIATE_TEST_SUITE_P(
    Forms, HugeEventTest,
    testing::Values(Case{Codec::none, Layout::split}, Case{Codec::lz4, Layout::split},
                    Case{Codec::zstd, Layout::split}, Case{Codec::none, Layout::row},
                    Case{Codec::lz4, Layout::row}, Case{Codec::zstd, Layout::row},
                    Case{Codec::lz4, Layout::member}));

} // namespace
