#include <kaon/dataset/Dataframe.h>

#include "support/CollisionEvents.h"
#include "support/Errors.h"
#include "support/Files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {
namespace {

using test::CollisionEvents;
using test::expectContains;
using test::expectError;

std::string nameOfRun(std::int32_t run) {
  return run % 3 == 0 ? "" : (run % 3 == 1 ? "cosmics " : "β ") + std::to_string(run);
}

std::vector<std::string> namesOfCharges(Array<std::int32_t> charge) {
  std::vector<std::string> names;
  for (const std::int32_t each : charge)
    names.emplace_back(each > 0 ? "mu+" : "antimuon");
  return names;
}

/// Columns with one text per entry and with lists of texts.
class TextsTest : public testing::Test {
protected:
  TextsTest() {
    truth.write(directory / "events.kaon");
    (void)*defined().snapshot(directory / "texts.kaon");
  }
  /// Returns the columns as functions return them.
  [[nodiscard]] Dataframe defined() const {
    return dataset(directory / "events.kaon", "events")
        .define("title", nameOfRun, {"run"})
        .define("names", namesOfCharges, {"Muon.charge"})
        .define("Muon.tag",
                [](std::int32_t charge) { return std::string_view(charge > 0 ? "plus" : "-"); },
                {"Muon.charge"});
  }
  /// Returns the columns as read from a file.
  [[nodiscard]] Dataframe events() const { return dataset(directory / "texts.kaon", "events"); }

  [[nodiscard]] std::vector<std::string> titles() const {
    std::vector<std::string> all;
    for (const std::int32_t run : truth.run)
      all.push_back(nameOfRun(run));
    return all;
  }
  /// Returns the texts of the muons of each event.
  [[nodiscard]] std::vector<std::vector<std::string>> ofMuons(std::string plus,
                                                              std::string minus) const {
    std::vector<std::vector<std::string>> all;
    truth.forEach([&](std::size_t, std::size_t first, std::size_t last) {
      all.emplace_back();
      for (std::size_t i = first; i < last; ++i)
        all.back().push_back(truth.charge[i] > 0 ? plus : minus);
    });
    return all;
  }

  test::TemporaryDirectory directory;
  CollisionEvents truth{5000};
};

TEST_F(TextsTest, areDefinedByFunctionsAndTaken) {
  for (const Dataframe& texts : {defined(), events()}) {
    EXPECT_EQ(nameOf(texts.typeOf("title")), "string");
    EXPECT_EQ(nameOf(texts.typeOf("names")), "list of strings");
    EXPECT_EQ(nameOf(texts.typeOf("Muon.tag")), "list of strings");
    EXPECT_EQ(*texts.take<std::string>("title"), titles());
    EXPECT_EQ(*texts.take<std::string_view>("title"), titles());
    EXPECT_EQ(*texts.take<Array<std::string_view>>("names"), ofMuons("mu+", "antimuon"));
    EXPECT_EQ(*texts.take<Array<std::string_view>>("Muon.tag"), ofMuons("plus", "-"));
  }
}

TEST_F(TextsTest, areTakenWithATypeThatIsKnownAtRunTime) {
  const auto title = events().filter("run == 1").take("title");
  EXPECT_TRUE(title->type.isText);
  ASSERT_EQ(title->offsets.size(), 1U);
  EXPECT_EQ(title->offsets[0].size(), 11U);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(title->values.data()), 9), "cosmics 1");
}

