#include "linkmodel/linkmodel.h"
#include "nestedmodel/nestedmodel.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/Random.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/files/Parents.h>
#include <kaon/train/Train.h>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

// What becomes of relations, lists, links and subsets in files of a train that have only some of
// the objects.

namespace kaon {
namespace {

using linked::PixelCollection;
using linked::StripCollection;
using linked::TrackCollection;
using linked::TrackPixelLinkCollection;
using nested::ChannelCollection;
using test::expectError;
using test::Random;

constexpr int eventCount = 300;

/// Adds the number of a channel, as often as it is large, to lists of all depths.
void fillLists(nested::MutableChannel channel) {
  const std::int32_t number = channel.getNumber();
  for (std::int32_t i = 0; i < number % 4; ++i) {
    const auto x = static_cast<float>(number + i);
    channel.addToHits(number * 10 + i);
    channel.addToWaveforms(std::vector<float>(static_cast<std::size_t>(i), x));
    channel.addToPulses({nested::Pulse{x, i}, nested::Pulse{-x, number}});
    channel.addToLabels({std::to_string(number), std::string(static_cast<std::size_t>(i), 'x')});
  }
}

/// An event with relations of every kind, the same for the same number. Objects are numbered: their
/// times and momenta, which need not rise, say which are taken.
Frame makeEvent(int number) {
  Random random(static_cast<std::uint64_t>(number));
  const auto any = [&](auto& collection) { return collection[random.below(collection.size())]; };
  PixelCollection pixels;
  StripCollection strips;
  TrackCollection tracks;
  ChannelCollection channels;
  TrackPixelLinkCollection links;
  for (std::size_t i = random.below(6); i > 0; --i)
    pixels.create().setTime(static_cast<float>(random.below(1000)));
  for (std::size_t i = random.below(4); i > 0; --i)
    strips.create().setTime(static_cast<float>(random.below(1000)));
  for (auto pixel : pixels)
    if (!strips.empty() && random.chance(0.7))
      pixel.setNeighbour(any(strips));
  for (std::size_t i = random.below(5); i > 0; --i) {
    auto track = tracks.create(static_cast<float>(random.below(1000)));
    track.setParent(any(tracks));
    if (!pixels.empty() && random.chance(0.8))
      track.setFirst(any(pixels));
    for (std::size_t hit = random.below(4); hit > 0 && !pixels.empty() && !strips.empty(); --hit)
      random.chance(0.5) ? track.addToHits(any(pixels)) : track.addToHits(any(strips));
    if (!pixels.empty())
      links.create(track, any(pixels)).setWeight(0.5F);
  }
  for (std::size_t i = random.below(5); i > 0; --i) {
    auto channel = channels.create();
    channel.setNumber(static_cast<std::int32_t>(random.below(1000)));
    channel.setName("channel " + std::to_string(channel.getNumber()));
    fillLists(channel);
    channel.addToNeighbours(any(channels));
    channel.addToNeighbours(any(channels));
  }
  auto late = pixels.filter([](const linked::Pixel& pixel) { return pixel.getTime() > 300; });
  Frame frame;
  frame.put(std::move(pixels), "Pixels");
  frame.put(std::move(strips), "Strips");
  frame.put(std::move(tracks), "Tracks");
  frame.put(std::move(channels), "Channels");
  frame.put(std::move(links), "Links");
  frame.put(std::move(late), "Late");
  return frame;
}

/// What objects have at least to be taken.
struct Least {
  float pixels = 0, tracks = 0;
  std::int32_t channels = 0;
};

/// All that an event says, without the objects that are not taken: relations to them are to none.
class EventText {
public:
  EventText(const Frame& event, const Least& least) : m_event(event), m_least(least) {}
  [[nodiscard]] std::string all() {
    addHits();
    addTracks();
    addChannels();
    return m_text.str();
  }

private:
  template <class T>
  [[nodiscard]] static std::string named(const char* kind, bool isTaken, T number) {
    return isTaken ? kind + std::to_string(static_cast<int>(number)) : "none";
  }
  [[nodiscard]] bool isTaken(const linked::Pixel& pixel) const {
    return pixel.isAvailable() && pixel.getTime() >= m_least.pixels;
  }
  [[nodiscard]] bool isTaken(const linked::Track& track) const {
    return track.isAvailable() && track.getMomentum() >= m_least.tracks;
  }
  [[nodiscard]] bool isTaken(const nested::Channel& channel) const {
    return channel.isAvailable() && channel.getNumber() >= m_least.channels;
  }
  [[nodiscard]] std::string nameOf(const linked::Hit& hit) const {
    if (!hit.isAvailable())
      return "none";
    return hit.isA<linked::Strip>()
               ? named("strip ", true, hit.getTime())
               : named("pixel ", isTaken(hit.as<linked::Pixel>()), hit.getTime());
  }
  [[nodiscard]] std::string nameOf(const linked::Track& track) const {
    return named("track ", isTaken(track), isTaken(track) ? track.getMomentum() : 0);
  }
  [[nodiscard]] std::string nameOf(const nested::Channel& channel) const {
    return named("channel ", isTaken(channel), isTaken(channel) ? channel.getNumber() : 0);
  }

