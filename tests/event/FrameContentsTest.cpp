#include "support/Errors.h"
#include "support/Files.h"
#include "support/Tables.h"
#include "support/TestEvents.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/formats/memory/MemoryFile.h>
#include <kaon/io/ByteSink.h>
#include <kaon/io/ByteSource.h>
#include <kaon/writing/BatchBuilder.h>

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

// Taking collections out of frames, and moving whole frames elsewhere.

namespace {

using kaon::ErrorKind;
using kaon::Frame;
using kaon::test::expectError;
using kaon::test::expectEvent;
using kaon::test::makeEvent;
using kaon::test::writeEvents;
using test::HitCollection;
using test::ParticleCollection;
using test::TrackCollection;

constexpr int event = 13; // has objects of every kind

using Names = std::vector<std::string>;

/// One frame in several forms: built, read, and cloned from each of these.
class FrameOf : public testing::TestWithParam<std::string> {
protected:
  FrameOf() {
    if (GetParam().starts_with("read")) {
      kaon::Writer(m_path).write(m_frame, "events");
      m_frame = kaon::Reader(m_path)["events"].at(0);
    }
    if (GetParam().ends_with("Cloned")) {
      (void)m_frame.get<HitCollection>("Hits");
      m_frame = m_frame.clone();
    }
  }
  /// Returns the frame after it was written and read.
  Frame written(const Frame& frame) {
    kaon::Writer(m_again).write(frame, "events");
    return kaon::Reader(m_again)["events"].at(0);
  }
  kaon::test::TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon", m_again = m_directory / "again.kaon";
  Frame m_frame = makeEvent(event);
};
INSTANTIATE_TEST_SUITE_P(Frames, FrameOf,
                         testing::Values("built", "read", "builtCloned", "readCloned"),
                         [](const auto& test) { return test.param; });

TEST_P(FrameOf, hasEverything) {
  expectEvent(m_frame, event);
  expectEvent(written(m_frame), event);
}

TEST_P(FrameOf, givesAndTakesBack) {
  auto particles = m_frame.take<ParticleCollection>("Particles");
  EXPECT_EQ(m_frame.getIfPresent<ParticleCollection>("Particles"), nullptr);
  expectError(ErrorKind::name, "there is no collection 'Particles' in this frame",
              [&] { (void)m_frame.take<ParticleCollection>("Particles"); });
  particles.create();
  m_frame.put(std::move(particles), "Particles");
  particles = m_frame.take<ParticleCollection>("Particles"); // copies only the first time
  particles.pop_back();
  m_frame.put(std::move(particles), "Particles");
  expectEvent(m_frame, event);
  expectEvent(written(m_frame), event);
  expectEvent(m_frame.clone(), event);
}

TEST_P(FrameOf, followsObjectsThatAreSortedOutside) {
  auto particles = m_frame.take<ParticleCollection>("Particles");
  particles.sort(std::ranges::greater{}, &test::Particle::getPDG);
  m_frame.put(std::move(particles), "Sorted");
  const auto expectSorted = [](const Frame& frame) {
    const auto& sorted = frame.get<ParticleCollection>("Sorted");
    ASSERT_EQ(sorted.size(), kaon::test::particlesOf(event));
    for (const auto hit : frame.get<HitCollection>("Hits")) {
      const auto i = hit.place().index();
      EXPECT_EQ(hit.getParticle().isAvailable(), i % 3 != 0);
      if (i % 3 != 0) {
        EXPECT_EQ(hit.getParticle(), sorted[sorted.size() - 1 - i % sorted.size()]);
      }
    }
  };
  expectSorted(m_frame);
  expectSorted(m_frame.clone());
  expectSorted(written(m_frame));
}

TEST_P(FrameOf, isOutlivedByRelationsOfTakenCollections) {
  for (const bool hitsFirst : {true, false}) {
    Frame source = m_frame.clone();
    Frame frame;
    if (hitsFirst)
      frame.put(source.take<HitCollection>("Hits"), "Hits");
    frame.put(source.take<ParticleCollection>("Particles"), "Particles");
    if (!hitsFirst)
      frame.put(source.take<HitCollection>("Hits"), "Hits");
    source = Frame();
    const Frame read = written(frame);
    const auto& particles = read.get<ParticleCollection>("Particles");
    for (const auto hit : read.get<HitCollection>("Hits")) {
      const auto i = hit.place().index();
      EXPECT_EQ(hit.getParticle(),
                i % 3 == 0 ? test::Particle::makeEmpty() : particles[i % particles.size()]);
    }
  }
}

TEST_P(FrameOf, removesAndReplaces) {
  m_frame.remove("Tracks");
  EXPECT_EQ(m_frame.getIfPresent<TrackCollection>("Tracks"), nullptr);
  expectError(ErrorKind::name, "there is no collection 'Hist' in this frame (did you mean 'Hits'?)",
              [&] { m_frame.remove("Hist"); });
  HitCollection hits;
  hits.create().setParticle(m_frame.get<ParticleCollection>("Particles")[1]);
  m_frame.replace(std::move(hits), "Hits");
  EXPECT_EQ(m_frame.get<HitCollection>("Hits").size(), 1U);
  const Frame read = written(m_frame);
  EXPECT_EQ(read.getIfPresent<TrackCollection>("Tracks"), nullptr);
  ASSERT_EQ(read.get<HitCollection>("Hits").size(), 1U);
  EXPECT_EQ(read.get<HitCollection>("Hits")[0].getParticle(),
            read.get<ParticleCollection>("Particles")[1]);
}

TEST_P(FrameOf, findsObjectsByTheirIds) {
  const auto& hits = m_frame.get<HitCollection>("Hits");
  for (const auto hit : hits)
    EXPECT_EQ(m_frame.get<test::Hit>(hit.id()), hit);
  const auto particle = hits[1].getParticle();
  EXPECT_EQ(m_frame.get<test::Particle>(particle.id()), particle);
  EXPECT_EQ(m_frame.getName(hits), "Hits");
  expectError(ErrorKind::type, "", [&] { (void)m_frame.get<test::Hit>(particle.id()); });
  expectError(ErrorKind::name, "there is no collection with the number 77 in this frame", [&] {
    (void)m_frame.get<test::Hit>(kaon::ObjectID{0, 77});
  });
  for (const int index : {kaon::ObjectID::invalid, 1000})
    EXPECT_THROW((void)m_frame.get<test::Hit>(kaon::ObjectID{index, hits.getID()}),
                 std::out_of_range);
}

TEST_P(FrameOf, knowsTheCollectionsOfAType) {
  m_frame.put(m_frame.get<HitCollection>("Hits").slice(0, 1), "Chosen");
  EXPECT_EQ(m_frame.getCollectionsOfType<HitCollection>(), (Names{"Hits", "Chosen"}));
  EXPECT_EQ(m_frame.getCollectionsOfType<TrackCollection>(), Names{"Tracks"});
  m_frame.remove("Hits");
  EXPECT_EQ(m_frame.getCollectionsOfType<HitCollection>(), Names{"Chosen"});
}

TEST_P(FrameOf, isAFileInMemory) {
  kaon::Buffer bytes = m_frame.toBytes();
  const Frame frame = Frame::fromBytes(bytes.bytes());
  bytes = {};
  expectEvent(frame, event);
  expectError(ErrorKind::version, "a frame in memory", [] { (void)Frame::fromBytes({}); });
}

TEST(FrameClone, sharesNothingWithTheFrame) {
  Frame frame = makeEvent(event);
  const Frame copy = frame.clone();
  const auto& hits = copy.get<HitCollection>("Hits");
  EXPECT_EQ(hits[1].getParticle(), copy.get<ParticleCollection>("Particles")[1]);
  EXPECT_NE(hits[1].getParticle(), frame.get<ParticleCollection>("Particles")[1]);
  EXPECT_EQ(hits.getID(), frame.get<HitCollection>("Hits").getID());
  frame = Frame();
  expectEvent(copy, event);
}

TEST(FrameClone, hasCollectionsThatWereReadOrAdded) {
  const kaon::test::TemporaryDirectory directory;
  const std::string path = directory / "events.kaon";
  kaon::Writer(path).write(makeEvent(event), "events");
  Frame frame = kaon::Reader(path)["events"].at(0);
  const auto& read = frame.get<HitCollection>("Hits");
  read.decorate<float>("isolation", -1)[read[2]] = 0.5F;
  TrackCollection more;
  more.create().addToHits(read[2]);
  frame.put(std::move(more), "More");
  const Frame copy = frame.clone();
  const auto& hits = copy.get<HitCollection>("Hits");
  EXPECT_EQ(copy.get<TrackCollection>("More")[0].getHits(0), hits[2]);
  EXPECT_NE(&hits, &read);
  EXPECT_EQ(hits.decoration<float>("isolation")[2], 0.5F);
  EXPECT_EQ(hits.decoration<float>("isolation")[1], -1);
}

TEST(FrameTake, lastsUntilTheNextEntry) {
  const kaon::test::TemporaryDirectory directory;
  const std::string path = directory / "events.kaon";
  writeEvents(path, 10);
  int i = 0;
  for (Frame& frame : kaon::Reader(path)["events"]) {
    expectEvent(frame, i++);
    (void)frame.take<ParticleCollection>("Particles");
  }
  EXPECT_EQ(i, 10);
}

TEST(FrameBytes, goThroughASocket) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  std::thread sender([&] {
    const kaon::Buffer bytes = makeEvent(event).toBytes();
    for (std::size_t sent = 0; sent < bytes.size();) {
      const ssize_t count = ::write(ends[0], bytes.data() + sent, bytes.size() - sent);
      if (count <= 0)
        break;
      sent += static_cast<std::size_t>(count);
    }
    ::close(ends[0]);
  });
  std::vector<std::byte> received;
  std::array<std::byte, 1000> piece{};
  for (ssize_t count = 0; (count = ::read(ends[1], piece.data(), piece.size())) > 0;)
    received.insert(received.end(), piece.begin(), piece.begin() + count);
  ::close(ends[1]);
  sender.join();
  expectEvent(Frame::fromBytes(received), event);
}

