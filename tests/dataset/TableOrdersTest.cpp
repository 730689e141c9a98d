#include <kaon/dataset/Dataframe.h>
#include <kaon/event/Reader.h>

#include "support/Errors.h"
#include "support/Files.h"
#include "support/RelatedEvents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Datasets whose files have the collections in different orders, or lack some of them.

namespace kaon {
namespace {

using test::expectError;

class TableOrdersTest : public testing::Test {
protected:
  TableOrdersTest() {
    test::writeRelatedEvents(paths[0], 0, 100,
                             {"Pixels", "Strips", "Tracks", "Channels", "Links", "Late"});
    test::writeRelatedEvents(paths[1], 100, 200,
                             {"Late", "Links", "Channels", "Tracks", "Strips", "Pixels"});
    test::writeRelatedEvents(paths[2], 200, 300, {"Tracks", "Pixels", "Late", "Strips", "Links"});
  }
  [[nodiscard]] static Dataframe events(const std::vector<std::string>& of) {
    return dataset(of, "events");
  }
  /// Expects that an expression has the same values for all files together as for each file alone.
  template <class T>
  void expectAsByThemselves(const std::string& expression) const {
    auto expected = *events({paths[0]}).take<T>(expression);
    for (std::size_t file = 1; file < paths.size(); ++file) {
      const auto further = *events({paths[file]}).take<T>(expression);
      EXPECT_NE(further, decltype(further)(further.size())) << "nothing to compare";
      expected.insert(expected.end(), further.begin(), further.end());
    }
    EXPECT_EQ(*events(paths).take<T>(expression), expected) << expression;
  }

