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

/// Hits whose times may be missing, in some of 300 events.
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
        hit.setMass(std::nullopt);
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

/// Returns the values of an array as lists.
Times timesOf(const detail::ColumnArray& array) {
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

TEST_F(DataframeOptionalsTest, keepsMissingValues) {
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

TEST_F(DataframeOptionalsTest, leavesOutMissingValues) {
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
  EXPECT_GT(**events().min("H.time"), 0); // excludes the 0 that files store for missing values
  EXPECT_GT(static_cast<double>(*least), 0);
}

TEST_F(DataframeOptionalsTest, refusesItWhereItCannotBeMissing) {
  const auto refused = [](auto use) {
    expectError(ErrorKind::type, "default(H.time, value)", use);
  };
  refused([&] { (void)events().define("x", [](Array<float> x) { return sum(x); }, {"H.time"}); });
  refused([&] { (void)events().take<Array<float>>("H.time"); });
  refused([&] { (void)events().reduce([](float a, float b) { return a + b; }, "H.time"); });
  refused([&] { (void)events().histogram({1, 0, 1}, "H.status", "H.time"); });
  expectError(ErrorKind::type, "'H.time.has_value' is part of an optional",
              [&] { (void)events().redefine("H.time.has_value", "H.status == 1"); });
  EXPECT_NO_THROW(
      (void)events().define("x", [](Array<float> x) { return sum(x); }, {"default(H.time, 0)"}));
}

TEST_F(DataframeOptionalsTest, isWrittenAndReadAgain) {
  const Dataframe late = events().define("late", "H.time + 1").define("H.late", "late - 1");
  for (const std::string name : {"late.kaon", "late.root", "late.h5"}) {
    const Dataframe written = *late.snapshot(folder / name, {"H", "H.late", "late"});
    const auto stored = written.take("H.time"), further = written.take("H.late");
    const auto alone = written.take("late - 1");
    EXPECT_EQ(timesOf(*stored), truth) << name;
    EXPECT_EQ(timesOf(*further), truth) << name;
    EXPECT_EQ(timesOf(*alone), truth) << name;
  }
}

TEST_F(DataframeOptionalsTest, isWrittenOfObjects) {
  const Dataframe objects = events().explode("H");
  const Dataframe written = *objects.snapshot(folder / "objects.kaon");
  const Dataframe again =
      *objects.filter("H.status == 1").implode().snapshot(folder / "again.kaon");
  std::uint64_t count = 0;
  for (const auto& times : truth)
    count += static_cast<std::uint64_t>(std::ranges::count_if(times, [](auto t) { return !!t; }));
  EXPECT_EQ(*written.filter("has(H.time)").count(), count);
  EXPECT_EQ(timesOf(*again.take("H.time")), truth);
}

TEST_F(DataframeOptionalsTest, keepsItsMeaningUnderOtherNames) {
  const Dataframe other = events().alias("t", "H.time").redefine("H.time", "H.time + 100");
  EXPECT_EQ(timesOf(*other.take("t")), truth);
  EXPECT_EQ(timesOf(*other.take("t + 0")), truth);
}

TEST_F(DataframeOptionalsTest, isOfTheObjectsOfALateList) {
  const Dataframe late = events().define("late", "H.time + 1");
  const auto objects = late.explode("late").stats("late");
  const auto lists = late.stats("late");
  EXPECT_EQ(objects->count, lists->count);
  EXPECT_EQ(objects->mean, lists->mean);
}

TEST_F(DataframeOptionalsTest, mayBeMissingInVariations) {
  const auto number = [](std::int32_t status) { return static_cast<double>(status); };
  const Dataframe varied = events()
                               .define("H.long", "float(H.time)")
                               .vary("H.long", "late", "H.long + 1000")
                               .vary("H.long", "early", "H.long if H.time < 250 else H.mass")
                               .vary("H.long", "all", number, {"H.status"});
  const auto sum = varied.sum("H.long");
  const auto some = varied.filter("any(H.long > 250)").count();
  const auto sums = variations(sum);
  const auto counts = variations(some);
  double nominalTotal = 0, total = 0, early = 0, hits = 0;
  std::uint64_t count = 0, nominal = 0;
  for (const auto& times : truth) {
    bool isLate = false;
    for (const auto& time : times) {
      nominalTotal += time.value_or(0);
      total += time ? *time + 1000 : 0;
      early += time && *time < 250 ? *time : 0;
      hits += 1;
      isLate |= time && *time > 250;
    }
    nominal += isLate ? 1 : 0;
    count += std::ranges::any_of(times, [](auto t) { return !!t; }) ? 1 : 0;
  }
  EXPECT_DOUBLE_EQ(static_cast<double>(*sum), nominalTotal);
  EXPECT_DOUBLE_EQ(static_cast<double>(*sums.at("late")), total);
  EXPECT_DOUBLE_EQ(static_cast<double>(*sums.at("early")), early);
  EXPECT_DOUBLE_EQ(static_cast<double>(*sums.at("all")), hits);
  EXPECT_EQ(*some, nominal);
  EXPECT_EQ(*counts.at("late"), count);
  EXPECT_EQ(*counts.at("early"), 0U);
  EXPECT_EQ(*counts.at("all"), 0U);
}

TEST_F(DataframeOptionalsTest, isNullInStreams) {
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
