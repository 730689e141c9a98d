#include <kaon/formats/kaonfile/FileReader.h>
#include <kaon/formats/kaonfile/FileWriter.h>

#include <kaon/base/Bytes.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Random.h"
#include "support/Warnings.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

// The least and the greatest value of each page and cluster.

namespace kaon::kaonfile {
namespace {

using test::Writing;

template <class T>
T from(std::uint64_t bits) {
  return detail::loadAs<T>(std::as_bytes(std::span(&bits, 1)).data());
}

/// The expected extremes of values, found by comparing each value.
template <class T>
struct Expected {
  std::optional<T> least, greatest;
  bool hasNaN = false;
  void add(T value) {
    if (value != value) {
      hasNaN = true;
      return;
    }
    least = std::min(least.value_or(value), value);
    greatest = std::max(greatest.value_or(value), value);
  }
};

template <class T>
void expectExtremes(const std::optional<Extremes>& found, const Expected<T>& expected) {
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->hasNaN, expected.hasNaN);
  ASSERT_EQ(found->hasNone, !expected.least.has_value());
  if (expected.least) {
    EXPECT_EQ(from<T>(found->least), *expected.least);
    EXPECT_EQ(from<T>(found->greatest), *expected.greatest);
  }
}

template <class T>
class BoundsOf : public testing::Test {};
using Scalars =
    testing::Types<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                   std::uint32_t, std::int64_t, std::uint64_t, float, double>;
class TypeName {
public:
  template <class T>
  static std::string GetName(int /*number*/) {
    return std::string(nameOf(scalarOf<T>()));
  }
};
TYPED_TEST_SUITE(BoundsOf, Scalars, TypeName);

/// Returns any value, including the special values of the type.
template <class T>
T anyValue(test::Random& random) {
  using Limits = std::numeric_limits<T>;
  if (random.chance(0.1)) {
    const T special[] = {T(0),     Limits::max(),      Limits::lowest(),       Limits::min(),
                         T(-T(0)), Limits::infinity(), T(-Limits::infinity()), Limits::quiet_NaN()};
    return special[random.below(std::size(special))];
  }
  if constexpr (std::is_same_v<T, bool>)
    return random.chance(0.5);
  else
    return static_cast<T>(static_cast<double>(random.bits() % 1000) - (T(-1) < T(0) ? 500. : 0.));
}

TYPED_TEST(BoundsOf, areThoseOfAPlainLoop) {
  using T = TypeParam;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    test::Random random(seed);
    Writing writing({uncompressed(), 64});
    detail::BatchBuilder builder;
    builder.add(test::collection("Hits", {{"x", scalarOf<T>()}, {"xs", scalarOf<T>(), 3}}));
    std::vector<std::vector<T>> rows; // rows of each entry; a row has four values
    const std::size_t mostRows = seed % 2 == 0 ? 1 : 60;
    for (std::size_t cluster = 0; cluster < 3; ++cluster) {
      for (int i = 0; i < 40; ++i) {
        auto& values = rows.emplace_back();
        builder.setPresent(0);
        const std::size_t count = random.below(mostRows + 1);
        const Table info = builder.schema().table(0);
        std::byte* const begin = builder.append(0, count);
        for (std::size_t value = 0; value < 4 * count; ++value) {
          values.push_back(anyValue<T>(random));
          const std::size_t at =
              value % 4 == 0 ? 0 : info.members[1].offset + value % 4 * sizeof(T) - sizeof(T);
          const T plain = values.back();
          std::memcpy(begin + value / 4 * info.rowSize + at, &plain, sizeof plain);
        }
        builder.endEntry();
      }
      writing.writer.write("events", builder.batch(40 * cluster));
      builder.clear();
    }
    const auto file = writing.finished();
    const Source& source = file->category("events");
    const auto expectedIn = [&](std::uint64_t first, std::uint64_t last, bool isArray) {
      Expected<T> expected;
      for (std::uint64_t entry = first; entry < last; ++entry)
        for (std::size_t value = 0; value < rows[entry].size(); ++value)
          if ((value % 4 != 0) == isArray)
            expected.add(rows[entry][value]);
      return expected;
    };
    std::size_t pages = 0;
    for (const std::uint32_t member : {0U, 1U}) {
      const auto cursor = source.cursor();
      for (std::uint64_t entry = 0; entry < source.entries(); ++pages) {
        const detail::PageRange range = cursor->pages(0, entry);
        expectExtremes(cursor->extremes(0, member, range),
                       expectedIn(range.firstEntry, range.lastEntry, member == 1));
        entry = range.lastEntry;
      }
      for (std::size_t cluster = 0; cluster < 3; ++cluster)
        expectExtremes(source.extremes(0, member, cluster),
                       expectedIn(40 * cluster, 40 * (cluster + 1), member == 1));
    }
    EXPECT_GT(pages, 6U);
  }
}

