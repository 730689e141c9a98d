#include "othermodel/othermodel.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/RecordingSource.h"
#include "support/TestEvents.h"
#include "support/Warnings.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/formats/kaonfile/FileReader.h>
#include <kaon/formats/kaonfile/FileStructs.h>
#include <kaon/io/ByteSource.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <ranges>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using kaon::ErrorKind;
using kaon::Frame;
using kaon::Layout;
using kaon::Reader;
using kaon::Writer;
using kaon::test::expectError;
using kaon::test::expectEvent;
using kaon::test::expectEvents;
using kaon::test::makeEvent;
using kaon::test::readFile;
using kaon::test::TemporaryDirectory;
using kaon::test::writeEvents;
using kaon::test::writeFile;
using test::HitCollection;
using test::ParticleCollection;
using test::TrackCollection;

using Names = std::vector<std::string>;

class File : public testing::Test {
protected:
  /// Writes a frame as the only event of the file.
  void write(const Frame& frame, kaon::WriterOptions options = {}) const {
    Writer writer(m_path, std::move(options));
    writer.write(frame, "events");
    writer.finish();
  }
  /// Returns the first event of the file.
  [[nodiscard]] Frame read() const { return Reader(m_path)["events"].at(0); }

  TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
};

struct Case {
  std::string name;
  kaon::WriterOptions options;
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& codec :
       {kaon::uncompressed(), kaon::lz4(), kaon::zstd(), kaon::zlib(), kaon::lzma()})
    for (const Layout layout : {Layout::split, Layout::row, Layout::member})
      for (const std::size_t bytes : {std::size_t{1}, std::size_t{2000}, std::size_t{1} << 24}) {
        const std::string name = std::string(codecName(codec.codec)) + "_" +
                                 std::string(layoutName(layout)) + "_" + std::to_string(bytes);
        all.push_back({name, {.codec = codec, .layout = layout, .clusterBytes = bytes}});
      }
  all.push_back({"mixedLayouts",
                 {.storage = {{"Tracks", {.layout = Layout::row}},
                              {"Hits", {.layout = Layout::member}},
                              {"Particles", {.layout = Layout::split}}},
                  .pageBytes = 64}});
  all.push_back({"oneGroup",
                 {.storage = {{"Tracks", {.layout = Layout::row, .group = "event"}},
                              {"Hits", {.layout = Layout::row, .group = "event"}},
                              {"Particles", {.layout = Layout::row, .group = "event"}}},
                  .clusterEntries = 7}});
  return all;
}

