#include <kaon/batch/ObjectJson.h>

#include <kaon/batch/HistogramSum.h>

#include "support/DamagedFiles.h"
#include "support/Random.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Objects as JSON, and sums of histograms.

namespace kaon::detail {
namespace {

ObjectNumbers numbers(const std::vector<double>& values) {
  ObjectNumbers all{Scalar::Float64, std::vector<std::byte>(values.size() * sizeof(double))};
  if (!values.empty())
    std::memcpy(all.bytes.data(), values.data(), all.bytes.size());
  return all;
}

std::vector<double> valuesOf(const ObjectTree& tree, std::string_view member) {
  const auto& all = std::get<ObjectNumbers>(tree.parts[0].find(member)->is);
  std::vector<double> values(all.size());
  if (!values.empty())
    std::memcpy(values.data(), all.bytes.data(), all.bytes.size());
  return values;
}

/// A histogram of one axis with these bins.
ObjectTree histogram(const std::vector<double>& bins, double high = 1,
                     const std::vector<double>& squares = {}) {
  ObjectTree tree;
  tree.root = {ObjectPart{0}};
  tree.parts = {{"TH1D",
                 {{"TNamed", "fTitle", {std::string("title")}},
                  {"TH1", "fXaxis", {ObjectPart{1}}},
                  {"TH1", "fEntries", {double(bins.size())}},
                  {"TH1", "fSumw2", {numbers(squares)}},
                  {"TArrayD", "fArray", {numbers(bins)}}},
                 ""},
                {"TAxis",
                 {{"TAxis", "fNbins", {std::int64_t(bins.size()) - 2}},
                  {"TAxis", "fXmin", {0.0}},
                  {"TAxis", "fXmax", {high}},
                  {"TAxis", "fXbins", {numbers({})}},
                  {"TAxis", "fLabels", {}}},
                 ""}};
  return tree;
}

ObjectTree throughText(const ObjectTree& tree) {
  return objectFrom(parseJson(toJson(tree).text(), "o.kaon"), "o.kaon");
}

TEST(ObjectJson, keepsAllValues) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinite = std::numeric_limits<double>::infinity();
  ObjectTree tree;
  tree.root = {std::vector<ObjectValue>{{},
                                        {true},
                                        {std::int64_t{-5}},
                                        {std::numeric_limits<std::uint64_t>::max()},
                                        {1.0},
                                        {nan},
                                        {-infinite},
                                        {std::string("caf\xe9")},
                                        {std::string("text")},
                                        {ObjectPart{0}}}};
  for (const Scalar type : {Scalar::Bool, Scalar::Int16, Scalar::Float32})
    for (const std::size_t count : {0U, 1U, 2U, 3U, 4U, 5U})
      tree.parts.push_back(
          {"A",
           {{"B",
             "m",
             {ObjectNumbers{type, std::vector<std::byte>(count * sizeOf(type), std::byte{1})}}}},
           ""});
  tree.parts.push_back({"F", {}, "cannot be read"});
  const ObjectTree read = throughText(tree);
  const auto& items = std::get<std::vector<ObjectValue>>(read.root.is);
  EXPECT_EQ(std::get<std::uint64_t>(items[3].is), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(std::get<double>(items[4].is), 1.0);
  EXPECT_EQ(std::get<std::string>(items[7].is), "caf\xe9");
  EXPECT_EQ(read.parts.back().failure, "cannot be read");
  ObjectTree comparable = tree, same = read;
  comparable.parts.pop_back(); // failures are never equal
  same.parts.pop_back();
  EXPECT_TRUE(areEqual(comparable, same));
}

TEST(ObjectJson, isReadOrRefusedForAnyText) {
  const std::string whole = toJson(histogram({1, 2, 3, 4})).text();
  test::Random random(3);
  std::size_t refused = 0;
  for (int i = 0; i < 5'000; ++i) {
    const std::string bytes = test::withOtherBytes(whole, random);
    try {
      const ObjectTree tree = objectFrom(parseJson(bytes, "o.kaon"), "o.kaon");
      (void)HistogramSum(histogram({1, 2, 3, 4})).add(tree);
      (void)unlikeAxes(histogram({1, 2, 3, 4}), tree);
    } catch (const Error& error) {
      ++refused;
      EXPECT_EQ(error.kind(), ErrorKind::corrupt) << error.what();
    }
  }
  EXPECT_GT(refused, 1'000U);
}

TEST(HistogramSum, addsBinsAndEntries) {
  HistogramSum sum(histogram({0, 1, 2, 0}));
  EXPECT_EQ(sum.add(histogram({1, 1, 1, 1})), HistogramSum::Outcome::added);
  EXPECT_EQ(valuesOf(sum.sum(), "fArray"), (std::vector<double>{1, 2, 3, 1}));
  EXPECT_EQ(std::get<double>(sum.sum().parts[0].find("fEntries")->is), 8);
}

TEST(HistogramSum, takesTheOtherIfOnlyItHasErrors) {
  HistogramSum sum(histogram({0, 1, 2, 0}));
  EXPECT_EQ(sum.add(histogram({1, 1, 1, 1}, 1, {4, 4, 4, 4})), HistogramSum::Outcome::addedToOther);
  EXPECT_EQ(valuesOf(sum.sum(), "fSumw2"), (std::vector<double>{4, 5, 6, 4}));
}

TEST(HistogramSum, namesUnlikeAxes) {
  EXPECT_EQ(unlikeAxes(histogram({0, 1, 0}), histogram({0, 1, 0})), "");
  EXPECT_EQ(unlikeAxes(histogram({0, 1, 0}), histogram({0, 1, 2, 0})),
            "its x axis has 2 bins from 0 to 1, not 1 bin from 0 to 1");
  EXPECT_EQ(unlikeAxes(histogram({0, 1, 0}), histogram({0, 1, 0}, 2.5)),
            "its x axis has 1 bin from 0 to 2.5, not 1 bin from 0 to 1");
}

} // namespace
} // namespace kaon::detail