TEST_F(TextsTest, goIntoFunctionsOfEntriesObjectsAndBatches) {
  const auto length = [](std::string_view text) { return static_cast<std::uint64_t>(text.size()); };
  const auto lengths = [](std::span<const std::string_view> texts) {
    std::vector<std::uint64_t> all;
    for (const std::string_view text : texts)
      all.push_back(text.size());
    return all;
  };
  const Dataframe texts = events();
  std::vector<std::uint64_t> expected;
  for (const std::string& title : titles())
    expected.push_back(title.size());
  EXPECT_EQ(*texts.define("n", length, {"title"}).take<std::uint64_t>("n"), expected);
  EXPECT_EQ(*texts.define("n", lengths, {"title"}).take<std::uint64_t>("n"), expected);
  std::vector<std::vector<std::uint64_t>> ofTags;
  for (const auto& tags : ofMuons("plus", "-")) {
    ofTags.emplace_back();
    for (const std::string& tag : tags)
      ofTags.back().push_back(tag.size());
  }
  EXPECT_EQ(*texts.define("n", length, {"Muon.tag"}).take<Array<std::uint64_t>>("n"), ofTags);
  EXPECT_EQ(*texts.define("n", lengths, {"Muon.tag"}).take<Array<std::uint64_t>>("n"), ofTags);
  const auto upper = [](std::span<const std::string_view> all) {
    std::vector<std::string> changed(all.begin(), all.end());
    for (std::string& text : changed)
      text += "!";
    return changed;
  };
  EXPECT_EQ((*texts.define("n", upper, {"Muon.tag"}).take<Array<std::string_view>>("n")),
            ofMuons("plus!", "-!"));
  const auto last = texts.aggregate(
      std::string(),
      [](std::string& most, std::string_view text) {
        most = std::max<std::string>(most, std::string(text));
      },
      [](std::string& most, const std::string& next) { most = std::max(most, next); }, {"title"});
  EXPECT_EQ(*last, std::ranges::max(titles()));
}

TEST_F(TextsTest, areComparedCountedAndChosenByExpressions) {
  const Dataframe texts = events();
  const auto all = titles();
  EXPECT_EQ(*texts.filter("title == 'cosmics 1'").count(), 10U);
  EXPECT_EQ(*texts.filter("title == ''").take<std::string>("title"),
            std::vector<std::string>(static_cast<std::size_t>(std::ranges::count(all, "")), ""));
  EXPECT_EQ(*texts.filter("count(names) != count(Muon)").count(), 0U); // texts, not characters
  EXPECT_EQ(*texts.filter("count(title) > 0").count(),
            all.size() - static_cast<std::size_t>(std::ranges::count(all, "")));
  EXPECT_EQ(*texts.define("plus", "Muon.tag[Muon.tag == 'plus']")
                 .filter("any(plus != 'plus') or count(plus) != sum(Muon.charge == 1)")
                 .count(),
            0U);
  EXPECT_EQ(nameOf(texts.define("one", "names[0]").typeOf("one")), "string");
  const auto first = texts.filter("count(names) > 0").define("one", "names[0]");
  EXPECT_EQ(*first.define("two", "first(names)").take<std::string>("two"),
            *first.take<std::string>("one"));
  EXPECT_EQ(first.take<std::string>("one")->front().substr(0, 1),
            first.take<Array<std::string_view>>("names")->front().front().substr(0, 1));
  for (const char* text : {"title + 1", "sum(names)", "sort(names)", "title if run else run",
                           "get(names, 0, 65)", "-title", "hypot(title, title)"})
    expectError(ErrorKind::type, "not a number", [&] { (void)texts.define("x", text); });
  expectError(ErrorKind::type, "'3' is int64, not a text",
              [&] { (void)texts.define("x", "title > 3"); });
}

TEST_F(TextsTest, areComparedWithEachOtherByExpressions) {
  const auto tagOfSign = [](std::int32_t charge) { return charge > 0 ? "plus" : "minus"; };
  const Dataframe texts =
      events().define("same", tagOfSign, {"Muon.charge"}).define("run name", nameOfRun, {"run"});
  EXPECT_EQ(*texts.filter("column('run name') != title").count(), 0U);
  EXPECT_EQ(*texts.filter("title < 'cosmics'").count(),
            static_cast<std::uint64_t>(std::ranges::count(titles(), "")));
  EXPECT_EQ(
      *texts.define("n", "sum(same == Muon.tag)").filter("n != sum(Muon.charge == 1)").count(), 0U);
  EXPECT_EQ(*texts.define("n", "count(Muon[Muon.tag < same])")
                 .filter("n != sum(Muon.charge != 1)")
                 .count(),
            0U);
}

