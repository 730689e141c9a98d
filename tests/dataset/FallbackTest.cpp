#include <kaon/dataset/Dataframe.h>

#include "support/Errors.h"
#include "support/Files.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::expectError;

/// Files of two runs with different triggers: the first lacks "HLT_new", the second "HLT_old".
class FallbackTest : public testing::Test {
protected:
  FallbackTest() {
    write<std::uint8_t>("a.root", {"HLT_old", {1, 0, 1}}, {0, 1, 2});
    write<std::uint8_t>("b.root", {"HLT_new", {1, 1, 0, 0}}, {3, 4, 5, 6});
  }

  template <class T>
  struct Values {
    std::string name;
    std::vector<T> values;
  };
  template <class T>
  void write(const std::string& file, const Values<T>& further,
             const std::vector<std::int32_t>& run) const {
    Columns columns(run.size());
    columns.add("run", run);
    columns.add(further.name, further.values);
    BatchWriter writer = batchWriter(m_folder / file);
    writer.write("Events", columns.batch());
    writer.finish();
  }
  [[nodiscard]] Dataframe both() const {
    return dataset({m_folder / "a.root", m_folder / "b.root"}, "Events");
  }

  test::TemporaryDirectory m_folder;
};

using Flags = std::vector<std::uint8_t>;

TEST_F(FallbackTest, isTheNumberInFilesThatLackTheColumn) {
  const Dataframe events = both().fallback("HLT_old", 0).fallback("HLT_new", std::uint8_t{7});
  EXPECT_EQ(*events.take<std::uint8_t>("HLT_old"), (Flags{1, 0, 1, 0, 0, 0, 0}));
  EXPECT_EQ(*events.take<std::uint8_t>("HLT_new"), (Flags{7, 7, 7, 1, 1, 0, 0}));
}

TEST_F(FallbackTest, worksInExpressionsFunctionsAndVariations) {
  const Dataframe events = both().fallback("HLT_old", 0).fallback("HLT_new", std::uint8_t{0});
  const Dataframe odd = events.filter("run != 4");
  EXPECT_EQ(*odd.filter("HLT_old == 1 or HLT_new == 1").take<std::int32_t>("run"),
            (std::vector<std::int32_t>{0, 2, 3}));
  const auto add = [](std::uint8_t x, std::uint8_t y) { return x + 10 * y; };
  EXPECT_EQ(*odd.define("both", add, {"HLT_old", "HLT_new"}).take<int>("both"),
            (std::vector<int>{1, 0, 1, 10, 0, 0}));
  const auto twice = [](std::uint8_t flag) { return static_cast<std::uint8_t>(2 * flag); };
  const auto sum = odd.vary("HLT_new", "on", twice, {"HLT_new"}).sum("HLT_new");
  EXPECT_EQ(*variations(sum).at("on"), 2);
  EXPECT_EQ(*sum, 1);
}

TEST_F(FallbackTest, hasTheTypeThatFilesHaveOrTheNumber) {
  write<float>("c.root", {"weight", {0.5F, 0.25F}}, {7, 8});
  const std::vector<std::string> paths = {m_folder / "a.root", m_folder / "c.root"};
  EXPECT_EQ(*dataset(paths, "Events").fallback("weight", 1.).take<double>("weight"),
            (std::vector<double>{1, 1, 1, 0.5, 0.25}));
  expectError(ErrorKind::type, "c.root:Events: 'weight' is a float32, but an int32",
              [&] { (void)*dataset(paths, "Events").fallback("weight", 1).sum("weight"); });
  const auto weights = *dataset(m_folder / "c.root", "Events")
                            .fallback("weight", std::nan(""))
                            .take<float>("weight");
  EXPECT_EQ(weights, (std::vector<float>{0.5F, 0.25F}));
  for (const Number number : {Number(-1), Number(256), Number(0.5), Number(std::nan(""))})
    expectError(ErrorKind::type, "'HLT_old': the column is a uint8",
                [&] { (void)both().fallback("HLT_old", number); });
}

TEST_F(FallbackTest, isForSingleNumbersOfTheFiles) {
  expectError(ErrorKind::usage, "'two' was defined",
              [&] { (void)both().define("two", "2 * run").fallback("two", 0); });
  Columns columns(1);
  const std::vector<std::uint32_t> begins = {0, 2};
  const std::vector<float> values = {1, 2};
  columns.add("HLT_old", begins, {{"", values}});
  BatchWriter writer = batchWriter(m_folder / "lists.kaon");
  writer.write("Events", columns.batch());
  writer.finish();
  expectError(ErrorKind::type, "'HLT_old' is a list of float32, but a fallback",
              [&] { (void)dataset(m_folder / "lists.kaon", "Events").fallback("HLT_old", 0); });
  expectError(ErrorKind::type, "lists.kaon:Events: 'HLT_old' is a list of float32", [&] {
    (void)*dataset({m_folder / "a.root", m_folder / "lists.kaon"}, "Events")
        .fallback("HLT_old", 0)
        .sum("HLT_old");
  });
}

TEST_F(FallbackTest, warnsWhereNoFileHasTheColumn) {
  test::Warnings warnings;
  const Dataframe events = both().fallback("HLT_old", 0).fallback("HLT_odl", false);
  EXPECT_EQ(*events.count(), 7U);
  EXPECT_TRUE(warnings.take().empty()) << "nobody asked for it";
  EXPECT_EQ(*events.filter("HLT_old == 1 or HLT_odl").count(), 2U);
  const std::vector<std::string> said = warnings.take();
  ASSERT_EQ(said.size(), 1U);
  test::expectContains(said[0], "no file that was read has 'HLT_odl'");
}

TEST_F(FallbackTest, isWrittenBySnapshots) {
  test::Warnings warnings;
  const Dataframe written =
      *both().fallback("HLT_old", 0).fallback("HLT_new", 0).snapshot(m_folder / "all.kaon");
  EXPECT_EQ(*written.take<std::uint8_t>("HLT_old"), (Flags{1, 0, 1, 0, 0, 0, 0}));
  EXPECT_EQ(*written.take<std::int32_t>("HLT_new"),
            (std::vector<std::int32_t>{0, 0, 0, 1, 1, 0, 0}));
  EXPECT_EQ(*written.take<std::int32_t>("run"), (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6}));
}

} // namespace
} // namespace kaon