/// Returns the extremes of a page with these values.
template <class T>
Extremes extremesOf(const std::vector<T>& values) {
  Writing writing;
  detail::BatchBuilder builder;
  builder.add(test::values("Hits.x", TableKind::parameter, scalarOf<T>()));
  builder.setPresent(0);
  for (const T value : values)
    test::addRow(builder, 0, value);
  builder.endEntry();
  writing.writer.write("events", builder.batch(0));
  const auto file = writing.finished();
  const Source& source = file->category("events");
  const auto cursor = source.cursor();
  const Extremes found = cursor->extremes(0, 0, cursor->pages(0, 0)).value();
  EXPECT_EQ(source.extremes(0, 0, 0), found);
  return found;
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Bounds, areMissingForEmptyPages) {
  Writing writing({.pageBytes = 40});
  detail::BatchBuilder builder;
  builder.add(test::values("x", TableKind::parameter, Scalar::Int32));
  for (std::uint32_t entry = 0; entry < 20; ++entry) {
    builder.setPresent(0);
    for (std::uint32_t row = 0; entry >= 10 && row < 100; ++row)
      test::addRow(builder, 0, std::int32_t{1});
    builder.endEntry();
  }
  writing.writer.write("events", builder.batch(0));
  const auto file = writing.finished();
  const auto cursor = file->category("events").cursor();
  EXPECT_EQ(cursor->extremes(0, 0, cursor->pages(0, 0)), (Extremes{0, 0, true, false}));
}

TEST(Bounds, leaveOutNaN) {
  EXPECT_EQ(extremesOf<double>({nan, nan}), (Extremes{0, 0, true, true}));
  const Extremes mixed = extremesOf<double>({nan, 2, nan, -1, nan});
  EXPECT_TRUE(mixed.hasNaN);
  EXPECT_FALSE(mixed.hasNone);
  EXPECT_EQ(from<double>(mixed.least), -1);
  EXPECT_EQ(from<double>(mixed.greatest), 2);
}

TEST(Bounds, mayBeInfinite) {
  for (const double value : {infinity, -infinity}) {
    const Extremes found = extremesOf<double>({value, value, nan});
    EXPECT_FALSE(found.hasNone);
    EXPECT_EQ(from<double>(found.least), value);
    EXPECT_EQ(from<double>(found.greatest), value);
  }
}

TEST(Bounds, takeBothZerosForTheSame) {
  const Extremes found = extremesOf<double>({0., -0.});
  EXPECT_EQ(from<double>(found.least), 0);
  EXPECT_EQ(from<double>(found.greatest), 0);
  EXPECT_TRUE(std::signbit(from<double>(extremesOf<double>({-0.}).least)));
}

TEST(Bounds, areOfTheWholeRangeOfATypeIfNeedBe) {
  using Limits = std::numeric_limits<std::int64_t>;
  const Extremes found = extremesOf<std::int64_t>({0, Limits::max(), Limits::min()});
  EXPECT_EQ(from<std::int64_t>(found.least), Limits::min());
  EXPECT_EQ(from<std::int64_t>(found.greatest), Limits::max());
}