class AnyFile : public File, public testing::WithParamInterface<Case> {};
INSTANTIATE_TEST_SUITE_P(Options, AnyFile, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

constexpr int events = 40;

TEST_P(AnyFile, givesBackWholeEvents) {
  writeEvents(m_path, events, GetParam().options);
  expectEvents(Reader(m_path)["events"], events);
}

TEST_P(AnyFile, givesAnyEventByItsNumber) {
  writeEvents(m_path, events, GetParam().options);
  const Reader reader(m_path);
  const auto category = reader["events"];
  EXPECT_EQ(category.size(), static_cast<std::uint64_t>(events));
  for (const int event : {39, 0, 17, 16, 38, 2})
    expectEvent(category.at(static_cast<std::uint64_t>(event)), event);
}

TEST_P(AnyFile, isCopiedFrameByFrame) {
  const std::string copy = m_directory / "copy.kaon";
  writeEvents(m_path, events);
  Writer writer(copy, GetParam().options);
  for (const Frame& frame : Reader(m_path)["events"])
    writer.write(frame, "events");
  writer.finish();
  expectEvents(Reader(copy)["events"], events);
}

TEST_P(AnyFile, isExtendedWithCollectionsRelatedToThoseItHas) {
  const std::string extended = m_directory / "extended.kaon";
  writeEvents(m_path, events, GetParam().options);
  {
    Writer writer(extended, GetParam().options);
    for (Frame& frame : Reader(m_path)["events"]) {
      TrackCollection refits;
      for (const auto track : frame.get<TrackCollection>("Tracks"))
        refits.create().addToSegments(track);
      HitCollection more;
      for (const auto particle : frame.get<ParticleCollection>("Particles"))
        more.create().setParticle(particle);
      for (auto refit : refits)
        for (const auto hit : more)
          refit.addToHits(hit);
      frame.put(std::move(refits), "Refits");
      frame.put(std::move(more), "MoreHits");
      frame.putParameter("extended", true);
      writer.write(frame, "events");
    }
    writer.finish();
  }
  int event = 0;
  for (const Frame& frame : Reader(extended)["events"]) {
    expectEvent(frame, event++);
    EXPECT_EQ(frame.getParameter<bool>("extended"), true);
    const auto& tracks = frame.get<TrackCollection>("Tracks");
    const auto& refits = frame.get<TrackCollection>("Refits");
    const auto& particles = frame.get<ParticleCollection>("Particles");
    const auto& more = frame.get<HitCollection>("MoreHits");
    ASSERT_EQ(refits.size(), tracks.size());
    ASSERT_EQ(more.size(), particles.size());
    for (std::size_t i = 0; i < refits.size(); ++i) {
      EXPECT_TRUE(refits[i].getSegments(0) == tracks[i]);
      EXPECT_TRUE(std::ranges::equal(refits[i].getHits(), more));
    }
    for (std::size_t i = 0; i < more.size(); ++i)
      EXPECT_TRUE(more[i].getParticle() == particles[i]);
  }
  EXPECT_EQ(event, events);
}

TEST_P(AnyFile, givesColumnsOfWholeEvents) {
  writeEvents(m_path, events, GetParam().options);
  const Reader reader(m_path);
  const auto category = reader["events"];
  for (const kaon::Batch& batch :
       category.batches({"Particles.PDG", "Hits.energy", "Tracks.hits.index"}, {7, 31})) {
    const auto pdgs = batch.values<std::int32_t>("Particles.PDG");
    const auto offsets = batch.offsets("Particles");
    for (std::size_t i = 0; i < batch.entries(); ++i) {
      const auto event = static_cast<int>(batch.firstEntry() + i);
      EXPECT_EQ(offsets[i + 1] - offsets[i], kaon::test::particlesOf(event));
      EXPECT_EQ(batch.offsets("Hits")[i + 1] - batch.offsets("Hits")[i], kaon::test::hitsOf(event));
      for (std::size_t row = offsets[i]; row < offsets[i + 1]; ++row)
        EXPECT_EQ(pdgs[row], 100 * event + static_cast<int>(row - offsets[i]));
    }
  }
}

/// Returns the events of a file that is read like a remote file. The descriptions of its pages have
/// already been read.
kaon::Category distantEvents(const std::string& path,
                             const std::shared_ptr<kaon::test::RecordingSource::Logs>& logs) {
  kaon::Category category(
      kaon::open(std::make_unique<kaon::test::RecordingSource>(kaon::io::fileSource(path), logs)),
      "events");
  (void)category.at(0).getAvailableCollections();
  logs->views.clear();
  return category;
}

TEST_F(File, givesLoopsTheObjectsOfEachEventInAllLayouts) {
  for (const Layout layout : {Layout::split, Layout::row, Layout::member}) {
    Writer writer(m_path, {.layout = layout, .pageBytes = 2000}); // several events per page
    for (std::uint64_t event = 0; event < 200; ++event) {
      HitCollection hits;
      for (std::uint64_t i = 0; i < event % 4; ++i)
        hits.create().setCell(event * 10 + i);
      Frame frame;
      frame.put(std::move(hits), "Hits");
      writer.write(frame, "events");
    }
    writer.finish();
    std::uint64_t event = 0;
    for (const Frame& frame : Reader(m_path)["events"]) {
      std::uint64_t hits = 0;
      for (const test::Hit hit : frame.get<HitCollection>("Hits"))
        ASSERT_EQ(hit.getCell(), event * 10 + hits++) << layoutName(layout);
      ASSERT_EQ(hits, event++ % 4) << layoutName(layout);
    }
    EXPECT_EQ(event, 200U);
  }
}

TEST_F(File, givesAGroupsEventInOneRequest) {
  for (const Layout layout : {Layout::row, Layout::member}) {
    const kaon::Storage storage{.layout = layout, .group = "event"};
    writeEvents(m_path, events,
                {.storage = {{"Tracks", storage}, {"Hits", storage}, {"Particles", storage}},
                 .pageBytes = 1000});
    const auto logs = std::make_shared<kaon::test::RecordingSource::Logs>();
    const kaon::Category category = distantEvents(m_path, logs);
    for (const int event : {7, 31, 19}) {
      logs->views.clear();
      const Frame frame = category.at(static_cast<std::uint64_t>(event));
      const auto& particles = frame.get<ParticleCollection>("Particles");
      const auto& hits = frame.get<HitCollection>("Hits");
      kaon::test::expectParticles(particles, event);
      kaon::test::expectHits(hits, particles, event);
      kaon::test::expectTracks(frame.get<TrackCollection>("Tracks"), particles, hits, event);
      const auto requests = logs->views.requests();
      ASSERT_EQ(requests.size(), 1U);
      ASSERT_EQ(requests[0].size(), 1U); // one contiguous range
      EXPECT_LT(requests[0][0].count, 5000U);
    }
  }
}

TEST_F(File, givesASplitCollectionOfOneEventInOneRequest) {
  writeEvents(m_path, events, {.pageBytes = 1000});
  const auto logs = std::make_shared<kaon::test::RecordingSource::Logs>();
  const kaon::Category category = distantEvents(m_path, logs);
  for (const int event : {7, 31, 19}) {
    logs->views.clear();
    const Frame frame = category.at(static_cast<std::uint64_t>(event));
    const auto& particles = frame.get<ParticleCollection>("Particles");
    const auto& hits = frame.get<HitCollection>("Hits");
    kaon::test::expectParticles(particles, event);
    kaon::test::expectHits(hits, particles, event);
    EXPECT_LE(logs->views.requests().size(), 2U);
  }
}

TEST_F(File, readsFramesInOneRequestForEachCluster) {
  writeEvents(m_path, 50, {.clusterEntries = 10});
  const auto logs = std::make_shared<kaon::test::RecordingSource::Logs>();
  const kaon::Category category = distantEvents(m_path, logs);
  int event = 0;
  for (const Frame& frame : category) {
    if (event % 10 == 0)
      logs->views.clear();
    const auto& particles = frame.get<ParticleCollection>("Particles");
    kaon::test::expectHits(frame.get<HitCollection>("Hits"), particles, event);
    // The columns used in the first cluster, and the next cluster's description of its pages.
    if (event % 10 == 9 && event > 10) {
      EXPECT_LE(logs->views.requests().size(), 2U) << event;
    }
    ++event;
  }
  EXPECT_EQ(event, 50);
}

TEST_F(File, keepsEverythingOfTheOtherModel) {
  Frame frame;
  other::SegmentCollection segments;
  other::NothingCollection nothings;
  auto segment = segments.create();
  segment.ends({other::Point{1, 2.5}, other::Point{-3, 4.5}});
  segment.addpoints({5, 6.5});
  nothings.create();
  segment.nothing(nothings.create());
  segments.create();
  frame.put(std::move(segments), "Segments");
  frame.put(std::move(nothings), "Nothings");
  for (const Layout layout : {Layout::split, Layout::row}) {
    write(frame, {.layout = layout});
    const Frame back = read();
    const auto& found = back.get<other::SegmentCollection>("Segments");
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].ends(), (std::array{other::Point{1, 2.5}, other::Point{-3, 4.5}}));
    EXPECT_EQ(found[0].weight(), 0.5F);
    EXPECT_EQ(found[0].points(0), (other::Point{5, 6.5}));
    EXPECT_EQ(found[1].ends(0), other::Point{});
    const auto& nothing = back.get<other::NothingCollection>("Nothings");
    EXPECT_EQ(nothing.size(), 2U);
    EXPECT_TRUE(found[0].nothing() == nothing[1]);
    EXPECT_FALSE(found[1].nothing().isAvailable());
  }
}

