#include <kaon/dataset/Dataframe.h>
#include <kaon/dataset/DatasetStream.h>
#include <kaon/event/Frame.h>
#include <kaon/event/Writer.h>

#include "support/ArrowTexts.h"
#include "support/Errors.h"
#include "support/Files.h"

#include "richmodel/richmodel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::expectError;
using Times = std::vector<std::vector<std::optional<float>>>;

/// Hits with times that may be missing, in some of 300 events.
class DataframeOptionalsTest : public testing::Test {
protected:
  DataframeOptionalsTest() {
    Writer writer(path);
    for (int entry = 0; entry < 300; ++entry) {
      Frame frame;
      rich::inner::ParticleCollection hits;
      auto& times = truth.emplace_back();
      for (int i = 0; i < entry % 4; ++i) {
        const bool hasTime = (entry + i) % 3 != 0;
        const float time = static_cast<float>(entry) + 0.25F * static_cast<float>(i);
        times.push_back(hasTime ? std::optional(time) : std::nullopt);
        auto hit = hits.create();
        hit.setTime(times.back());
        hit.setStatus(1);
      }
      frame.put(std::move(hits), "H");
      writer.write(frame, "events");
    }
    writer.finish();
  }
  [[nodiscard]] Dataframe events() const { return dataset(path, "events"); }

  test::TemporaryDirectory folder;
  std::string path = folder / "a.kaon";
  Times truth;
};

/// What is there of an array, in lists.
Times timesOf(const ColumnArray& array) {
  Times times;
  const auto* const values = reinterpret_cast<const float*>(array.values.data());
  for (std::size_t entry = 0; entry + 1 < array.offsets[0].size(); ++entry) {
    auto& list = times.emplace_back();
    const auto first = array.offsets[0].data()[entry], last = array.offsets[0].data()[entry + 1];
    for (auto i = first; i < last; ++i) {
      const bool isThere = !array.present || array.present->data()[i] != std::byte{0};
      list.push_back(isThere ? std::optional(values[i]) : std::nullopt);
    }
  }
  return times;
}

TEST_F(DataframeOptionalsTest, KeepsWhatIsMissing) {
  const auto stored = events().take("H.time");
  const auto defined = events().define("late", "H.time + 1").define("x", "late - 1").take("x");
  const auto there = events().take("H.time[has(H.time)]");
  EXPECT_EQ(timesOf(*stored), truth);
  EXPECT_EQ(timesOf(*defined), truth);
  EXPECT_FALSE(there->present.has_value() &&
               std::ranges::count(std::span(there->present->data(), there->present->size()),
                                  std::byte{0}) > 0);
  const std::vector<std::string> columns = events().columns();
  EXPECT_TRUE(std::ranges::count(columns, "H.time") == 1 && std::ranges::count(columns, "H.mass"));
  for (const std::string& column : columns)
    EXPECT_FALSE(column.ends_with("value")) << column;
}

TEST_F(DataframeOptionalsTest, LeavesOutWhatIsMissing) {
  double sum = 0;
  std::uint64_t count = 0, late = 0, notLate = 0;
  for (const auto& times : truth) {
    bool isLate = false, isNotLate = false;
    for (const auto& time : times) {
      sum += time.value_or(0);
      count += time ? 1 : 0;
      isLate |= time && *time > 250;
      isNotLate |= !(time && *time > 250);
    }
    late += isLate ? 1 : 0;
    notLate += isNotLate ? 1 : 0;
  }
  const auto total = events().sum("H.time"), least = events().sum("min(default(H.time, 1e9))");
  const auto stats = events().stats("H.time");
  const auto histogram = events().histogram({1, 0, 1e6}, "H.time", "H.status");
  const auto isLate = events().filter("any(H.time > 250)").count();
  const auto isNotLate = events().filter("any(not (H.time > 250))").count();
  const auto objects = events().explode("H").filter("H.time > 0").count();
  EXPECT_DOUBLE_EQ(*total, sum);
  EXPECT_EQ(stats->count, count);
  EXPECT_EQ(histogram->at(0).value(), static_cast<double>(count));
  EXPECT_EQ(*isLate, late);
  EXPECT_EQ(*isNotLate, notLate);
  EXPECT_EQ(*objects, count);
  EXPECT_GT(**events().min("H.time"), 0); // the 0 that is stored is none of them
  EXPECT_GT(static_cast<double>(*least), 0);
}

TEST_F(DataframeOptionalsTest, RefusesItWhereItCannotBeMissing) {
  const auto refused = [](auto use) {
    expectError(ErrorKind::type, "default(H.time, value)", use);
  };
  refused([&] { (void)events().define("x", [](Array<float> x) { return sum(x); }, {"H.time"}); });
  refused([&] { (void)events().take<Array<float>>("H.time"); });
  refused([&] { (void)events().reduce([](float a, float b) { return a + b; }, "H.time"); });
  refused([&] { (void)events().histogram({1, 0, 1}, "H.status", "H.time"); });
  EXPECT_NO_THROW(
      (void)events().define("x", [](Array<float> x) { return sum(x); }, {"default(H.time, 0)"}));
}

TEST_F(DataframeOptionalsTest, IsNullInStreams) {
  const auto rows = test::textsOf(
      test::Stream(streamOf(std::make_shared<const Dataset>(std::vector{path}, "events"),
                            {.columns = {"H.time * 2"}, .cut = "count(H) == 3"})));
  std::size_t nulls = 0, missing = 0;
  for (const std::string& row : rows)
    for (std::size_t at = row.find("null"); at != std::string::npos; at = row.find("null", at + 1))
      ++nulls;
  for (const auto& times : truth)
    for (const auto& time : times)
      missing += times.size() == 3 && !time ? 1 : 0;
  EXPECT_EQ(nulls, missing);
}

} // namespace
} // namespace kaon