template <class T>
using Lists = std::vector<std::vector<T>>;

TEST(Parameters, ofListsAreWrittenReadAndCopied) {
  const kaon::test::TemporaryDirectory directory;
  const std::string path = directory / "a.kaon", again = directory / "b.kaon";
  const auto shots = [](int i) {
    return Lists<float>(static_cast<std::size_t>(i % 3), {1.F, 2.F});
  };
  const Lists<std::string> words{{"a", "größer"}, {}, {""}};
  {
    kaon::Writer writer(path, {.clusterEntries = 4, .pageBytes = 64});
    for (int i = 0; i < 10; ++i) {
      Frame frame;
      if (i != 5)
        frame.putParameter("shots", shots(i));
      frame.putParameter("words", words);
      frame.putParameter("flags", Lists<bool>{{true, i % 2 == 0}});
      writer.write(frame, "events");
    }
    writer.finish();
  }
  {
    const kaon::Reader reader(path);
    kaon::Writer writer(again);
    for (Frame& frame : reader["events"]) {
      if (frame.getParameter<Lists<bool>>("flags")->at(0).at(1))
        frame.putParameter("words", Lists<std::string>{{"another"}});
      writer.write(frame, "events");
    }
    writer.finish();
  }
  const kaon::Reader reader(again);
  int i = 0;
  for (const Frame& frame : reader["events"]) {
    EXPECT_EQ(frame.getParameter<Lists<float>>("shots"),
              i == 5 ? std::nullopt : std::optional(shots(i)));
    EXPECT_EQ(frame.getParameter<Lists<std::string>>("words"),
              i % 2 == 0 ? Lists<std::string>{{"another"}} : words);
    EXPECT_EQ(frame.getParameter<Lists<bool>>("flags"), (Lists<bool>{{true, i % 2 == 0}}));
    EXPECT_EQ(frame.getParameterKeys<Lists<std::string>>(), Names{"words"});
    EXPECT_EQ(frame.getParameter<std::vector<float>>("shots"), std::nullopt);
    EXPECT_EQ(frame.getParameter<Lists<double>>("shots"), std::nullopt);
    ++i;
  }
  EXPECT_EQ(i, 10);
}