TEST_F(File, keepsParametersOfAllTypes) {
  Frame frame;
  const std::string text("a \0 b", 5);
  frame.putParameter("int", -5);
  frame.putParameter("long", std::int64_t{1} << 40);
  frame.putParameter("float", 1.5F);
  frame.putParameter("double", 0.1);
  frame.putParameter("bool", true);
  frame.putParameter("string", text);
  frame.putParameter("ints", std::vector{1, 2, 3});
  frame.putParameter("bools", std::vector{true, false, true});
  frame.putParameter("strings", Names{"one", "", "three"});
  frame.putParameter("noInts", std::vector<int>());
  frame.putParameter("noStrings", Names());
  frame.putParameter("int", "the same name");
  write(frame);
  const Frame back = read();
  EXPECT_EQ(back.getParameter<int>("int"), -5);
  EXPECT_EQ(back.getParameter<std::int64_t>("long"), std::int64_t{1} << 40);
  EXPECT_EQ(back.getParameter<float>("float"), 1.5F);
  EXPECT_EQ(back.getParameter<double>("double"), 0.1);
  EXPECT_EQ(back.getParameter<bool>("bool"), true);
  EXPECT_EQ(back.getParameter<std::string>("string"), text);
  EXPECT_EQ(back.getParameter<std::vector<int>>("ints"), (std::vector{1, 2, 3}));
  EXPECT_EQ(back.getParameter<std::vector<bool>>("bools"), (std::vector{true, false, true}));
  EXPECT_EQ(back.getParameter<Names>("strings"), (Names{"one", "", "three"}));
  EXPECT_EQ(back.getParameter<std::vector<int>>("noInts"), std::vector<int>());
  EXPECT_EQ(back.getParameter<int>("noInts"), std::nullopt);
  EXPECT_EQ(back.getParameter<Names>("noStrings"), Names());
  EXPECT_EQ(back.getParameter<std::string>("int"), "the same name");
  EXPECT_EQ(back.getParameter<float>("int"), std::nullopt);
  EXPECT_EQ(back.getParameterKeys<int>(), (Names{"int", "ints", "noInts"}));
}

