#include "support/Files.h"
#include "support/TestEvents.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

// A program's static objects are destroyed after its threads' data and many static values.

namespace {

using kaon::test::expectEvent;
using kaon::test::makeEvent;

[[noreturn]] void writeAndExit(const std::string& path, kaon::Codec codec) {
  static kaon::Frame frame = makeEvent(1);
  static auto particles = frame.take<test::ParticleCollection>("Particles");
  static kaon::Writer writer(path, {.codec = {codec, 1}}); // finishes in its destructor
  writer.write(makeEvent(13), "events");
  std::exit(0);
}

TEST(StaticObjects, doTheirWorkAtTheEndOfTheProgram) {
  // Not forked: this test runs again for each codec, in separate programs, which get the directory
  // from here.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  constexpr auto variable = "KAON_TEST_STATIC_OBJECTS";
  std::optional<kaon::test::TemporaryDirectory> directory;
  if (!std::getenv(variable))
    ::setenv(variable, (directory.emplace() / "").c_str(), 0);
  for (const auto codec : {kaon::Codec::none, kaon::Codec::lz4, kaon::Codec::zstd,
                           kaon::Codec::zlib, kaon::Codec::lzma}) {
    const std::string path = std::getenv(variable) + std::string(kaon::codecName(codec));
    EXPECT_EXIT(writeAndExit(path, codec), testing::ExitedWithCode(0), "");
    expectEvent(kaon::Reader(path)["events"].at(0), 13);
  }
  ::unsetenv(variable);
}

} // namespace
