#include "support/Files.h"
#include "support/RelatedEvents.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/files/Parents.h>
#include <kaon/tools/Convert.h>
#include <kaon/train/Train.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// Leads from the entries and objects of a train's files back to their parents.

namespace kaon {
namespace {

using linked::PixelCollection;
using linked::TrackCollection;
using test::makeRelatedEvent;
using test::textOf;

constexpr int eventCount = 300;

class TrainParentsTest : public testing::Test {
protected:
  TrainParentsTest() {
    Writer writer(in, {.clusterEntries = 70});
    for (int event = 0; event < eventCount; ++event)
      writer.write(makeRelatedEvent(event), "events");
    writer.finish();
  }
  /// Writes an output of a train to `out`.
  void write(TrainOutput output) const { write(in, std::move(output), out); }
  static void write(const std::string& from, TrainOutput output, const std::string& to) {
    output.path = to;
    Train train(dataset(from, "events"));
    train.add(std::move(output));
    (void)train.run();
  }

  test::TemporaryDirectory directory;
  std::string in = directory / "events.kaon", out = directory / "out.kaon";
};

/// Without a whole collection, relations to it are null and its subset is empty. The parents of the
/// entries still have all its objects.
TEST_F(TrainParentsTest, leadsBackToDroppedCollections) {
  write({.path = {}, .selection = "count(Tracks) >= 2", .drop = {"Pixels"}});
  const Reader slim(out), whole(parentsOf(open(out), "events"));
  std::size_t next = 0;
  for (int number = 0; number < eventCount; ++number) {
    const Frame event = makeRelatedEvent(number);
    if (event.get<TrackCollection>("Tracks").size() < 2)
      continue;
    ASSERT_LT(next, slim["events"].size());
    const Frame less = slim["events"].at(next), parent = whole["events"].at(next);
    ++next;
    EXPECT_EQ(less.get("Pixels"), nullptr);
    EXPECT_TRUE(less.get<PixelCollection>("Late").empty());
    for (const auto& track : less.get<TrackCollection>("Tracks"))
      EXPECT_FALSE(track.getFirst().isAvailable());
    ASSERT_EQ(textOf(parent), textOf(event));
  }
  EXPECT_EQ(next, slim["events"].size());
}

/// Each object knows its number in the parent entry, where the lost relations are found.
TEST_F(TrainParentsTest, leadsObjectsBackToTheirParents) {
  write({.path = {}, .drop = {"Strips"}, .thin = {{"Pixels", "Pixels.time >= 500"}}});
  const Reader slim(out), whole(parentsOf(open(out), "events"));
  std::size_t neighbours = 0;
  for (std::uint64_t entry = 0; entry < slim["events"].size(); ++entry) {
    const Frame less = slim["events"].at(entry), parent = whole["events"].at(entry);
    const auto& pixels = less.get<PixelCollection>("Pixels");
    const auto places = pixels.decoration<std::uint32_t>("provenance");
    for (const auto& pixel : pixels) {
      const linked::Pixel same = parent.get<PixelCollection>("Pixels")[places[pixel]];
      EXPECT_EQ(same.getTime(), pixel.getTime());
      EXPECT_FALSE(pixel.getNeighbour().isAvailable());
      neighbours += same.getNeighbour().isAvailable() ? 1U : 0U;
    }
  }
  std::size_t expected = 0;
  for (int number = 0; number < eventCount; ++number) {
    const Frame event = makeRelatedEvent(number);
    for (const auto& pixel : event.get<PixelCollection>("Pixels"))
      expected += pixel.getTime() >= 500 && pixel.getNeighbour().isAvailable() ? 1U : 0U;
  }
  EXPECT_EQ(neighbours, expected);
}

/// Objects thinned twice know their numbers in the latest parent.
TEST_F(TrainParentsTest, thinsThinnedCollections) {
  const std::string first = directory / "first.kaon";
  write(in, {.path = {}, .thin = {{"Pixels", "Pixels.time >= 300"}}}, first);
  write(first, {.path = {}, .thin = {{"Pixels", "Pixels.time >= 600"}}}, out);
  const Reader slim(out), parents(first);
  for (std::uint64_t entry = 0; entry < slim["events"].size(); ++entry) {
    const Frame less = slim["events"].at(entry), parent = parents["events"].at(entry);
    const auto& pixels = less.get<PixelCollection>("Pixels");
    const auto places = pixels.decoration<std::uint32_t>("provenance");
    for (const auto& pixel : pixels)
      EXPECT_EQ(parent.get<PixelCollection>("Pixels")[places[pixel]].getTime(), pixel.getTime());
  }
}

/// If a collection is whole, its objects need no numbers in the parent, even if the parent was
/// thinned.
TEST_F(TrainParentsTest, keepsAllOfThinnedCollections) {
  const std::string first = directory / "first.kaon";
  write(in, {.path = {}, .thin = {{"Pixels", "Pixels.time >= 300"}}}, first);
  write(first, {.path = {}}, out);
  EXPECT_NE(open(first)->category("events").schema().find("Pixels.provenance"), Table::none);
  EXPECT_EQ(open(out)->category("events").schema().find("Pixels.provenance"), Table::none);
}

/// Objects of files that were not thinned keep their numbers, also in joined files and as parents.
TEST_F(TrainParentsTest, leadsObjectsOfJoinedFilesBack) {
  const std::string thin = directory / "thin.kaon", whole = directory / "whole.kaon";
  write(in, {.path = {}, .thin = {{"Pixels", "Pixels.time >= 300"}}}, thin);
  write(in, {.path = {}, .selection = "count(Pixels) > 1"}, whole);
  const auto expectPlaces = [](const Reader& slim, const Reader& parents) {
    for (std::uint64_t entry = 0; entry < slim["events"].size(); ++entry) {
      const Frame less = slim["events"].at(entry), parent = parents["events"].at(entry);
      const auto& pixels = less.get<PixelCollection>("Pixels");
      const auto places = pixels.decoration<std::uint32_t>("provenance");
      for (const auto& pixel : pixels)
        ASSERT_EQ(parent.get<PixelCollection>("Pixels")[places[pixel]].getTime(), pixel.getTime());
    }
  };
  for (const std::vector<std::string>& files : {std::vector{thin, whole}, {whole, thin}}) {
    merge(files, out);
    expectPlaces(Reader(out), Reader(parentsOf(open(out), "events")));
    convert(files, out);
    expectPlaces(Reader(out), Reader(parentsOf(open(out), "events")));
    Train train(dataset(files, "events"));
    train.add({.path = out, .keep = {"Tracks"}});
    (void)train.run();
    const auto parents = parentsOf(open(out), "events");
    expectPlaces(Reader(parents), Reader(parentsOf(parents, "events")));
  }
}

/// Parents have parents of their own.
TEST_F(TrainParentsTest, leadsBackOverGenerations) {
  const std::string other = directory / "other.kaon";
  const std::vector<std::string> slims{directory / "few.kaon", directory / "many.kaon"};
  Writer(other).write(makeRelatedEvent(eventCount), "events");
  write(in, {.path = {}, .selection = "count(Tracks) < 2", .keep = {"Tracks"}}, slims[0]);
  write(other, {.path = {}, .keep = {"Tracks"}}, slims[1]);
  Train train(dataset(slims, "events"));
  train.add({.path = out, .drop = {"Tracks"}});
  (void)train.run();
  const auto parents = parentsOf(open(out), "events");
  const Reader parent(parents), grandparent(parentsOf(parents, "events"));
  std::vector<std::string> expected;
  for (int number = 0; number <= eventCount; ++number) {
    const Frame event = makeRelatedEvent(number);
    if (number == eventCount || event.get<TrackCollection>("Tracks").size() < 2)
      expected.push_back(textOf(event));
  }
  ASSERT_EQ(grandparent["events"].size(), expected.size());
  for (std::uint64_t entry = 0; entry < expected.size(); ++entry) {
    EXPECT_EQ(parent["events"].at(entry).get("Pixels"), nullptr);
    EXPECT_EQ(textOf(grandparent["events"].at(entry)), expected[entry]);
  }
}

/// The parents have other tables, in another order and layout. Missing tables are empty.
TEST_F(TrainParentsTest, leadsBackToFilesThatDiffer) {
  const std::string other = directory / "other.kaon";
  Writer writer(other, {.layout = Layout::row});
  linked::StripCollection strips;
  strips.create().setTime(7);
  Frame first;
  first.put(std::move(strips), "Others");
  writer.write(first, "events");
  for (int number = 0; number < eventCount; ++number)
    writer.write(makeRelatedEvent(eventCount + number), "events");
  writer.finish();
  const auto expectEntries = [&](const std::vector<std::string>& files, int numberOfFirst) {
    Train train(dataset(files, "events"));
    train.add({.path = out, .selection = "count(Tracks) > 2", .isVirtual = true});
    (void)train.run();
    const Reader list(out);
    std::uint64_t next = 0;
    for (int i = 0; i < 2 * eventCount; ++i) {
      const Frame event = makeRelatedEvent((numberOfFirst + i) % (2 * eventCount));
      if (event.get<TrackCollection>("Tracks").size() <= 2)
        continue;
      ASSERT_LT(next, list["events"].size());
      const Frame read = list["events"].at(next++);
      ASSERT_EQ(textOf(read), textOf(event)) << i;
      EXPECT_EQ(read.get("Others"), nullptr);
    }
    EXPECT_EQ(next, list["events"].size());
  };
  expectEntries({in, other}, 0);
  expectEntries({other, in}, eventCount);
}

/// Virtual and other outputs without any selected entry.
TEST_F(TrainParentsTest, leadsBackFromNoEntries) {
  write({.path = {}, .selection = "count(Tracks) > 100", .keep = {"Tracks"}});
  EXPECT_EQ(Reader(parentsOf(open(out), "events"))["events"].size(), 0U);
  write({.path = {}, .selection = "count(Tracks) > 100", .isVirtual = true});
  const Reader list(out);
  EXPECT_EQ(list["events"].size(), 0U);
  EXPECT_EQ(list["events"].source().schema().find("Pixels"),
            Reader(in)["events"].source().schema().find("Pixels"));
}

/// The parent of a skim's skim is the skim.
TEST_F(TrainParentsTest, knowsTheNextParentsOnly) {
  const std::string first = directory / "first.kaon";
  write(in, {.path = {}, .selection = "count(Tracks) > 2"}, first);
  write(first, {.path = {}, .selection = "count(Pixels) > 100", .keep = {"Tracks"}}, out);
  EXPECT_NE(Reader(parentsOf(open(out), "events"))["events"].source().schema().find("Pixels"),
            Table::none);
  std::vector<std::string> sources;
  for (const std::string& document : open(out)->documents())
    if (document.starts_with("source:"))
      sources.push_back(open(out)->document(document));
  EXPECT_EQ(sources, std::vector{first});
}

} // namespace
} // namespace kaon