TEST_F(File, tellsAMissingParameterFromAnEmptyOne) {
  {
    Writer writer(m_path);
    Frame with;
    with.putParameter("x", std::vector<int>());
    with.putParameter("s", Names());
    writer.write(Frame(), "events");
    writer.write(with, "events");
    writer.finish();
  }
  const auto category = Reader(m_path)["events"];
  EXPECT_EQ(category.at(0).getParameter<std::vector<int>>("x"), std::nullopt);
  EXPECT_EQ(category.at(0).getParameter<Names>("s"), std::nullopt);
  EXPECT_TRUE(category.at(0).getParameterKeys<int>().empty());
  EXPECT_EQ(category.at(1).getParameter<std::vector<int>>("x"), std::vector<int>());
  EXPECT_EQ(category.at(1).getParameter<Names>("s"), Names());
}

TEST_F(File, replacesParametersOfAFrameThatWasRead) {
  write(makeEvent(5));
  const std::string second = m_directory / "second.kaon";
  {
    Frame frame = read();
    frame.putParameter("number", 77);
    frame.putParameter("weight", std::vector{1., 2.});
    EXPECT_EQ(frame.getParameter<int>("number"), 77);
    Writer writer(second);
    writer.write(frame, "events");
    writer.finish();
  }
  const Frame back = Reader(second)["events"].at(0);
  EXPECT_EQ(back.getParameter<int>("number"), 77);
  EXPECT_EQ(back.getParameter<std::vector<double>>("weight"), (std::vector{1., 2.}));
  EXPECT_EQ(back.getParameter<std::string>("title"), "event 5");
}

TEST_F(File, mayHoldEmptyFrames) {
  {
    Writer writer(m_path);
    for (int i = 0; i < 3; ++i)
      writer.write(Frame(), "events");
    writer.finish();
  }
  int frames = 0;
  for (const Frame& frame : Reader(m_path)["events"]) {
    EXPECT_TRUE(frame.getAvailableCollections().empty());
    ++frames;
  }
  EXPECT_EQ(frames, 3);
}

TEST_F(File, mayHoldNothing) {
  Writer(m_path).finish();
  EXPECT_TRUE(Reader(m_path).categories().empty());
}

TEST_F(File, tellsAnAbsentCollectionFromAnEmptyOne) {
  {
    Writer writer(m_path, {.clusterBytes = 1});
    writer.write(Frame(), "events");
    Frame empty;
    empty.put(HitCollection(), "Hits");
    writer.write(empty, "events");
    writer.write(Frame(), "events");
    writer.finish();
  }
  const auto category = Reader(m_path)["events"];
  for (const std::uint64_t absent : {0, 2}) {
    const Frame frame = category.at(absent);
    EXPECT_EQ(frame.getIfPresent<HitCollection>("Hits"), nullptr);
    EXPECT_TRUE(frame.getAvailableCollections().empty());
    expectError(ErrorKind::name, "there is no collection 'Hits' in this frame",
                [&] { (void)frame.get<HitCollection>("Hits"); });
  }
  EXPECT_EQ(category.at(1).get<HitCollection>("Hits").size(), 0U);
  EXPECT_EQ(category.at(1).getAvailableCollections(), Names{"Hits"});
}

TEST_F(File, mayGetACollectionInAnyEvent) {
  {
    Writer writer(m_path, {.clusterBytes = 1});
    for (int event = 0; event < 6; ++event) {
      Frame frame;
      HitCollection hits;
      hits.create().setCell(static_cast<std::uint64_t>(event));
      if (event >= 3)
        frame.put(std::move(hits), "Hits");
      if (event % 2 == 0)
        frame.putParameter("even", event);
      writer.write(frame, "events");
    }
    writer.finish();
  }
  std::uint64_t event = 0;
  for (const Frame& frame : Reader(m_path)["events"]) {
    const auto* const hits = frame.getIfPresent<HitCollection>("Hits");
    ASSERT_EQ(hits != nullptr, event >= 3);
    if (hits) {
      EXPECT_EQ((*hits)[0].getCell(), event);
    }
    EXPECT_EQ(frame.getParameter<int>("even").has_value(), event % 2 == 0);
    ++event;
  }
}