TEST(Bounds, areThoseOfMembersInRows) {
  Writing writing;
  detail::BatchBuilder builder;
  builder.add(
      test::collection("Hits", {{"x", Scalar::Int32}, {"y", Scalar::Float32, 2}}, Layout::row));
  struct Hit {
    std::int32_t x;
    float y[2];
  };
  for (const Hit& hit :
       {Hit{3, {-1.F, 2.F}}, Hit{-7, {5.F, std::numeric_limits<float>::quiet_NaN()}}}) {
    builder.setPresent(0);
    test::addRow(builder, 0, hit);
    builder.endEntry();
  }
  writing.writer.write("events", builder.batch(0));
  const auto file = writing.finished();
  const Source& source = file->category("events");
  const auto cursor = source.cursor();
  const Extremes x = cursor->extremes(0, 0, cursor->pages(0, 0)).value();
  EXPECT_EQ(from<std::int32_t>(x.least), -7);
  EXPECT_EQ(from<std::int32_t>(x.greatest), 3);
  const Extremes y = source.extremes(0, 1, 0).value();
  EXPECT_EQ(from<float>(y.least), -1.F);
  EXPECT_EQ(from<float>(y.greatest), 5.F);
  EXPECT_TRUE(y.hasNaN);
}

TEST(Bounds, areNotKnownInClustersFromBeforeTheTable) {
  Writing writing;
  detail::BatchBuilder builder =
      test::entriesOf<std::int32_t>(test::values("run", TableKind::value, Scalar::Int32), {1, 2});
  writing.writer.write("events", builder.batch(0));
  builder.clear();
  builder.add(test::values("late", TableKind::value, Scalar::Int32));
  test::addRow(builder, 0, 3);
  test::addRow(builder, 1, 7);
  builder.endEntry();
  writing.writer.write("events", builder.batch(2));
  const auto file = writing.finished();
  const Source& source = file->category("events");
  EXPECT_EQ(source.extremes(1, 0, 0), std::nullopt);
  EXPECT_TRUE(source.extremes(1, 0, 1).has_value());
}

/// Writes a key and a number that exists only in later clusters.
std::shared_ptr<Buffer> keyed(std::size_t clusters) {
  Writing writing;
  detail::BatchBuilder builder;
  TableDefinition number = test::values("number", TableKind::value, Scalar::Int64);
  number.use = TableUse::key;
  builder.add(number);
  for (std::size_t cluster = 0; cluster < clusters; ++cluster) {
    if (cluster == 2) {
      number.name = "late";
      number.members[0].missing = 77;
      builder.add(number);
    }
    for (std::int64_t i = 0; i < 10; ++i) {
      const std::int64_t value = (i * 7) % 10 + 10 * static_cast<std::int64_t>(cluster);
      test::addRow(builder, 0, value);
      if (cluster >= 2)
        test::addRow(builder, 1, -value);
      builder.endEntry();
    }
    writing.writer.write("events", builder.batch(10 * cluster));
    builder.clear();
  }
  writing.writer.finish();
  return writing.bytes;
}

void expectKeys(const Source& source, std::size_t clusters) {
  for (std::size_t cluster = 0; cluster < clusters; ++cluster) {
    const auto first = static_cast<std::int64_t>(10 * cluster);
    const Extremes number = source.extremes(0, 0, cluster).value();
    EXPECT_EQ(from<std::int64_t>(number.least), first);
    EXPECT_EQ(from<std::int64_t>(number.greatest), first + 9);
    if (cluster < 2)
      continue;
    const Extremes late = source.extremes(1, 0, cluster).value();
    EXPECT_EQ(from<std::int64_t>(late.least), -first - 9);
    EXPECT_EQ(from<std::int64_t>(late.greatest), -first);
  }
}

TEST(Bounds, ofKeysStandInTheIndex) {
  const auto bytes = keyed(4);
  const test::Recorded recorded = test::openRecorded(bytes->bytes());
  recorded.logs->views.clear();
  const Source& source = recorded.file->category("events");
  expectKeys(source, 4);
  const Extremes before = source.extremes(1, 0, 0).value();
  EXPECT_EQ(from<std::int64_t>(before.least), 77); // the value for entries of earlier clusters
  EXPECT_EQ(from<std::int64_t>(before.greatest), 77);
  EXPECT_TRUE(recorded.logs->views.requests().empty());
}

TEST(Bounds, ofKeysAreKnownInUnfinishedFilesToo) {
  const auto bytes = keyed(4);
  test::Warnings warnings;
  const auto file = test::openBytes(bytes->bytes().first(bytes->size() - 1));
  EXPECT_EQ(warnings.take().size(), 1U);
  expectKeys(file->category("events"), 4);
}

} // namespace
} // namespace kaon::kaonfile