  test::TemporaryDirectory directory;
  std::vector<std::string> paths = {directory / "a.kaon", directory / "b.kaon",
                                    directory / "c.kaon"};
};

TEST_F(TableOrdersTest, relationsAreFollowed) {
  ASSERT_NE(Dataset({paths[0]}, "events").schema().findCollection("Pixels"),
            Dataset({paths[1]}, "events").schema().findCollection("Pixels"));
  expectAsByThemselves<float>("sum(Tracks.parent.momentum[Tracks.parent.momentum > 0])");
  expectAsByThemselves<Array<float>>("Links.to.time");                 // of links
  expectAsByThemselves<Array<float>>("Links.from.momentum");           // of links
  expectAsByThemselves<Array<float>>("Late.time");                     // of a subset
  expectAsByThemselves<Array<Array<float>>>("Tracks.hits.time");       // to an interface
  expectAsByThemselves<Array<std::int32_t>>("Pixels.neighbour.index"); // as they are stored
  expectAsByThemselves<float>("sum(Late.neighbour.time if Late.neighbour.index >= 0 else 0)");
}

/// Numbers of collections are those of the first file, for all ways of reading.
TEST_F(TableOrdersTest, numbersOfCollectionsAreThoseOfTheFirstFile) {
  const Dataset files(paths, "events");
  const std::uint32_t pixels = files.schema().findCollection("Pixels");
  std::size_t links = 0;
  const auto check = [&](const auto& collections) {
    for (const std::uint32_t collection : collections) {
      EXPECT_EQ(collection, pixels);
      ++links;
    }
  };
  const auto taken = events(paths).take<Array<std::uint32_t>>("Links.to.collection");
  for (const auto& collections : *taken)
    check(collections);
  EXPECT_EQ(
      *events(paths).filter("any(Links.to.collection != " + std::to_string(pixels) + ")").count(),
      0U);
  const std::size_t inDataframe = std::exchange(links, 0);
  for (const auto& [collections] : files.each<Array<std::uint32_t>>("Links.to.collection"))
    check(collections);
  EXPECT_EQ(links, inDataframe);
  EXPECT_GT(links, 300U);
}

/// References to collections that the first file lacks become null.
TEST_F(TableOrdersTest, referencesToUnknownCollectionsAreEmpty) {
  int number = 0; // of an event without pixels
  while (!test::makeRelatedEvent(number).get<test::PixelCollection>("Pixels").empty())
    ++number;
  test::writeRelatedEvents(directory / "few.kaon", number, number + 1, {"Strips", "Tracks"});
  const auto count = [](const Dataframe& of, const std::string& what) {
    return *of.define("n", what).sum("n");
  };
  const Dataframe all = events({directory / "few.kaon", paths[1]});
  const double inStrips = count(
      events({paths[1]}),
      "sum(sum(Tracks.hits.collection == " +
          std::to_string(Dataset({paths[1]}, "events").schema().findCollection("Strips")) + "))");
  ASSERT_GT(inStrips, 0);
  EXPECT_EQ(count(all.range(1, 101), "sum(sum(Tracks.hits.time >= 0))"), inStrips);
}

/// In a file that lacks a collection, relations to its objects are null. Naming the collection
/// itself is an error, because it might have been dropped.
TEST_F(TableOrdersTest, collectionsThatOnlyRelationsLeadToMayBeLacking) {
  const std::string few = directory / "few.kaon", whole = directory / "whole.kaon";
  int number = 0; // of an event with tracks and without pixels
  while (!test::makeRelatedEvent(number).get<test::PixelCollection>("Pixels").empty() ||
         test::makeRelatedEvent(number).get<test::TrackCollection>("Tracks").empty())
    ++number;
  test::writeRelatedEvents(few, number, number + 1, {"Links", "Strips", "Tracks"});
  test::writeRelatedEvents(whole, number, number + 1, {"Strips", "Tracks", "Links", "Pixels"});
  const auto expectSame = [&]<class T>(const std::string& expression, std::type_identity<T>) {
    const auto values = events({paths[0], few}).take<T>(expression);
    EXPECT_EQ(*values, *events({paths[0], whole}).take<T>(expression)) << expression;
    EXPECT_EQ(values->size(), 101U);
  };
  expectSame("Links.to.time", std::type_identity<Array<float>>());
  expectSame("Tracks.hits.time", std::type_identity<Array<Array<float>>>()); // to an interface
  for (const std::string path : {"Tracks.first.time", "Links.to.neighbour.time"})
    expectSame("sum(" + path + "[" + path + " > 0])", std::type_identity<float>());
  const auto entries = events({paths[0], few}).filter("sum(Tracks.first.time > 100) == 0");
  EXPECT_EQ(entries.take<std::uint64_t>("dataset.entry")->back(), 100U);
  for (const char* const named :
       {"count(Pixels)", "count(Pixels) + count(Links[Links.to.time > 5])",
        "sum(Pixels.time) + sum(Links.to.time)"})
    expectError(ErrorKind::name, "few.kaon:events: ", [&] {
      (void)*events({paths[0], few}).take(named);
    });
}

TEST_F(TableOrdersTest, objectsAreEntries) {
  const auto timesOf = [](const std::vector<std::string>& of) {
    return *events(of)
                .explode("Links")
                .filter("Links.from.momentum > 300")
                .take<float>("Links.to.time");
  };
  std::vector<float> expected;
  for (const std::string& path : paths)
    std::ranges::copy(timesOf({path}), std::back_inserter(expected));
  ASSERT_GT(expected.size(), 100U);
  EXPECT_EQ(timesOf(paths), expected);
}

TEST_F(TableOrdersTest, snapshotsHaveTheSameEvents) {
  (void)*events({paths[0], paths[1]}).snapshot(directory / "all.kaon");
  const Reader written(directory / "all.kaon");
  ASSERT_EQ(written["events"].size(), 200U);
  int number = 0;
  for (const Frame& frame : written["events"])
    EXPECT_EQ(test::textOf(frame), test::textOf(test::makeRelatedEvent(number++)));
  EXPECT_EQ(number, 200);
}

} // namespace
} // namespace kaon