TEST(Parameters, areWrittenWherePresentInAnyOrder) {
  kaon::Buffer bytes;
  kaon::Writer writer(kaon::io::memorySink("memory.kaon", bytes), {.clusterEntries = 3});
  const Names names{"b", "d", "a", "c", "a name that is long enough to lie elsewhere"};
  Frame frame;
  for (int i = 0; i < 20; ++i) {
    frame.clear();
    for (std::size_t k = 0; k < names.size(); ++k)
      if ((static_cast<std::size_t>(i) * 7 >> k) % 2 == 0)
        frame.putParameter(names[k], 10 * i + static_cast<int>(k));
    if (i % 4 == 1)
      frame.putParameter("a", std::vector<double>(static_cast<std::size_t>(i), 0.5));
    writer.write(frame, "events");
  }
  writer.finish();
  const kaon::Category events(kaon::open(kaon::io::memorySource("memory.kaon", bytes.bytes())),
                              "events");
  for (int i = 0; i < 20; ++i) {
    const Frame read = events.at(static_cast<std::uint64_t>(i));
    for (std::size_t k = 0; k < names.size(); ++k)
      EXPECT_EQ(read.getParameter<int>(names[k]), (static_cast<std::size_t>(i) * 7 >> k) % 2 == 0
                                                      ? std::optional(10 * i + static_cast<int>(k))
                                                      : std::nullopt);
    const auto values = read.getParameter<std::vector<double>>("a");
    EXPECT_EQ(values ? values->size() : 0U, i % 4 == 1 ? static_cast<std::size_t>(i) : 0U);
  }
}

