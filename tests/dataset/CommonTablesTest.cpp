#include <kaon/array/Array.h>
#include <kaon/dataset/Dataframe.h>
#include <kaon/dataset/Dataset.h>
#include <kaon/files/Files.h>
#include <kaon/tools/Convert.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Errors.h"
#include "support/Files.h"
#include "support/Tables.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::expectError;
using Numbers = std::vector<std::optional<std::int64_t>>;

struct OptionalRow {
  std::int64_t value;
  bool hasValue;
};

/// Files with the value `n`, which is optional in one of them, and further values.
class CommonTablesTest : public testing::Test {
protected:
  template <class Row>
  [[nodiscard]] std::string write(const std::string& name, const TableDefinition& table,
                                  std::initializer_list<Row> rows) const {
    std::string path = folder / name;
    BatchWriter writer = batchWriter(path);
    detail::BatchBuilder builder;
    builder.add(table);
    for (const Row& row : rows) {
      std::memcpy(builder.append(0, 1), &row, sizeof row);
      builder.endEntry();
    }
    writer.write("events", builder.batch(0));
    writer.finish();
    return path;
  }
  [[nodiscard]] std::string plain(const std::string& name, Layout layout = Layout::split) const {
    return write(
        name,
        test::table("n", TableKind::value, "int64", {{"", Scalar::Int64}}, Table::none, layout),
        {std::int64_t{1}, std::int64_t{2}});
  }
  [[nodiscard]] std::string optional(const std::string& name) const {
    return write(
        name,
        test::table("n", TableKind::value, "",
                    {{".value", Scalar::Int64, 1, "?"}, {".has_value", Scalar::Bool, 1, "?"}}),
        {OptionalRow{3, true}, OptionalRow{0, false}});
  }
  [[nodiscard]] std::string other(const std::string& name) const {
    return write(name, test::values("x", TableKind::value, Scalar::Float64), {0.5});
  }

  [[nodiscard]] static Numbers numbersOf(const Dataset& dataset) {
    Numbers numbers;
    for (auto [number] : dataset.each<std::optional<std::int64_t>>("n"))
      numbers.push_back(number);
    Numbers ofBatches;
    for (const Batch& batch : dataset.batches({"n"})) {
      const auto values = batch.optionals<std::int64_t>("n");
      for (std::size_t i = 0; i < values.size(); ++i)
        ofBatches.push_back(values[i]);
    }
    EXPECT_EQ(ofBatches, numbers);
    return numbers;
  }

  test::TemporaryDirectory folder;
};

TEST_F(CommonTablesTest, makeColumnsOptionalIfOneFileHasOptionals) {
  const std::string a = plain("a.kaon"), b = optional("b.kaon");
  EXPECT_EQ(numbersOf(Dataset({a, b}, "events")), (Numbers{1, 2, 3, std::nullopt}));
  EXPECT_EQ(numbersOf(Dataset({b, a}, "events")), (Numbers{3, std::nullopt, 1, 2}));
  EXPECT_EQ(numbersOf(Dataset({plain("rows.kaon", Layout::row), b}, "events")),
            (Numbers{1, 2, 3, std::nullopt}));
  EXPECT_EQ(*dataset({a, b}, "events").filter("n > 1").count(), 2U);
  EXPECT_EQ(*dataset({a, b}, "events").filter("not has(n)").count(), 1U);
  (void)merge({a, b}, folder / "merged.kaon");
  EXPECT_EQ(numbersOf(Dataset({folder / "merged.kaon"}, "events")),
            (Numbers{1, 2, 3, std::nullopt}));
}

TEST_F(CommonTablesTest, keepFilesWithoutOptionalsAsTheyAre) {
  const Dataset both({plain("a.kaon"), plain("b.kaon")}, "events");
  EXPECT_EQ(both.first().schema().table(0).members[0].name, "");
}

TEST_F(CommonTablesTest, fillMissingColumns) {
  const std::string a = plain("a.kaon"), c = other("c.kaon");
  const Dataset both({a, c}, "events", {}, OnBadFile::raise, MissingColumns::areNone);
  EXPECT_EQ(numbersOf(both), (Numbers{1, 2, std::nullopt}));
  const Dataframe frame =
      dataset({c, optional("b.kaon"), a}, "events", {}, OnBadFile::raise, MissingColumns::areNone);
  EXPECT_EQ(*frame.filter("has(n)").sum("n"), Number(std::int64_t{6}));
  EXPECT_EQ(*frame.filter("has(x)").count(), 1U);
  EXPECT_EQ(*frame.sum("x"), Number(0.5));
}

TEST_F(CommonTablesTest, areNotSearchedForMissingColumnsWithoutTheOption) {
  const std::string a = plain("a.kaon"), c = other("c.kaon");
  expectError(ErrorKind::name, "none of the columns", [&] {
    (void)*dataset({a, c}, "events").sum("n");
  });
}

TEST_F(CommonTablesTest, leaveOtherTypesToTheReader) {
  const std::string a = optional("a.kaon");
  const std::string b =
      write("b.kaon", test::values("n", TableKind::value, Scalar::Float64), {0.5});
  expectError(ErrorKind::name, "'n.value', unlike in", [&] {
    const Dataset both({a, b}, "events", {}, OnBadFile::raise, MissingColumns::areNone);
    for (const Batch& batch : both.batches({"n"}))
      (void)batch;
  });
}

} // namespace
} // namespace kaon
