#include <kaon/reading/Batches.h>
#include <kaon/reading/ColumnFiller.h>
#include <kaon/reading/ColumnReader.h>
#include <kaon/reading/Each.h>
#include <kaon/writing/BatchWriter.h>

#include "support/Errors.h"
#include "support/OptionalHits.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// Files store 0 for a missing optional. No way to read columns may return this 0.

namespace kaon {
namespace {

using test::expectError;

std::shared_ptr<Buffer> hits(Layout layout, bool more = false) {
  test::Writing writing({zstd(1), 2048});
  test::writeOptionalHits(writing.writer, layout, more);
  writing.writer.finish();
  return writing.bytes;
}

template <class T>
std::vector<std::optional<T>> all(const OptionalValues<T>& values) {
  std::vector<std::optional<T>> list;
  for (std::size_t i = 0; i < values.size(); ++i)
    list.push_back(values[i]);
  return list;
}

using Floats = std::vector<std::optional<float>>;
constexpr std::nullopt_t none = std::nullopt;

class OptionalColumns : public testing::TestWithParam<Layout> {
protected:
  std::shared_ptr<Buffer> bytes = hits(GetParam());
  std::unique_ptr<File> file = test::openBytes(bytes->bytes());
  const Source& source = file->category("events");
};
INSTANTIATE_TEST_SUITE_P(Layouts, OptionalColumns, testing::Values(Layout::split, Layout::row));

TEST_P(OptionalColumns, areOptionalsInBatches) {
  Batches batches(source, {"Hits"});
  ASSERT_TRUE(batches.next());
  const Batch& batch = batches.batch();
  EXPECT_EQ(all(batch.optionals<float>("Hits.time")), (Floats{1.5F, none, 0.F}));
  EXPECT_EQ(all(batch.optionals<float>("Hits.time.value")), (Floats{1.5F, none, 0.F}));
  EXPECT_EQ(all(batch.optionals<float>("Hits.at.x")), (Floats{3.F, none, 5.F}));
  EXPECT_EQ(all(batch.optionals<float>("Hits.at.z")), (Floats{none, none, 6.F}));
  EXPECT_EQ(all(batch.optionals<float>("Hits.energy")), (Floats{1.F, 2.F, 3.F}));
  EXPECT_TRUE(batch.optionals<float>("Hits.energy").present().empty());
  const auto ranges = batch.optionals<std::array<std::int16_t, 2>>("Hits.range");
  ASSERT_TRUE(ranges[0].has_value());
  EXPECT_EQ(*ranges[0], (std::array<std::int16_t, 2>{1, 2}));
  EXPECT_FALSE(ranges[1].has_value());
  EXPECT_EQ(batch.values<bool>("Hits.time.has_value").size(), 3);
}

TEST_P(OptionalColumns, areNoPlainValuesInBatches) {
  Batches batches(source, {"Hits.time", "Hits.at.z", "Hits.range"});
  ASSERT_TRUE(batches.next());
  const Batch& batch = batches.batch();
  for (const char* name : {"Hits.time", "Hits.time.value", "Hits.at.z"})
    expectError(ErrorKind::type, "may be missing; optionals(\"",
                [&] { (void)batch.values<float>(name); });
  EXPECT_EQ(all(batch.optionals<float>("Hits.at.z")), (Floats{none, none, 6.F})); // from both bools
  expectError(ErrorKind::type, "has 2 values in each row, not 1",
              [&] { (void)batch.optionals<std::int16_t>("Hits.range"); });
  expectError(ErrorKind::name, "did you mean 'Hits.time.value'",
              [&] { (void)batch.optionals<float>("Hits.tine.value"); });
}

TEST_P(OptionalColumns, areOptionalsInLoops) {
  std::vector<Floats> times, xs, zs;
  for (auto [time, x, z, energy] : Each<Array<std::optional<float>>, Array<std::optional<float>>,
                                        Array<std::optional<float>>, Array<std::optional<float>>>(
           source, {"Hits.time", "Hits.at.x", "Hits.at.z", "Hits.energy"})) {
    times.emplace_back(time.begin(), time.end());
    xs.emplace_back(x.begin(), x.end());
    zs.emplace_back(z.begin(), z.end());
    for (const std::optional<float>& value : energy)
      EXPECT_TRUE(value.has_value());
  }
  EXPECT_EQ(times, (std::vector<Floats>{{1.5F, none}, {}, {0.F}}));
  EXPECT_EQ(xs, (std::vector<Floats>{{3.F, none}, {}, {5.F}}));
  EXPECT_EQ(zs, (std::vector<Floats>{{none, none}, {}, {6.F}}));
}

TEST_P(OptionalColumns, areMissingAsAWholeInLoops) {
  using Range = std::array<std::int16_t, 2>;
  std::vector<std::vector<std::optional<Range>>> ranges;
  for (auto [range] : Each<Array<std::optional<Range>>>(source, {"Hits.range"}))
    ranges.emplace_back(range.begin(), range.end());
  EXPECT_EQ(ranges,
            (std::vector<std::vector<std::optional<Range>>>{{Range{1, 2}, none}, {}, {none}}));
}

TEST_P(OptionalColumns, haveTheirNamesInLateMembersAndLists) {
  const auto written = hits(GetParam(), true);
  const auto with = test::openBytes(written->bytes());
  Batches batches(with->category("events"), {"Hits"});
  ASSERT_TRUE(batches.next());
  EXPECT_EQ(all(batches.batch().optionals<double>("Hits.late")),
            (std::vector<std::optional<double>>{1.25, none, 3.25}));
  EXPECT_EQ(all(batches.batch().optionals<float>("Hits.times")),
            (Floats{1.F, none, 2.F, none, 3.F, none}));
}

TEST_P(OptionalColumns, areNoPlainValuesInLoops) {
  using Numbers = Each<Array<float>>;
  expectError(ErrorKind::type,
              "'Hits.time' may be missing; read it as kaon::Array<std::optional<float>>",
              [&] { Numbers(source, {"Hits.time"}); });
  expectError(ErrorKind::type, "'Hits.time' may be missing",
              [&] { Numbers(source, {"Hits.time.value"}); });
  expectError(ErrorKind::type, "'Hits.at.z' may be missing",
              [&] { Numbers(source, {"Hits.at.value.z.value"}); });
  expectError(ErrorKind::type, "read it as kaon::Array<std::optional<std::array<std::int16_t, 2>>>",
              [&] { Each<Array<Array<std::int16_t>>>(source, {"Hits.range"}); });
  expectError(ErrorKind::type, "read it as kaon::Array<std::optional<float>>",
              [&] { Each<std::optional<float>>(source, {"Hits.time"}); });
}

struct Time {
  float time;
  bool hasTime;
};
struct Lonely {
  float time;
};

TEST_P(OptionalColumns, haveTheirPresenceInRecords) {
  using WithBoth = Array<Record<Time, "time.value", "time.has_value">>;
  std::vector<float> times;
  for (auto [rows] : Each<WithBoth>(source, {"Hits"}))
    for (const Time& row : rows)
      times.push_back(row.hasTime ? row.time : -1);
  EXPECT_EQ(times, (std::vector<float>{1.5F, -1, 0}));
  using WithOne = Array<Record<Lonely, "time.value">>;
  expectError(ErrorKind::type, "the record has no member for 'Hits.time.has_value'",
              [&] { Each<WithOne>(source, {"Hits"}); });
}

TEST_P(OptionalColumns, arraysOfOneAreArrays) {
  std::vector<std::size_t> sizes;
  for (auto [one] : Each<Array<Array<float>>>(source, {"Hits.one"}))
    for (const auto& values : one)
      sizes.push_back(values.size());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{1, 1, 1}));
  expectError(ErrorKind::type, "read as kaon::Array<kaon::Array<float>>",
              [&] { Each<Array<float>>(source, {"Hits.one"}); });
}