TEST(Parameters, ofListsKeepTheirTypeInAFile) {
  kaon::Buffer bytes;
  kaon::Writer writer(kaon::io::memorySink("memory.kaon", bytes));
  Frame frame;
  frame.putParameter("x", Lists<float>{{1}});
  writer.write(frame, "events");
  frame = Frame();
  frame.putParameter("x", Lists<int>{{1}});
  expectError(ErrorKind::type, "the lists of 'x' hold int32 here but held float32",
              [&] { writer.write(frame, "events"); });
}

TEST(Parameters, thatNoFrameHoldsAreAnErrorWhereTheyAreAskedFor) {
  using kaon::TableKind;
  kaon::detail::BatchBuilder builder;
  builder.add(kaon::test::table("record", TableKind::parameter, "", {{"a", kaon::Scalar::Int32}}));
  builder.add(kaon::test::table("deep", TableKind::parameter, "", {}));
  builder.add(kaon::test::table("deep.", TableKind::vectorMember, "", {}, 1));
  builder.add(kaon::test::values("deep..", TableKind::vectorMember, kaon::Scalar::Int32, 2));
  for (const std::uint32_t table : {0, 1})
    builder.setPresent(table);
  builder.endEntry();
  const auto file = kaon::memory::MemoryFile::make("memory");
  const auto sink = file->sink();
  sink->write("events", builder.batch(0));
  sink->finish();
  const Frame frame = kaon::Reader(file)["events"].at(0);
  for (const std::string name : {"record", "deep"}) {
    const std::string text = "'" + name + "' holds records, arrays or lists in lists in lists";
    expectError(ErrorKind::type, text, [&] { (void)frame.getParameter<int>(name); });
    expectError(ErrorKind::type, text, [&] { (void)frame.getParameter<Lists<int>>(name); });
  }
  EXPECT_TRUE(frame.getParameterKeys<Lists<int>>().empty());
}

TEST(Parameters, ofStringsHaveTheirCharactersWhereverThatTableStands) {
  using kaon::TableKind;
  kaon::detail::BatchBuilder builder;
  builder.add(kaon::test::table("title", TableKind::parameter, "string", {}));
  builder.add(kaon::test::parameter("number", kaon::Scalar::Int32));
  builder.add(kaon::test::values("title.text", TableKind::text, kaon::Scalar::UInt8, 0));
  builder.setPresent(0);
  builder.append(0, 1);
  std::memcpy(builder.append(2, 4), "abcd", 4);
  builder.endRow(2);
  builder.endEntry();
  const auto file = kaon::memory::MemoryFile::make("memory");
  const auto sink = file->sink();
  sink->write("events", builder.batch(0));
  sink->finish();
  const kaon::Reader reader(file);
  EXPECT_EQ(reader["events"].at(0).getParameter<std::string>("title"), "abcd");
}

} // namespace