TEST_F(File, hasParametersInAnyRequestedOrder) {
  constexpr int frames = 60;
  {
    Writer writer(m_path, {.clusterEntries = 20, .tags = {"number"}});
    for (int i = 0; i < frames; ++i) {
      Frame frame;
      frame.putParameter("number", i);
      if (i % 2 == 0)
        frame.putParameter("x", i + 1);
      if (i % 3 == 0)
        frame.putParameter("x", i + 0.5);
      if (i % 5 != 0)
        frame.putParameter("y", std::vector<int>(static_cast<std::size_t>(i % 3), i + 2));
      frame.putParameter("text", "frame " + std::to_string(i));
      writer.write(frame, "events");
    }
    writer.finish();
  }
  const auto expectAs = [](const auto& value, bool isThere, const auto& expected) {
    ASSERT_EQ(value.has_value(), isThere);
    if (isThere) {
      EXPECT_EQ(*value, expected);
    }
  };
  int i = 0;
  for (Frame& frame : Reader(m_path)["events"]) {
    const auto ask = [&](int which) {
      switch (which % 7) {
      case 0:
        return expectAs(frame.getParameter<int>("number"), true, i);
      case 1:
        return expectAs(frame.getParameter<int>("x"), i % 2 == 0, i + 1);
      case 2:
        return expectAs(frame.getParameter<double>("x"), i % 3 == 0, i + 0.5);
      case 3:
        return expectAs(frame.getParameter<int>("y"), i % 5 != 0 && i % 3 != 0, i + 2);
      case 4:
        return expectAs(frame.getParameter<std::vector<int>>("y"), i % 5 != 0,
                        std::vector<int>(static_cast<std::size_t>(i % 3), i + 2));
      case 5:
        return expectAs(frame.getParameter<std::string>("text"), true,
                        "frame " + std::to_string(i));
      default:
        return expectAs(frame.getParameter<float>("x"), false, 0.F);
      }
    };
    for (int k = 0; k < 14; ++k)
      ask(i < 20 ? k : k * (1 + i % 6) + i / 3); // the same order, then other ones
    frame.putParameter("number", -i);            // parameters that were put in take precedence
    EXPECT_EQ(frame.getParameter<int>("number"), -i);
    ++i;
  }
  EXPECT_EQ(i, frames);
}

TEST_F(File, keepsCategoriesApart) {
  {
    Writer writer(m_path, {.clusterBytes = 1});
    for (int event = 0; event < 10; ++event) {
      writer.write(makeEvent(event), "events");
      if (event % 5 == 0) {
        Frame run;
        run.putParameter("run", event);
        writer.write(run, "runs");
      }
    }
    writer.finish();
  }
  const Reader reader(m_path);
  EXPECT_EQ(reader.categories(), (Names{"events", "runs"}));
  EXPECT_EQ(reader["events"].size(), 10U);
  EXPECT_EQ(reader["runs"].size(), 2U);
  EXPECT_EQ(reader["runs"].at(1).getParameter<int>("run"), 5);
  expectEvent(reader["events"].at(9), 9);
  expectError(ErrorKind::name, "has no category 'run' (did you mean 'runs'?)",
              [&] { (void)reader["run"]; });
}

TEST_F(File, goesOnWhereAFrameWasMovedAwayClearedOrReplaced) {
  writeEvents(m_path, events, {.pageBytes = 500});
  std::vector<Frame> kept;
  int event = 0;
  for (Frame& frame : Reader(m_path)["events"]) {
    expectEvent(frame, event);
    if (event % 4 == 0) {
      kept.push_back(std::move(frame));
      expectError(ErrorKind::usage, "this frame was moved away",
                  [&] { (void)frame.get<HitCollection>("Hits"); });
    } else if (event % 4 == 1) {
      frame.clear();
    } else if (event % 4 == 2) {
      frame = makeEvent(0);
    }
    ++event;
  }
  EXPECT_EQ(event, events);
  for (std::size_t i = 0; i < kept.size(); ++i)
    expectEvent(kept[i], 4 * static_cast<int>(i));
}

TEST_F(File, hasNoEntryAfterTheLast) {
  write(makeEvent(1));
  const Reader reader(m_path);
  expectError(ErrorKind::usage, m_path + ":events: has no entry 1, only 1",
              [&] { (void)reader["events"].at(1); });
}

TEST_F(File, carriesTheModelOfItsDatatypes) {
  Frame frame = makeEvent(1);
  frame.put(other::NothingCollection(), "Nothings");
  write(frame);
  const Reader reader(m_path);
  EXPECT_EQ(reader.file().documents(), (Names{"model:othermodel", "model:testmodel"}));
  EXPECT_EQ(reader.file().document("model:testmodel"), test::Hit::datatype().model->json);
  EXPECT_EQ(reader.file().document("model:othermodel"), other::Nothing::datatype().model->json);
}

// Skimming many files: each is closed before the next is opened.
TEST_F(File, carriesTheModelsOfAllFilesThatItsFramesComeFrom) {
  const std::string merged = m_directory / "merged.kaon";
  Writer writer(merged);
  for (int i = 0; i < 2; ++i) {
    Frame frame;
    if (i == 0)
      frame.put(HitCollection(), "Hits");
    else
      frame.put(other::NothingCollection(), "Nothings");
    write(frame);
    writer.write(read(), "events");
  }
  writer.finish();
  EXPECT_EQ(Reader(merged).file().documents(), (Names{"model:othermodel", "model:testmodel"}));
}

TEST_F(File, staysOpenAsLongAsNeeded) {
  write(makeEvent(7));
  const Frame frame = Reader(m_path)["events"].at(0);
  std::filesystem::remove(m_path);
  expectEvent(frame, 7);
}