  void addHits() {
    for (const auto& pixel : m_event.get<PixelCollection>("Pixels"))
      if (isTaken(pixel))
        m_text << nameOf(pixel) << " beside " << nameOf(pixel.getNeighbour()) << '\n';
    for (const auto& pixel : m_event.get<PixelCollection>("Late"))
      if (!pixel.isAvailable() || isTaken(pixel)) // one that is not there is wrong
        m_text << "late " << nameOf(pixel) << '\n';
    for (const auto& strip : m_event.get<StripCollection>("Strips"))
      m_text << nameOf(strip) << '\n';
  }
  void addTracks() {
    for (const auto& track : m_event.get<TrackCollection>("Tracks")) {
      if (!isTaken(track))
        continue;
      m_text << nameOf(track) << " of " << nameOf(track.getParent()) << " from "
             << nameOf(track.getFirst()) << " through";
      for (const auto& hit : track.getHits())
        m_text << ' ' << nameOf(hit);
      m_text << '\n';
    }
    for (const auto& link : m_event.get<TrackPixelLinkCollection>("Links"))
      m_text << nameOf(link.getFrom()) << " to " << nameOf(link.getTo()) << " by "
             << link.getWeight() << '\n';
  }
  void addChannels() {
    for (const auto& channel : m_event.get<ChannelCollection>("Channels")) {
      if (!isTaken(channel))
        continue;
      m_text << nameOf(channel) << " called " << channel.getName() << ':';
      for (const std::int32_t hit : channel.getHits())
        m_text << ' ' << hit;
      for (const auto& waveform : channel.getWaveforms())
        for (const float sample : waveform)
          m_text << " w" << sample;
      for (const auto& pulses : channel.getPulses())
        for (const nested::Pulse& pulse : pulses)
          m_text << " p" << pulse.time << '/' << pulse.charge;
      for (const auto& labels : channel.getLabels())
        for (const std::string_view label : labels)
          m_text << " l" << label;
      for (const auto& neighbour : channel.getNeighbours())
        m_text << ' ' << nameOf(neighbour);
      m_text << '\n';
    }
  }

  const Frame& m_event;
  Least m_least;
  std::ostringstream m_text;
};

std::string textOf(const Frame& event, const Least& least = {}) {
  return EventText(event, least).all();
}

class ThinningTest : public testing::Test {
protected:
  ThinningTest() {
    Writer writer(in, {.clusterEntries = 70});
    for (int event = 0; event < eventCount; ++event)
      writer.write(makeEvent(event), "events");
    writer.finish();
  }
  /// Writes what an output says to `out`.
  void write(TrainOutput output) const {
    output.path = out;
    Train train(dataset(in, "events"));
    train.add(std::move(output));
    (void)train.run();
  }
  void expectThinned(const std::map<std::string, std::string>& thin, const Least& least) const {
    write({.path = {}, .thin = thin});
    const Reader reader(out);
    ASSERT_EQ(reader["events"].size(), static_cast<std::uint64_t>(eventCount));
    int event = 0;
    for (const Frame& frame : reader["events"]) {
      ASSERT_EQ(textOf(frame), textOf(makeEvent(event), least)) << "event " << event;
      ++event;
    }
  }

