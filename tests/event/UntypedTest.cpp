#include "linkmodel/linkmodel.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/Tables.h"
#include "support/Writing.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/object/UserDataCollection.h>
#include <kaon/writing/BatchBuilder.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

// Puts and gets collections without naming their classes.

namespace {

using kaon::CollectionBase;
using kaon::ErrorKind;
using kaon::Frame;
using kaon::TableKind;
using kaon::UserDataCollection;
using kaon::test::expectError;
using kaon::test::TemporaryDirectory;
using linked::PixelCollection;
using linked::StripCollection;
using linked::TrackCollection;
using linked::TrackPixelLinkCollection;
using StripTrackLinks = kaon::LinkCollection<linked::Strip, linked::Track>; // in no model

/// Returns a frame with collections of each kind.
Frame makeFrame() {
  PixelCollection pixels;
  pixels.create().setTime(1.F);
  pixels.create().setTime(2.F);
  auto late = pixels.filter([](const linked::Pixel& pixel) { return pixel.getTime() > 1; });
  TrackCollection tracks;
  tracks.create(5.F).addToHits(pixels[1]);
  TrackPixelLinkCollection links;
  links.create(tracks[0], pixels[0]);
  StripTrackLinks others;
  others.create();
  UserDataCollection<float> weights;
  weights.push_back(0.5F);
  Frame frame;
  frame.put(std::move(pixels), "Pixels");
  frame.put(std::move(late), "Late");
  frame.put(std::move(tracks), "Tracks");
  frame.put(std::move(links), "Links");
  frame.put(std::move(others), "Others");
  frame.put(std::move(weights), "Weights");
  return frame;
}

/// One frame in several forms: built, read, and cloned from each of these.
class Untyped : public testing::TestWithParam<std::string> {
protected:
  Untyped() : frame(makeFrame()) {
    if (GetParam().starts_with("read")) {
      kaon::Writer(m_path).write(frame, "events");
      frame = kaon::Reader(m_path)["events"].at(0);
    }
    if (GetParam().ends_with("Cloned"))
      frame = frame.clone();
  }
  Frame frame;

private:
  TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
};
INSTANTIATE_TEST_SUITE_P(Frames, Untyped,
                         testing::Values("built", "read", "builtCloned", "readCloned"),
                         [](const auto& test) { return test.param; });

TEST_P(Untyped, tellsItsType) {
  std::ostringstream out;
  for (const std::string& name : frame.getAvailableCollections()) {
    const CollectionBase* const collection = frame.get(name);
    ASSERT_NE(collection, nullptr) << name;
    EXPECT_TRUE(collection->isValid() && collection->hasID()) << name;
    EXPECT_EQ(frame.getName(collection->getID()), name);
    out << name << ": " << collection->size() << ' ' << collection->getTypeName() << ' '
        << collection->getValueTypeName() << ' ' << collection->getDataTypeName() << ' '
        << collection->getSchemaVersion()
        << (collection->isSubsetCollection() ? " subset\n" : "\n");
  }
  EXPECT_EQ(out.str(), "Pixels: 2 linked::PixelCollection linked::Pixel linked::PixelData 1\n"
                       "Late: 1 linked::PixelCollection linked::Pixel linked::PixelData 1 subset\n"
                       "Tracks: 1 linked::TrackCollection linked::Track linked::TrackData 1\n"
                       "Links: 1 linked::TrackPixelLinkCollection linked::TrackPixelLink "
                       "linked::TrackPixelLink::DataType 1\n"
                       "Others: 1 kaon::LinkCollection<linked::Strip,linked::Track> "
                       "kaon::Link<linked::Strip,linked::Track> "
                       "kaon::Link<linked::Strip,linked::Track>::DataType 0\n"
                       "Weights: 1 kaon::UserDataCollection<float32> float32 float32 0\n");
}

TEST_P(Untyped, isOfItsClass) {
  const CollectionBase* const found = frame.get("Tracks");
  EXPECT_EQ(dynamic_cast<const PixelCollection*>(found), nullptr);
  const auto* const tracks = dynamic_cast<const TrackCollection*>(found);
  ASSERT_NE(tracks, nullptr);
  EXPECT_EQ((*tracks)[0].getMomentum(), 5.F);
  const auto* const pixels = dynamic_cast<const PixelCollection*>(frame.get("Pixels"));
  const auto* const late = dynamic_cast<const PixelCollection*>(frame.get("Late"));
  ASSERT_TRUE(pixels && late);
  EXPECT_EQ((*late)[0], (*pixels)[1]);
  EXPECT_EQ((*tracks)[0].getHits(0), (*pixels)[1]);
  EXPECT_NE(dynamic_cast<const TrackPixelLinkCollection*>(frame.get("Links")), nullptr);
  EXPECT_NE(dynamic_cast<const StripTrackLinks*>(frame.get("Others")), nullptr);
  const auto* const weights = dynamic_cast<const UserDataCollection<float>*>(frame.get("Weights"));
  ASSERT_NE(weights, nullptr);
  EXPECT_EQ(weights->vec(), std::vector{0.5F});
}

TEST_P(Untyped, isTheOneThatIsGivenByClass) {
  EXPECT_EQ(frame.get("Pixels"), &frame.get<PixelCollection>("Pixels"));
  const auto& tracks = frame.get<TrackCollection>("Tracks");
  EXPECT_EQ(frame.get("Tracks"), &tracks);
}

TEST_P(Untyped, isNotThere) {
  EXPECT_EQ(frame.get("Strips"), nullptr);
  frame.remove("Tracks");
  EXPECT_EQ(frame.get("Tracks"), nullptr);
}

TEST_P(Untyped, canBeTakenOutAndPutInAgain) {
  std::unique_ptr<CollectionBase> taken =
      std::make_unique<PixelCollection>(frame.take<PixelCollection>("Late"));
  EXPECT_EQ(frame.get("Late"), nullptr);
  const CollectionBase& put = frame.put(std::move(taken), "LateAgain");
  EXPECT_EQ(frame.get("LateAgain"), &put);
  EXPECT_EQ(frame.get<PixelCollection>("LateAgain")[0].getTime(), 2.F);
  EXPECT_TRUE(frame.clone().get("LateAgain")->isSubsetCollection());
}

TEST(UntypedCollection, isBuiltThroughItsBase) {
  std::vector<std::unique_ptr<CollectionBase>> all;
  all.push_back(std::make_unique<PixelCollection>());
  all.push_back(std::make_unique<StripTrackLinks>());
  all.push_back(std::make_unique<UserDataCollection<int>>());
  dynamic_cast<UserDataCollection<int>&>(*all[2]).push_back(1);
  all[2]->clear();
  for (const auto& collection : all) {
    EXPECT_TRUE(collection->empty() && !collection->hasID());
    EXPECT_FALSE(collection->isSubsetCollection());
  }
  all[0]->setSubsetCollection();
  EXPECT_TRUE(all[0]->isSubsetCollection());
  expectError(ErrorKind::usage, "there are no subsets of kaon::UserDataCollection<int32>",
              [&] { all[2]->setSubsetCollection(); });
  Frame frame;
  for (auto& collection : all)
    frame.put(std::move(collection), std::to_string(frame.getAvailableCollections().size()));
  EXPECT_TRUE(frame.get<PixelCollection>("0").isSubsetCollection());
  EXPECT_TRUE(frame.get<StripTrackLinks>("1").empty());
  EXPECT_EQ(frame.getCollectionsOfType<UserDataCollection<int>>(), std::vector<std::string>{"2"});
}

TEST(UntypedCollection, isPrinted) {
  const Frame frame = makeFrame();
  std::ostringstream printed, streamed;
  frame.get("Pixels")->print(printed);
  streamed << frame.get<PixelCollection>("Pixels");
  EXPECT_EQ(printed.str(), streamed.str());
}

TEST(UntypedCollection, mustBeOne) {
  Frame frame;
  expectError(ErrorKind::usage, "cannot put a null pointer as the collection 'Hits'",
              [&] { frame.put(std::unique_ptr<CollectionBase>(), "Hits"); });
  frame.put(std::make_unique<StripCollection>(), "Hits");
  std::unique_ptr<CollectionBase> another = std::make_unique<StripCollection>();
  expectError(ErrorKind::usage, "the frame has a collection 'Hits' already",
              [&] { frame.put(std::move(another), "Hits"); });
}

// `long` and `long long` are the same type in files.
TEST(UntypedCollection, doesNotStandInForAnotherClass) {
  UserDataCollection<long> numbers;
  numbers.push_back(-7);
  Frame built;
  built.put(std::move(numbers), "Numbers");
  const Frame frame = Frame::fromBytes(built.toBytes().bytes());
  const auto* const found = dynamic_cast<const UserDataCollection<long>*>(frame.get("Numbers"));
  ASSERT_NE(found, nullptr);
  EXPECT_EQ((*found)[0], -7);
  const CollectionBase& other = frame.get<UserDataCollection<long long>>("Numbers");
  EXPECT_NE(dynamic_cast<const UserDataCollection<long long>*>(&other), nullptr);
  EXPECT_EQ(frame.get("Numbers"), found);
}

TEST(UntypedCollection, comesAndGoesWithTheEvents) {
  const TemporaryDirectory directory;
  {
    kaon::Writer writer(directory / "events.kaon");
    for (int event = 0; event < 4; ++event) {
      Frame frame;
      PixelCollection pixels;
      pixels.create().setTime(static_cast<float>(event));
      if (event % 2 == 0)
        frame.put(std::move(pixels), "Pixels");
      writer.write(frame, "events");
    }
    writer.finish();
  }
  float event = 0;
  for (const Frame& frame : kaon::Reader(directory / "events.kaon")["events"]) {
    const auto* const pixels = dynamic_cast<const PixelCollection*>(frame.get("Pixels"));
    EXPECT_EQ(pixels != nullptr, static_cast<int>(event) % 2 == 0);
    if (pixels) {
      EXPECT_EQ((*pixels)[0].getTime(), event);
    }
    ++event;
  }
}

/// Returns two events in memory; the first lacks its only collection, which has this type.
kaon::Category eventsWith(kaon::test::Writing& writing, const std::string& type) {
  kaon::detail::BatchBuilder builder;
  const auto things = builder.add(kaon::test::table("Things", TableKind::collection, type,
                                                    {{"weight", kaon::Scalar::Float32}}));
  builder.endEntry();
  builder.setPresent(things);
  builder.endEntry();
  writing.writer.write("events", builder.batch(0));
  return {writing.finished(), "events"};
}

TEST(UntypedCollection, needsAClassInTheProgram) {
  kaon::test::Writing writing;
  writing.writer.addDocument("model:calo", "{}");
  const kaon::Category events = eventsWith(writing, "calo::Cell");
  EXPECT_EQ(events.at(0).get("Things"), nullptr);
  expectError(ErrorKind::type,
              "'Things' is a collection of calo::Cell, for which this program has no class; link "
              "the library of its model, which is one of 'calo'",
              [&] { (void)events.at(1).get("Things"); });
}

TEST(UntypedCollection, ofLinksOfNoModelMustBeNamedSomewhere) {
  kaon::test::Writing unknown, known;
  expectError(
      ErrorKind::type,
      "for which this program has no class; no model has this link: register its "
      "kaon::LinkCollection with kaon::registerCollections()",
      [&] { (void)eventsWith(unknown, "kaon::Link<calo::Cell,calo::Cell>").at(1).get("Things"); });
  using PixelLinks = kaon::LinkCollection<linked::Pixel, linked::Pixel>;
  EXPECT_TRUE(kaon::registerCollections<PixelLinks>());
  const Frame frame = eventsWith(known, "kaon::Link<linked::Pixel,linked::Pixel>").at(1);
  EXPECT_NE(dynamic_cast<const PixelLinks*>(frame.get("Things")), nullptr);
}

} // namespace