TEST_F(TextsTest, areShownAndDescribed) {
  const auto display =
      events().filter("run == 2 and count(Muon) == 2").display({"title", "names"}, 1);
  ASSERT_EQ(display->rows.size(), 1U);
  EXPECT_EQ(display->rows[0][0], "β 2");
  EXPECT_TRUE(display->rows[0][1].starts_with("['")) << display->rows[0][1];
  const auto odd =
      events()
          .define("odd",
                  [](std::int32_t run) {
                    return "a\nb\u009b\u202e\xff" + std::string(run == 0 ? 60U : 0U, 'x');
                  },
                  {"run"})
          .display({"odd"}, 11);
  EXPECT_EQ(odd->rows[0][0], "a\\nb\\x9b\\u202e\\xff" + std::string(34, 'x') + "...");
  EXPECT_EQ(odd->rows[10][0], "a\\nb\\x9b\\u202e\\xff");
  const std::string text = events().describe();
  expectContains(text, "  title        string\n");
  expectContains(text, "  names        list of strings\n");
}

TEST_F(TextsTest, areNoNumbers) {
  const Dataframe texts = events();
  expectError(ErrorKind::type, "'title' is a string", [&] { (void)texts.sum("title"); });
  expectError(ErrorKind::type, "'title' is a string", [&] { (void)texts.min("title"); });
  expectError(ErrorKind::type, "'names' is a list of strings", [&] { (void)texts.stats("names"); });
  expectError(ErrorKind::type, "'title' is a string", [&] {
    (void)texts.histogram({10, 0, 1}, "title");
  });
  expectError(ErrorKind::type, "'title' is a string", [&] { (void)texts.report("title"); });
  expectError(ErrorKind::type, "takes as std::string_view, not as std::int32_t",
              [&] { (void)texts.define("x", [](std::int32_t run) { return run; }, {"title"}); });
  expectError(ErrorKind::type, "takes as float, not as std::string_view", [&] {
    (void)texts.define("x", [](std::string_view text) { return text.size(); }, {"MET_pt"});
  });
  expectError(ErrorKind::type, "is a string, not a list", [&] { (void)texts.explode("title"); });
  // A text may be read as bytes.
  EXPECT_EQ(texts.take<Array<std::uint8_t>>("title")->at(10).size(), 9U);
}

TEST_F(TextsTest, areEntriesOfTheirOwnAndVary) {
  const Dataframe tags = events().explode("Muon").filter("Muon.tag == 'plus'");
  EXPECT_EQ(nameOf(tags.typeOf("Muon.tag")), "string");
  EXPECT_EQ(*tags.count(), static_cast<std::size_t>(std::ranges::count(truth.charge, 1)));
  EXPECT_EQ(*tags.implode().filter("any(Muon.tag != 'plus')").count(), 0U);
  EXPECT_EQ(*events().explode("names").filter("names == 'mu+'").count(), *tags.count());
  const auto passed = events()
                          .vary("title", "renamed", [](std::int32_t) { return "new"; }, {"run"})
                          .filter("title == 'new'")
                          .count();
  auto varied = variations(passed);
  EXPECT_EQ(*passed, 0U);
  EXPECT_EQ(*varied.at("renamed"), truth.size());
}

TEST_F(TextsTest, areReplacedInSnapshots) {
  const auto written =
      events()
          .redefine("title", [](std::int32_t run) { return run % 2 == 0 ? std::string() : "odd"; },
                    {"run"})
          .redefine("Muon.tag", [](std::int32_t) { return std::string("longer than before"); },
                    {"Muon.charge"})
          .snapshot(directory / "again.kaon");
  EXPECT_EQ(*written->filter("title == 'odd'").count(), *events().filter("run % 2 == 1").count());
  EXPECT_EQ(*written->take<Array<std::string_view>>("Muon.tag"),
            ofMuons("longer than before", "longer than before"));
  EXPECT_EQ(*written->take<Array<std::string_view>>("names"), ofMuons("mu+", "antimuon"));
}

} // namespace
} // namespace kaon