struct One {
  std::array<float, 1> one;
};

TEST_P(OptionalColumns, arraysOfOneAreMembersOfRecords) {
  float sum = 0;
  for (auto [rows] : Each<Array<Record<One, "one">>>(source, {"Hits"}))
    for (const One& row : rows)
      sum += row.one[0];
  EXPECT_EQ(sum, 24);
}

TEST_P(OptionalColumns, areFilledTogetherWithTheirPresence) {
  std::array<float, 3> times{};
  std::array<bool, 3> isThere{};
  ColumnFiller filler(source);
  filler.setValues("Hits.time", std::span<float>(times));
  expectError(ErrorKind::usage, "give memory for 'Hits.time.has_value', too",
              [&] { (void)filler.fill(0); });
  filler.setValues("Hits.time.has_value", std::span<bool>(isThere));
  EXPECT_EQ(filler.fill(0), 3);
  EXPECT_EQ(times[0], 1.5F);
  EXPECT_EQ(isThere, (std::array{true, false, true}));
}

TEST_P(OptionalColumns, areReadTogetherWithTheirPresence) {
  std::array<float, 3> zs{};
  std::array<bool, 3> hasAt{}, hasZ{};
  ColumnReader reader(source, {"Hits"});
  reader.setValues("Hits.at.z", std::span<float>(zs));
  reader.setValues("Hits.at.value.z.has_value", std::span<bool>(hasZ));
  expectError(ErrorKind::usage, "give memory for 'Hits.at.has_value', too", [&] { reader.read(); });
  reader.setValues("Hits.at.has_value", std::span<bool>(hasAt));
  reader.read();
  EXPECT_EQ(zs[2], 6);
  EXPECT_EQ(hasAt, (std::array{true, false, true}));
}

} // namespace
} // namespace kaon