TEST_F(File, staysOpenForItsBatches) {
  write(makeEvent(7));
  std::size_t rows = 0;
  for (const kaon::Batch& batch : Reader(m_path)["events"].batches({"Particles.PDG"}))
    rows += batch.values<std::int32_t>("Particles.PDG").size();
  EXPECT_EQ(rows, kaon::test::particlesOf(7));
}

TEST_F(File, takesOnlyTheCollectionsThatAreNamed) {
  {
    Writer writer(m_path);
    writer.write(makeEvent(5), "events", {"Hits", "Tracks"});
    writer.finish();
  }
  const Frame frame = read();
  EXPECT_EQ(frame.getAvailableCollections(), (Names{"Tracks", "Hits"}));
  EXPECT_EQ(frame.getIfPresent<ParticleCollection>("Particles"), nullptr);
  EXPECT_EQ(frame.getParameter<int>("number"), 5); // all parameters are copied
  const auto& tracks = frame.get<TrackCollection>("Tracks");
  EXPECT_TRUE(tracks[0].getHits().empty());
  EXPECT_FALSE(tracks[0].getParticle().isAvailable());
}

TEST_F(File, leavesRelationsToCollectionsThatAreNotWrittenWithoutObject) {
  for (const bool fromFile : {false, true}) {
    const std::string selected = m_directory / "selected.kaon";
    {
      Writer writer(selected);
      if (fromFile) {
        write(makeEvent(3));
        writer.write(read(), "events", {"Hits", "Tracks"});
      } else {
        writer.write(makeEvent(3), "events", {"Hits", "Tracks"});
      }
      writer.finish();
    }
    const Frame frame = Reader(selected)["events"].at(0);
    for (const auto hit : frame.get<HitCollection>("Hits"))
      EXPECT_FALSE(hit.getParticle().isAvailable());
    const auto& tracks = frame.get<TrackCollection>("Tracks");
    const auto& hits = frame.get<HitCollection>("Hits");
    EXPECT_TRUE(tracks[2].getHits(1) == hits[1]);
    const auto clone = hits[1].clone();
    EXPECT_FALSE(clone.getParticle().isAvailable());
  }
}

TEST_F(File, suggestsACollectionToWrite) {
  Frame event = makeEvent(5);
  const auto expectRefused = [&](const Frame& frame, const std::string& name) {
    Writer writer(m_path + "2");
    expectError(ErrorKind::name, "there is no collection '" + name + "' to write in this frame",
                [&] {
                  writer.write(frame, "events", {"Tracks", name});
                });
  };
  expectRefused(event, "Hitz");
  expectRefused(event, "number"); // a parameter
  write(event);
  expectRefused(read(), "Hitz");
  expectRefused(read(), "number");
  expectRefused(read(), "Tracks.hits");
  Writer writer(m_path + "2");
  expectError(ErrorKind::name, "(did you mean 'Hits'?)",
              [&] { writer.write(event, "events", {"Hitz"}); });
}

TEST_F(File, refusesRelationsToObjectsOutsideTheFrame) {
  const auto expectRefused = [&](const test::Particle& target) {
    HitCollection hits;
    hits.create();
    hits.create().setParticle(target);
    Frame frame;
    frame.put(std::move(hits), "Hits");
    Writer writer(m_path);
    expectError(ErrorKind::usage,
                "object 1 of 'Hits.particle' is related to a test::Particle that is in no "
                "collection of the frame",
                [&] { writer.write(frame, "events"); });
  };
  expectRefused(test::Particle()); // a loose object
  ParticleCollection collection;
  expectRefused(collection.create()); // in no frame
  Frame another = makeEvent(1);
  expectRefused(another.get<ParticleCollection>("Particles")[0]);
}

TEST_F(File, refusesRelationsToObjectsThatAreGone) {
  HitCollection hits;
  {
    ParticleCollection particles;
    hits.create().setParticle(particles.create());
  }
  Frame frame;
  frame.put(std::move(hits), "Hits");
  Writer writer(m_path);
  expectError(ErrorKind::usage, "in no collection of the frame",
              [&] { writer.write(frame, "events"); });
}

TEST_F(File, refusesRelationsToAPushedObjectWhoseCollectionIsGone) {
  HitCollection hits;
  {
    const test::MutableParticle particle;
    hits.create().setParticle(particle);
    ParticleCollection particles;
    particles.push_back(particle);
  }
  Frame frame;
  frame.put(std::move(hits), "Hits");
  Writer writer(m_path);
  expectError(ErrorKind::usage, "in no collection of the frame",
              [&] { writer.write(frame, "events"); });
}

TEST_F(File, takesRelationsToObjectsThatWerePushedAfterwards) {
  ParticleCollection particles;
  HitCollection hits;
  test::MutableParticle particle;
  hits.create().setParticle(particle);
  particles.create();
  particles.push_back(particle);
  Frame frame;
  frame.put(std::move(hits), "Hits");
  frame.put(std::move(particles), "Particles");
  write(frame);
  const Frame back = read();
  EXPECT_TRUE(back.get<HitCollection>("Hits")[0].getParticle() ==
              back.get<ParticleCollection>("Particles")[1]);
}

