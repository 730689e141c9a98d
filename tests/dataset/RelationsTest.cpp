#include <kaon/dataset/Dataframe.h>
#include <kaon/event/Writer.h>

#include "support/Errors.h"
#include "support/Files.h"
#include "support/RelatedEvents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <ranges>
#include <vector>

namespace kaon {
namespace {

using test::expectError;

/// Follows relations before and after objects become entries.
class RelationsTest : public testing::Test {
protected:
  RelationsTest() {
    Writer out(directory / "events.kaon");
    for (int number = 0; number < 200; ++number) {
      Frame event = test::makeRelatedEvent(number);
      momenta.emplace_back();
      times.emplace_back();
      hits.emplace_back();
      for (const auto track : event.get<test::TrackCollection>("Tracks"))
        for (const auto hit : track.getHits())
          hits.back().push_back(hit.getTime());
      for (const auto link : event.get<test::TrackPixelLinkCollection>("Links")) {
        momenta.back().push_back(link.getFrom().getMomentum());
        times.back().push_back(link.getTo().getTime());
      }
      out.write(event, "events");
    }
    out.finish();
  }
  [[nodiscard]] Dataframe events() const { return dataset(directory / "events.kaon", "events"); }

  test::TemporaryDirectory directory;
  std::vector<std::vector<float>> times, momenta; // that the links of each event lead to
  std::vector<std::vector<float>> hits;           // times of the hits of all its tracks
};

/// The file's model states which datatypes have the interface.
TEST_F(RelationsTest, leadToObjectsOfSeveralDatatypes) {
  const auto sumOf = [](const std::vector<float>& all) {
    return std::accumulate(all.begin(), all.end(), 0.F);
  };
  std::vector<float> expected;
  std::ranges::transform(hits, std::back_inserter(expected), sumOf);
  ASSERT_GT(std::ranges::max(expected), 1000);
  EXPECT_EQ(*events().define("all", "sum(sum(Tracks.hits.time))").take<float>("all"), expected);
  expectError(ErrorKind::name, "'Tracks.hits' may lead to 'Pixels', whose objects have no 'length'",
              [&] { (void)events().define("all", "sum(Tracks.hits.length)"); });
}

TEST_F(RelationsTest, leadToListsOfObjectsOfSeveralDatatypes) {
  const Dataframe rows = events().define("rows", "sum(sum(Tracks.hits.address))");
  EXPECT_EQ(nameOf(rows.typeOf("rows")), "list of int64");
  expectError(ErrorKind::name, "'Tracks.hits' may lead to 'Strips', whose objects have no",
              [&] { (void)events().define("all", "Tracks.hits.neighbour.time"); });
}

/// A subset has the members of the objects that it refers to.
TEST_F(RelationsTest, ofSubsetsAreFollowedWithoutTheirName) {
  const Dataframe late = events().define("times", "Late.time");
  EXPECT_EQ(
      *late.take<Array<float>>("times"),
      *events().define("times", "Pixels.time[Pixels.time > 300]").take<Array<float>>("times"));
  EXPECT_EQ(*events().take<Array<float>>("Late.time"), *late.take<Array<float>>("times"));
  EXPECT_EQ(*late.filter("count(Late) != count(Pixels[Pixels.time > 300])").count(), 0U);
  EXPECT_EQ(*late.filter("any(Late[Late.time > 500].position.x != "
                         "Pixels[Pixels.time > 500].position.x)")
                 .count(),
            0U);
  EXPECT_EQ(*late.filter("any(Late.neighbour.time != Late.object.neighbour.time)").count(),
            *late.filter("any(isnan(Late.neighbour.time))").count());
  EXPECT_EQ(*events().explode("Late").filter("Late.time <= 300").count(), 0U);
  expectError(ErrorKind::name, "'Late' are objects, not a column; use an expression",
              [&] { (void)events().take("Late"); });
  expectError(ErrorKind::name, "'Late' has no 'tim' in ",
              [&] { (void)events().filter("Late.tim"); });
  expectError(ErrorKind::name, "(did you mean 'time'?)",
              [&] { (void)events().filter("Late.tim"); });
}

/// Relations may be followed wherever a column is named.
TEST_F(RelationsTest, areFollowedWithoutANameForIt) {
  EXPECT_EQ(*events().take<Array<float>>("Links.to.time"), times);
  double sum = 0;
  for (const std::vector<float>& of : times)
    sum = std::accumulate(of.begin(), of.end(), sum);
  EXPECT_DOUBLE_EQ(*events().sum("Links.to.time"), sum);
  EXPECT_EQ(events().histogram({4, 0, 1000}, "Links.to.time")->at(0).value(),
            std::ranges::count_if(times | std::views::join, [](float t) { return t < 250; }));
  const auto latest = events().define("latest", [](Array<float> time) { return max(time, 0.F); },
                                      {"Links.to.time"});
  EXPECT_EQ(*latest.take<float>("latest"),
            *events().take<float>("max(Links.to.time) if count(Links) > 0 else 0"));
  expectError(ErrorKind::name, "'Links.to' has no 'tim' in ",
              [&] { (void)events().take("Links.to.tim"); });
  expectError(ErrorKind::name, "'Links.to' are objects", [&] { (void)events().take("Links.to"); });
}

TEST_F(RelationsTest, areThoseOfEachObject) {
  std::vector<float> expected;
  for (std::size_t event = 0; event < times.size(); ++event)
    for (std::size_t link = 0; link < times[event].size(); ++link)
      if (momenta[event][link] > 300)
        expected.push_back(times[event][link]);
  ASSERT_GT(expected.size(), 100U);
  const Dataframe links = events().explode("Links").filter("Links.from.momentum > 300");
  EXPECT_EQ(*links.define("time", "Links.to.time").take<float>("time"), expected);
}

TEST_F(RelationsTest, areThoseOfTheObjectsThatAreLeft) {
  std::vector<std::vector<float>> expected(times.size());
  for (std::size_t event = 0; event < times.size(); ++event)
    for (std::size_t link = 0; link < times[event].size(); ++link)
      if (momenta[event][link] > 300)
        expected[event].push_back(times[event][link]);
  const Dataframe left = events().explode("Links").filter("Links.from.momentum > 300").implode();
  EXPECT_EQ(*left.define("time", "Links.to.time").take<Array<float>>("time"), expected);
}

/// Stored references count all objects of the file, including those that a filter drops.
TEST_F(RelationsTest, leadToNoObjectsThatWereFiltered) {
  const Dataframe pixels = events().explode("Pixels").filter("Pixels.time > 300");
  for (const Dataframe& entries : {pixels, pixels.implode()})
    expectError(ErrorKind::usage, "'Links.to' cannot be followed after explode(\"Pixels\")",
                [&] { (void)entries.define("time", "Links.to.time"); });
}

} // namespace
} // namespace kaon