  test::TemporaryDirectory directory;
  std::string in = directory / "events.kaon", out = directory / "out.kaon";
};

TEST_F(ThinningTest, LeavesAllWhereAllIsTaken) {
  expectThinned({{"Pixels", "Pixels.time >= 0"}, {"Tracks", "Tracks.momentum >= 0"}}, {});
}

/// Relations to one and to many, of an interface too, links and subsets lead to the pixels that are
/// left.
TEST_F(ThinningTest, LeadsRelationsToTheObjectsThatAreLeft) {
  expectThinned({{"Pixels", "Pixels.time >= 500"}}, {.pixels = 500});
}

/// Their relations to themselves and to others, and their links.
TEST_F(ThinningTest, TakesRelationsOfTheObjectsThatAreLeft) {
  expectThinned({{"Tracks", "Tracks.momentum >= 400"}}, {.tracks = 400});
}

TEST_F(ThinningTest, TakesListsInLists) {
  expectThinned({{"Channels", "Channels.number >= 350"}}, {.channels = 350});
}

TEST_F(ThinningTest, ThinsSeveralCollections) {
  expectThinned({{"Channels", "Channels.number >= 350"},
                 {"Pixels", "Pixels.time >= 600"},
                 {"Tracks", "Tracks.momentum >= 200"}},
                {.pixels = 600, .tracks = 200, .channels = 350});
}

TEST_F(ThinningTest, TakesNoneWhereNoneIsWanted) {
  expectThinned({{"Pixels", "Pixels.time > 5000"}}, {.pixels = 5000});
}

/// What nothing refers to can be dropped strictly; and only what is written counts: events in which
/// a pixel would be lost are not selected.
TEST_F(ThinningTest, RefusesToLoseObjectsWhereThatIsDeclared) {
  expectError(ErrorKind::usage, "refers to an object of entry", [&] {
    write({.path = {}, .thin = {{"Pixels", "Pixels.time >= 500"}}, .lost = LostReference::isError});
  });
  write({.path = {},
         .selection = "min(Pixels.time) >= 500",
         .thin = {{"Pixels", "Pixels.time >= 500"}},
         .lost = LostReference::isError});
  std::vector<std::string> expected;
  for (int number = 0; number < eventCount; ++number) {
    const Frame event = makeEvent(number);
    if (textOf(event) == textOf(event, {.pixels = 500}))
      expected.push_back(textOf(event));
  }
  std::vector<std::string> written;
  for (const Frame& frame : Reader(out)["events"])
    written.push_back(textOf(frame));
  EXPECT_EQ(written, expected);
}

/// A whole collection goes: relations to it are to none, its subset is empty; and the entries that
/// the others are from still have all of it.
TEST_F(ThinningTest, LeadsBackToWhatWasDropped) {
  write({.path = {}, .selection = "count(Tracks) >= 2", .drop = {"Pixels"}});
  const Reader slim(out), whole(parentsOf(open(out), "events"));
  std::size_t next = 0;
  for (int number = 0; number < eventCount; ++number) {
    const Frame event = makeEvent(number);
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

/// Objects know which of their parent's entry they were, by which the relations that were lost are
/// found there.
TEST_F(ThinningTest, LeadsObjectsBackToTheirParents) {
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
    const Frame event = makeEvent(number);
    for (const auto& pixel : event.get<PixelCollection>("Pixels"))
      expected += pixel.getTime() >= 500 && pixel.getNeighbour().isAvailable() ? 1U : 0U;
  }
  EXPECT_EQ(neighbours, expected);
}

/// And if these have parents, too, are those of the next ones.
TEST_F(ThinningTest, ThinsWhatWasThinned) {
  const std::string first = directory / "first.kaon";
  Train train(dataset(in, "events"));
  train.add({.path = first, .thin = {{"Pixels", "Pixels.time >= 300"}}});
  (void)train.run();
  Train second(dataset(first, "events"));
  second.add({.path = out, .thin = {{"Pixels", "Pixels.time >= 600"}}});
  (void)second.run();
  const Reader slim(out), parents(first);
  for (std::uint64_t entry = 0; entry < slim["events"].size(); ++entry) {
    const Frame less = slim["events"].at(entry), parent = parents["events"].at(entry);
    const auto& pixels = less.get<PixelCollection>("Pixels");
    const auto places = pixels.decoration<std::uint32_t>("provenance");
    for (const auto& pixel : pixels)
      EXPECT_EQ(parent.get<PixelCollection>("Pixels")[places[pixel]].getTime(), pixel.getTime());
  }
}

/// Lists of entries, and files, of which nothing is selected.
TEST_F(ThinningTest, LeadsBackFromNoEntries) {
  write({.path = {}, .selection = "count(Tracks) > 100", .keep = {"Tracks"}});
  EXPECT_EQ(Reader(parentsOf(open(out), "events"))["events"].size(), 0U);
  write({.path = {}, .selection = "count(Tracks) > 100", .isVirtual = true});
  const Reader list(out);
  EXPECT_EQ(list["events"].size(), 0U);
  EXPECT_EQ(list["events"].source().schema().find("Pixels"),
            Reader(in)["events"].source().schema().find("Pixels"));
}

/// A skim of a skim is of the skim.
TEST_F(ThinningTest, KnowsTheNextParentsOnly) {
  const std::string first = directory / "first.kaon";
  Train train(dataset(in, "events"));
  train.add({.path = first, .selection = "count(Tracks) > 2"});
  (void)train.run();
  Train second(dataset(first, "events"));
  second.add({.path = out, .selection = "count(Pixels) > 100", .keep = {"Tracks"}});
  (void)second.run();
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