TEST_F(File, refusesACollectionThatChangesItsDatatype) {
  Writer writer(m_path);
  Frame first, second;
  first.put(HitCollection(), "Things");
  second.put(ParticleCollection(), "Things");
  writer.write(first, "events");
  writer.write(second, "runs"); // other categories are independent
  expectError(ErrorKind::type, "'Things' is a test::Particle here but was a test::Hit",
              [&] { writer.write(second, "events"); });
}

// Also if much of a frame was already added.
TEST_F(File, isWrittenOnAfterFramesThatAreRefused) {
  Writer writer(m_path, {.tags = {"number"}});
  const auto refuse = [&](Frame frame, const Names& names = {}) {
    EXPECT_THROW(names.empty() ? writer.write(frame, "events")
                               : writer.write(frame, "events", names),
                 kaon::Error);
  };
  const auto related = [](int event) { // to an object in no frame
    Frame frame = makeEvent(event);
    HitCollection hits;
    hits.create().setParticle(test::Particle());
    frame.put(std::move(hits), "Others");
    return frame;
  };
  refuse(related(0)); // the first frame
  for (int event = 0; event < 20; ++event) {
    writer.write(makeEvent(event), "events");
    refuse(makeEvent(event), {"Particle"});
    refuse(related(event));
    Frame other;
    other.putParameter("number", event);
    other.put(ParticleCollection(), "Hits");
    refuse(std::move(other));
    Frame without; // lacks the tag
    without.put(HitCollection(), "Hits");
    refuse(std::move(without));
  }
  writer.finish();
  expectEvents(Reader(m_path)["events"], 20);
}

TEST_F(File, hasTheModelsOfFramesThatWereTakenOnly) {
  Writer writer(m_path);
  Frame first, second;
  first.put(HitCollection(), "Things");
  second.put(other::NothingCollection(), "Things");
  writer.write(first, "events");
  EXPECT_THROW(writer.write(second, "events"), kaon::Error);
  writer.finish();
  EXPECT_EQ(Reader(m_path).file().documents(), Names{"model:testmodel"});
}

TEST_F(File, takesNothingAfterFinish) {
  Writer writer(m_path);
  writer.write(makeEvent(1), "events");
  writer.finish();
  const std::string whole = readFile(m_path);
  expectError(ErrorKind::usage, m_path + ": is finished; nothing can be written any more",
              [&] { writer.write(makeEvent(2), "events"); });
  expectError(ErrorKind::usage, "is finished", [&] { writer.finish(); });
  EXPECT_EQ(readFile(m_path), whole);
}

TEST_F(File, isFinishedWhenTheWriterGoes) {
  { Writer(m_path).write(makeEvent(3), "events"); }
  expectEvent(read(), 3);
}

TEST_F(File, takesNoPlaceWhileAnExceptionIsUnderWay) {
  writeFile(m_path, "old");
  const auto interrupted = [&] {
    Writer writer(m_path);
    writer.write(makeEvent(3), "events");
    throw std::runtime_error("something else");
  };
  EXPECT_THROW(interrupted(), std::runtime_error);
  EXPECT_EQ(readFile(m_path), "old");
}

TEST_F(File, isFinishedByAWriterThatLivesInADestructor) {
  struct AtEnd {
    std::string path;
    ~AtEnd() { Writer(path).write(makeEvent(3), "events"); }
  };
  const auto interrupted = [&] {
    const AtEnd atEnd{m_path};
    throw std::runtime_error("something else");
  };
  EXPECT_THROW(interrupted(), std::runtime_error);
  expectEvent(read(), 3);
}

TEST_F(File, isWrittenOnByAWriterThatMoved) {
  Writer first(m_path);
  first.write(makeEvent(0), "events");
  Writer second = std::move(first);
  second.write(makeEvent(1), "events");
  second.finish();
  EXPECT_EQ(Reader(m_path)["events"].size(), 2U);
}

TEST_F(File, isNotWrittenByAWriterThatWasMovedAway) {
  Writer writer(m_path);
  Writer moved = std::move(writer);
  expectError(ErrorKind::usage, "this writer was moved away",
              [&] { writer.write(makeEvent(0), "events"); });
  expectError(ErrorKind::usage, "this writer was moved away", [&] { (void)writer.metadata(); });
  expectError(ErrorKind::usage, "this writer was moved away", [&] { writer.finish(); });
  moved.finish();
}

TEST_F(File, isReadByReadersThatWereMovedFrom) {
  write(makeEvent(3));
  Reader reader(m_path);
  const Reader moved = std::move(reader);
  kaon::Category category = reader["events"];
  const kaon::Category movedCategory = std::move(category);
  EXPECT_EQ(moved.categories(), reader.categories());
  expectEvent(category.at(0), 3);
  expectEvent(movedCategory.at(0), 3);
}

