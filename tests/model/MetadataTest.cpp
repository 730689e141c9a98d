#include <kaon/model/Metadata.h>

#include "support/Errors.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::expectError;

constexpr const char* document =
    R"({"file":{"detector":"CLD","luminosity":12.5},)"
    R"("categories":{"events":{"steps":["digitise","cluster"]}},)"
    R"("collections":{"events":{"Hits":{"threshold":0.5},"weight":{"kind":{"norm":null}}}},)"
    R"("rules":{"file":{"luminosity":"sum"},"collections":{"events":{"Hits":{"threshold":"min"}}}}})";

Metadata example() {
  Metadata metadata;
  metadata.set("detector", "CLD");
  metadata.set("luminosity", 12.5, "sum");
  metadata.part("events").set("steps", Json::List{"digitise", "cluster"});
  metadata.part("events").part("Hits").set("threshold", 0.5, "min");
  metadata.part("events").part("weight").set("kind", Json::Entries{{"norm", {}}});
  (void)metadata.part("runs"); // reading does not create a part
  return metadata;
}

TEST(Metadata, areADocument) {
  EXPECT_EQ(example().toJson(), document);
  const Metadata read = Metadata::fromJson(document, "a.kaon: the metadata");
  EXPECT_EQ(read.toJson(), document);
  EXPECT_EQ(read.get<double>("luminosity"), 12.5);
  EXPECT_EQ(read.rule("luminosity"), "sum");
  EXPECT_EQ(read.rule("detector"), "same");
  EXPECT_EQ(read.keys(), (std::vector<std::string>{"detector", "luminosity"}));
  ASSERT_NE(read.findPart("events"), nullptr);
  EXPECT_EQ(read.findPart("events")->findPart("Hits")->get<float>("threshold"), 0.5F);
  EXPECT_EQ(read.findPart("runs"), nullptr);
  EXPECT_EQ(Metadata().toJson(), "{}");
}

TEST(Metadata, areGivenAsTheTypeThatIsAskedFor) {
  Metadata metadata;
  metadata.set("number", 300);
  metadata.set("text", "a");
  metadata.set("truth", true);
  EXPECT_EQ(metadata.get<int>("number"), 300);
  EXPECT_EQ(metadata.get<double>("number"), 300.);
  EXPECT_EQ(metadata.get<std::string>("text"), "a");
  EXPECT_EQ(metadata.get<bool>("truth"), true);
  EXPECT_EQ(metadata.get<int>("nothing"), std::nullopt);
  expectError(ErrorKind::type, "the metadata 'number' are 300, which has another type",
              [&] { (void)metadata.get<std::int8_t>("number"); });
  metadata.set("large", 1e300);
  expectError(ErrorKind::type, "the metadata 'large' are 1e+300, which has another type",
              [&] { (void)metadata.get<float>("large"); });
  expectError(ErrorKind::type, "'text' are \"a\"", [&] { (void)metadata.get<int>("text"); });
  expectError(ErrorKind::type, "'truth' are true", [&] { (void)metadata.get<int>("truth"); });
}

TEST(Metadata, areReplacedAndRemoved) {
  Metadata metadata;
  metadata.set("x", 1, "sum");
  metadata.set("y", 2);
  metadata.set("x", "a");
  EXPECT_EQ(metadata.rule("x"), "same");
  EXPECT_EQ(metadata.toJson(), R"({"file":{"x":"a","y":2}})");
  metadata.remove("x");
  EXPECT_EQ(metadata.find("x"), nullptr);
}

TEST(Metadata, haveRulesThatFit) {
  Metadata metadata;
  expectError(ErrorKind::name, "'x': no rule is called 'unoin' (did you mean 'union'?); use one of",
              [&] { metadata.set("x", 1, "unoin"); });
  for (const Json& value : {Json("a"), Json(true), Json(Json::List{1}), Json()})
    expectError(ErrorKind::type, "the metadata 'x' have a rule for numbers, not for",
                [&] { metadata.set("x", value, "sum"); });
  expectError(ErrorKind::type, "the metadata 'x' have a value that JSON cannot hold",
              [&] { metadata.set("x", 0. / 0.); });
  Json nested = 1;
  for (int depth = 0; depth < 90; ++depth)
    nested = Json(Json::List{nested});
  Metadata deep;
  deep.part("events").part("Hits").set("x", nested);
  EXPECT_EQ(Metadata::fromJson(deep.toJson(), "deep").toJson(), deep.toJson());
  expectError(ErrorKind::type, "nested more than 90 deep",
              [&] { metadata.set("x", Json(Json::List{nested})); });
  EXPECT_TRUE(metadata.keys().empty());
}

