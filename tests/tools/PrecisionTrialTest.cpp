#include <kaon/tools/PrecisionTrial.h>

#include <kaon/event/Reader.h>
#include <kaon/formats/kaonfile/FileWriter.h>
#include <kaon/io/ByteSink.h>
#include <kaon/tools/Convert.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Files.h"
#include "support/Random.h"
#include "support/Tables.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace kaon {
namespace {

/// Writes two clusters of hits with random times and a constant float.
void writeHits(const std::string& path, Layout layout) {
  kaonfile::FileWriter writer(io::fileSink(path), {zstd(), 16 * 1024});
  detail::BatchBuilder builder;
  builder.add(test::collection(
      "Hits", {{"time", Scalar::Float32}, {"zero", Scalar::Float32}, {"cell", Scalar::Int32}},
      layout));
  test::Random random(1);
  for (std::uint64_t first = 0; first < 200; first += 100) {
    for (int entry = 0; entry < 100; ++entry) {
      builder.setPresent(0);
      std::byte* row = builder.append(0, 100);
      for (int i = 0; i < 100; ++i, row += 16) {
        const float time = 1 + static_cast<float>(random.below(1U << 23)) / (1U << 23);
        std::memset(row, 0, 16);
        std::memcpy(row, &time, sizeof time);
      }
      builder.endEntry();
    }
    writer.write("events", builder.batch(first));
    builder.clear();
  }
  writer.finish();
}

TEST(PrecisionTrial, estimatesTheSavingsOfRounding) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "in.kaon";
  const std::string rounded = directory / "out.kaon";
  for (const Layout layout : {Layout::split, Layout::row}) {
    SCOPED_TRACE(layoutName(layout));
    writeHits(path, layout);
    const auto size = std::filesystem::file_size(path);
    const Reader reader(path);
    const Source& source = reader.file().category("events");
    const auto trials = tryPrecision(source, codecOf(source), {8, 16, 30});
    ASSERT_EQ(trials.size(), 4U); // two precisions of two members; float32 has fewer than 30 bits
    for (const PrecisionTrial& trial : trials) {
      if (trial.member == 1) {
        EXPECT_EQ(trial.savedBytes, 0U);
        continue;
      }
      convert(
          {path}, rounded,
          {.writer = {.storage = {{"Hits", {.precision = {{"time", mantissaBits(trial.bits)}}}}},
                      .pageBytes = 16 * 1024}});
      const auto saved = size - std::filesystem::file_size(rounded);
      EXPECT_NEAR(static_cast<double>(trial.savedBytes), static_cast<double>(saved),
                  0.1 * static_cast<double>(saved))
          << trial.bits;
    }
  }
}

TEST(PrecisionTrial, leavesOutRoundedMembers) {
  const test::TemporaryDirectory directory;
  writeHits(directory / "in.kaon", Layout::split);
  convert({directory / "in.kaon"}, directory / "out.kaon",
          {.writer = {.storage = {{"Hits", {.precision = {{"time", mantissaBits(8)}}}}}}});
  const Reader reader(directory / "out.kaon");
  for (const PrecisionTrial& trial :
       tryPrecision(reader.file().category("events"), zstd(), {6, 8, 10}))
    EXPECT_TRUE(trial.member == 1 || trial.bits == 6);
}

TEST(PrecisionTrial, knowsTheCodecInUse) {
  const test::TemporaryDirectory directory;
  writeHits(directory / "in.kaon", Layout::split);
  for (const Codec codec : {Codec::none, Codec::lz4, Codec::zlib}) {
    convert({directory / "in.kaon"}, directory / "out.kaon",
            {.writer = {.codec = {codec, 1}, .layout = Layout::row}});
    const Reader reader(directory / "out.kaon");
    EXPECT_EQ(codecOf(reader.file().category("events")).codec, codec);
  }
}

} // namespace
} // namespace kaon