TEST_F(File, mayBeReplacedWhileItIsRead) {
  write(makeEvent(5));
  const Frame frame = read();
  write(makeEvent(6));
  expectEvent(frame, 5);
  expectEvent(read(), 6);
}

TEST_F(File, cannotBeReadIfMissing) {
  expectError(ErrorKind::missing, m_path + ": cannot open: No such file",
              [&] { Reader reader(m_path); });
  expectError(ErrorKind::io, "is not a file", [&] { Reader reader(m_directory / "."); });
  writeFile(m_path, "");
  expectError(ErrorKind::version, m_path + ": is empty", [&] { Reader reader(m_path); });
  writeFile(m_path, "PDG,energy\n11,5\n");
  expectError(ErrorKind::version, m_path + ": is not a kaon file", [&] { Reader reader(m_path); });
}

TEST_F(File, numbersCollectionsAsItsFramesDo) {
  write(makeEvent(5));
  Frame frame = read();
  for (const std::string& name : frame.getAvailableCollections()) {
    bool found = false;
    for (std::uint32_t id = 0; id < 100; ++id)
      found = found || frame.getName(id) == name;
    EXPECT_TRUE(found) << name;
  }
  const auto& hits = frame.get<HitCollection>("Hits");
  EXPECT_EQ(frame.getName(hits.getID()), "Hits");
  EXPECT_EQ(hits[1].getParticle().id().collectionID,
            frame.get<ParticleCollection>("Particles").getID());
  const auto& more = frame.put(HitCollection(), "MoreHits");
  EXPECT_EQ(frame.getName(more.getID()), "MoreHits");
}

TEST_F(File, namesOnlyCollections) {
  write(makeEvent(5));
  const Frame frame = read();
  Names named;
  for (std::uint32_t id = 0; id < 100; ++id)
    if (const std::string name = frame.getName(id); !name.empty())
      named.push_back(name);
  std::ranges::sort(named);
  EXPECT_EQ(named, (Names{"Bares", "Hits", "Particles", "Tracks"}));
}

TEST_F(File, leavesNamesOfParametersFreeForCollections) {
  write(makeEvent(5));
  Frame frame = read();
  frame.put(HitCollection(), "number");
  EXPECT_EQ(frame.getParameter<int>("number"), 5);
  const std::string second = m_directory / "second.kaon";
  {
    Writer writer(second);
    writer.write(frame, "events");
    writer.finish();
  }
  const Frame back = Reader(second)["events"].at(0);
  EXPECT_EQ(back.getParameter<int>("number"), 5);
  EXPECT_TRUE(back.get<HitCollection>("number").empty());
}

TEST_F(File, refusesASecondCollectionOfANameThatWasRead) {
  write(makeEvent(5));
  Frame frame = read();
  expectError(ErrorKind::usage, "the frame has a collection 'Hits' already",
              [&] { frame.put(HitCollection(), "Hits"); });
}

TEST_F(File, givesACollectionOnlyAsItsType) {
  write(makeEvent(5));
  const Frame frame = read();
  expectError(ErrorKind::type, "'Hits' is a collection of test::Hit, not of test::Particle",
              [&] { (void)frame.get<ParticleCollection>("Hits"); });
  EXPECT_EQ(frame.get<HitCollection>("Hits").size(), kaon::test::hitsOf(5));
  EXPECT_EQ(frame.getIfPresent<HitCollection>("Hits.particle"), nullptr);
  EXPECT_EQ(frame.getIfPresent<HitCollection>("number"), nullptr);
}

TEST_F(File, givesIteratedFramesNothingOfTheEventBefore) {
  writeEvents(m_path, 12);
  int event = 0;
  for (Frame& frame : Reader(m_path)["events"]) {
    EXPECT_EQ(frame.getIfPresent<HitCollection>("Mine"), nullptr);
    EXPECT_EQ(frame.getParameter<int>("mine"), std::nullopt);
    frame.put(HitCollection(), "Mine");
    frame.putParameter("mine", 1);
    expectEvent(frame, event++);
  }
}

TEST_F(File, isCalledByItsPathInErrorsAndWarnings) {
  write(makeEvent(5));
  std::string bytes = readFile(m_path);
  bytes.resize(bytes.size() - 5);
  writeFile(m_path, bytes);
  kaon::test::Warnings warnings;
  EXPECT_FALSE(Reader(m_path).file().isComplete());
  const auto given = warnings.take();
  ASSERT_EQ(given.size(), 1U);
  EXPECT_EQ(given[0].find(m_path + ": does not end as a kaon file does"), 0U) << given[0];
  writeFile(m_path, bytes.substr(0, 20));
  expectError(ErrorKind::corrupt, m_path + ": ends at byte 20", [&] { Reader reader(m_path); });
}

} // namespace