Json mergedOf(const std::string& rule, const std::vector<Json>& values) {
  std::vector<Metadata> several(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    several[i].set("x", values[i], rule);
  return *Metadata::merged(several).find("x");
}

TEST(MergedMetadata, followTheirRules) {
  using List = Json::List;
  const Json ab = Json::Entries{{"a", 1}, {"b", 2}}, ba = Json::Entries{{"b", 2}, {"a", 1}};
  EXPECT_EQ(mergedOf("same", {"a", "a"}), Json("a"));
  EXPECT_EQ(mergedOf("same", {ab, ba}), ab);
  EXPECT_EQ(mergedOf("first", {1, 2, 3}), Json(1));
  EXPECT_EQ(mergedOf("last", {1, 2, 3}), Json(3));
  EXPECT_EQ(mergedOf("sum", {1, 2}), Json(3));
  EXPECT_EQ(mergedOf("sum", {1, 0.5}), Json(1.5));
  EXPECT_EQ(mergedOf("sum", {INT64_MIN, UINT64_MAX}), Json(INT64_MAX));
  EXPECT_EQ(mergedOf("sum", {std::uint64_t{1} << 63, INT64_MAX}), Json(UINT64_MAX));
  EXPECT_EQ(mergedOf("min", {2, 1.5, 3}), Json(1.5));
  EXPECT_EQ(mergedOf("max", {"b", "c", "a"}), Json("c"));
  EXPECT_EQ(mergedOf("list", {1, List{2, 1}, List{}}), Json(List{1, 2, 1}));
  EXPECT_EQ(mergedOf("union", {1, List{2, 1}, List{1.0}}), Json(List{1, 2, 1.0}));
}

TEST(MergedMetadata, mustAgree) {
  expectError(ErrorKind::usage, "the metadata 'x' differ: 1 and 1.0; set a rule for merging", [] {
    (void)mergedOf("same", {1, 1.0});
  });
  expectError(ErrorKind::type, "have a rule for numbers, or strings, not for 1 and \"a\"", [] {
    (void)mergedOf("min", {1, "a"});
  });
  expectError(ErrorKind::type, "the sum of the metadata 'x' has more than 64 bits", [] {
    (void)mergedOf("sum", {UINT64_MAX, 1});
  });
  std::vector<Metadata> several(2);
  several[0].part("events").part("Hits").set("x", 1, "sum");
  several[1].part("events").part("Hits").set("x", 1, "min");
  several[1].set("y", 2);
  expectError(ErrorKind::usage, "the metadata 'events.Hits.x' have different rules: sum and min",
              [&] { (void)Metadata::merged(several); });
  std::vector<std::string> mistakes;
  EXPECT_EQ(Metadata::merged(several, &mistakes).toJson(), R"({"file":{"y":2}})");
  EXPECT_EQ(mistakes.size(), 1U);
}

TEST(MergedMetadata, mayBeMissingInSome) {
  std::vector<Metadata> several(3);
  several[0].set("a", 1, "sum");
  several[2].set("a", 2, "sum");
  several[1].part("events").set("b", "x");
  EXPECT_EQ(Metadata::merged(several).toJson(),
            R"({"file":{"a":3},"categories":{"events":{"b":"x"}},"rules":{"file":{"a":"sum"}}})");
  EXPECT_EQ(Metadata::merged({}).toJson(), "{}");
}

TEST(MetadataDocument, mayBeSomethingElse) {
  for (const std::string text :
       {"{", "[]", R"({"file": 1})", R"({"collections": {"events": {"Hits": 1}}})",
        R"({"rules": []})", R"({"file": {"x": 1}, "rules": {"file": {"x": 1}}})"})
    expectError(ErrorKind::corrupt, "a.kaon: the metadata: ", [&] {
      (void)Metadata::fromJson(text, "a.kaon: the metadata");
    });
}

TEST(MetadataDocument, mayHaveRulesThatNobodyKnows) {
  const Metadata read = Metadata::fromJson(
      R"({"file": {"x": 1}, "rules": {"file": {"x": "median", "y": "sum"}}})", "here");
  EXPECT_EQ(read.rule("x"), "median");
  expectError(ErrorKind::name, "no rule is called 'median'", [&] {
    (void)Metadata::merged(std::vector{read, read});
  });
}

} // namespace
} // namespace kaon
