#include "support/DataFiles.h"
#include "support/Errors.h"
#include "support/TestEvents.h"

#include <kaon/event/Reader.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using kaon::ErrorKind;
using kaon::Frame;
using kaon::test::expectError;
using test::HitCollection;
using test::ParticleCollection;

using Names = std::vector<std::string>;

// Collections are moved in, and returned as const.
template <class T>
concept CanBePut = requires(Frame frame, T thing) { frame.put(std::forward<T>(thing), ""); };
static_assert(CanBePut<HitCollection&&> && !CanBePut<HitCollection&>);
static_assert(!CanBePut<const HitCollection&> && !CanBePut<int>);
static_assert(std::is_same_v<decltype(Frame().get<HitCollection>("")), const HitCollection&>);
static_assert(!std::is_copy_constructible_v<Frame> && std::is_nothrow_move_constructible_v<Frame>);
static_assert(kaon::detail::IsParameter<int> &&
              kaon::detail::IsParameter<std::vector<std::string>>);
static_assert(!kaon::detail::IsParameter<unsigned> &&
              !kaon::detail::IsParameter<std::vector<char>>);
static_assert(kaon::detail::IsParameter<std::vector<std::vector<bool>>>);
static_assert(!kaon::detail::IsParameter<std::vector<std::vector<std::vector<float>>>>);

TEST(Frame, isEmptyAtFirst) {
  const Frame frame;
  EXPECT_TRUE(frame.getAvailableCollections().empty());
  EXPECT_EQ(frame.getIfPresent<HitCollection>("Hits"), nullptr);
  EXPECT_EQ(frame.getParameter<int>("x"), std::nullopt);
  EXPECT_TRUE(frame.getParameterKeys<int>().empty());
  EXPECT_EQ(frame.getName(0), "");
}

TEST(Frame, returnsItsCollections) {
  kaon::test::expectEvent(kaon::test::makeEvent(5), 5);
  kaon::test::expectEvent(kaon::test::makeEvent(0), 0);
}

TEST(Frame, putReturnsTheCollectionThatGetGives) {
  Frame frame;
  const HitCollection& put = frame.put(HitCollection(), "Hits");
  EXPECT_EQ(&put, &frame.get<HitCollection>("Hits"));
  EXPECT_EQ(&put, frame.getIfPresent<HitCollection>("Hits"));
}

TEST(Frame, givesTheSameCollectionAfterOthersCame) {
  Frame frame;
  const HitCollection& first = frame.put(HitCollection(), "first");
  for (int i = 0; i < 100; ++i)
    frame.put(HitCollection(), "another " + std::to_string(i));
  EXPECT_EQ(&first, &frame.get<HitCollection>("first"));
}

TEST(Frame, canBeMoved) {
  Frame frame = kaon::test::makeEvent(5);
  const auto& particles = frame.get<ParticleCollection>("Particles");
  const Frame moved = std::move(frame);
  EXPECT_EQ(&particles, &moved.get<ParticleCollection>("Particles"));
  kaon::test::expectEvent(moved, 5);
}

TEST(Frame, hasNoValueAfterAMove) {
  Frame frame = kaon::test::makeEvent(5);
  const Frame moved = std::move(frame);
  EXPECT_TRUE(moved.isValid());
  EXPECT_FALSE(frame.isValid());
  const auto expectMoved = [](auto use) {
    expectError(ErrorKind::usage, "this frame was moved away", use);
  };
  expectMoved([&] { (void)frame.get<HitCollection>("Hits"); });
  expectMoved([&] { (void)frame.getIfPresent<HitCollection>("Hits"); });
  expectMoved([&] { frame.put(HitCollection(), "Hits"); });
  expectMoved([&] { (void)frame.getParameter<int>("run"); });
  expectMoved([&] { frame.putParameter("run", 1); });
  expectMoved([&] { (void)frame.clone(); });
  expectMoved([&] { (void)frame.toBytes(); });

  frame.clear();
  EXPECT_TRUE(frame.getAvailableCollections().empty());
  frame = kaon::test::makeEvent(6);
  kaon::test::expectEvent(frame, 6);
}

TEST(Frame, refusesASecondCollectionOfAName) {
  Frame frame;
  HitCollection hits;
  hits.create();
  frame.put(std::move(hits), "Hits");
  expectError(ErrorKind::usage, "the frame has a collection 'Hits' already",
              [&] { frame.put(ParticleCollection(), "Hits"); });
  EXPECT_EQ(frame.get<HitCollection>("Hits").size(), 1U);
}

TEST(Frame, refusesACollectionThatWasMovedFrom) {
  Frame frame;
  HitCollection hits;
  frame.put(std::move(hits), "Hits");
  expectError(ErrorKind::usage, "this collection was moved",
              [&] { frame.put(std::move(hits), "more"); });
  EXPECT_EQ(frame.getAvailableCollections(), Names{"Hits"});
}

TEST(Frame, suggestsACollection) {
  Frame frame;
  frame.put(HitCollection(), "TrackerHits");
  expectError(ErrorKind::name,
              "there is no collection 'TrackrHits' in this frame (did you mean 'TrackerHits'?)",
              [&] { (void)frame.get<HitCollection>("TrackrHits"); });
}

TEST(Frame, saysWhyACollectionOfItsFileIsNotRead) {
  const kaon::Category events = kaon::Reader(kaon::test::dataFile("root/ttree_unread.root"))["t"];
  const Frame frame = events.at(0);
  expectError(ErrorKind::name,
              "there is no collection 'hits' in this frame; the file has 'hits', a vector<Hit*>, "
              "which is not read: a pointer to 'Hit' leads to an object of the class 'Track'",
              [&] { (void)frame.get<HitCollection>("hits"); });
}

TEST(Frame, givesACollectionOnlyAsItsType) {
  Frame frame;
  frame.put(HitCollection(), "Hits");
  const auto message = "'Hits' is a collection of test::Hit, not of test::Particle";
  expectError(ErrorKind::type, message, [&] { (void)frame.get<ParticleCollection>("Hits"); });
  expectError(ErrorKind::type, message,
              [&] { (void)frame.getIfPresent<ParticleCollection>("Hits"); });
}

TEST(Frame, numbersAndNamesItsCollections) {
  Frame frame;
  const auto& hits = frame.put(HitCollection(), "Hits");
  const auto& particles = frame.put(ParticleCollection(), "Particles");
  EXPECT_EQ(frame.getAvailableCollections(), (Names{"Hits", "Particles"}));
  EXPECT_NE(hits.getID(), particles.getID());
  EXPECT_EQ(frame.getName(hits.getID()), "Hits");
  EXPECT_EQ(frame.getName(particles.getID()), "Particles");
  EXPECT_EQ(frame.getName(99), "");
  EXPECT_EQ(frame.getName(kaon::detail::CollectionData::untracked), "");
}

template <class T>
void expectKept(const T& value) {
  Frame frame;
  frame.putParameter("x", value);
  EXPECT_EQ(frame.getParameter<T>("x"), value);
}

TEST(FrameParameter, mayBeOfAnyOfSixTypes) {
  expectKept(-5);
  expectKept(std::int64_t{1} << 40);
  expectKept(1.5F);
  expectKept(0.1);
  expectKept(true);
  expectKept(std::string("text with \0 in it", 17));
  expectKept(std::string());
}

TEST(FrameParameter, mayBeAVectorOfThem) {
  expectKept(std::vector{1, 2, 3});
  expectKept(std::vector<std::int64_t>{-1});
  expectKept(std::vector{1.5F, -2.F});
  expectKept(std::vector{0.1, 0.2});
  expectKept(std::vector{true, false, true});
  expectKept(Names{"a", "", "b"});
  expectKept(std::vector<int>());
  expectKept(std::vector<bool>());
  expectKept(Names());
}

template <class T>
using Lists = std::vector<std::vector<T>>;

TEST(FrameParameter, mayBeListsOfThem) {
  expectKept(Lists<int>{{1, 2}, {}, {3}});
  expectKept(Lists<std::int64_t>{{-1}});
  expectKept(Lists<float>{{1.5F}, {-2.F}});
  expectKept(Lists<double>{{0.1, 0.2}});
  expectKept(Lists<bool>{{true, false}, {}});
  expectKept(Lists<std::string>{{"a", ""}, {}, {"b"}});
  expectKept(Lists<float>());
}

TEST(FrameParameter, ofListsIsOneByItself) {
  Frame frame;
  frame.putParameter("x", Lists<int>{{1, 2}});
  frame.putParameter("x", std::vector{3});
  EXPECT_EQ(frame.getParameter<Lists<int>>("x"), (Lists<int>{{1, 2}}));
  EXPECT_EQ(frame.getParameter<std::vector<int>>("x"), std::vector{3});
  EXPECT_EQ(frame.getParameter<Lists<float>>("x"), std::nullopt);
  EXPECT_EQ(frame.getParameterKeys<Lists<int>>(), Names{"x"});
  EXPECT_TRUE(frame.getParameterKeys<Lists<float>>().empty());
  EXPECT_EQ(frame.getParameterKeys<int>(), Names{"x"});
}

TEST(FrameParameter, maySimplyBeQuotedText) {
  Frame frame;
  frame.putParameter("title", "text");
  EXPECT_EQ(frame.getParameter<std::string>("title"), "text");
}

TEST(FrameParameter, isMissingWhereItHasAnotherType) {
  Frame frame;
  frame.putParameter("x", 1);
  EXPECT_EQ(frame.getParameter<double>("x"), std::nullopt);
  EXPECT_EQ(frame.getParameter<std::int64_t>("x"), std::nullopt);
  EXPECT_EQ(frame.getParameter<int>("y"), std::nullopt);
}

TEST(FrameParameter, maySharesItsNameWithThoseOfOtherTypesAndACollection) {
  Frame frame;
  frame.put(HitCollection(), "x");
  frame.putParameter("x", 1);
  frame.putParameter("x", 2.5);
  frame.putParameter("x", "three");
  EXPECT_EQ(frame.getParameter<int>("x"), 1);
  EXPECT_EQ(frame.getParameter<double>("x"), 2.5);
  EXPECT_EQ(frame.getParameter<std::string>("x"), "three");
  EXPECT_NE(frame.getIfPresent<HitCollection>("x"), nullptr);
}

TEST(FrameParameter, isReplacedByALaterOne) {
  Frame frame;
  frame.putParameter("x", 1);
  frame.putParameter("x", std::vector{2, 3});
  EXPECT_EQ(frame.getParameter<int>("x"), 2); // the first of several values
  EXPECT_EQ(frame.getParameter<std::vector<int>>("x"), (std::vector{2, 3}));
}

TEST(FrameParameter, withoutValuesIsThereButHasNoFirst) {
  Frame frame;
  frame.putParameter("x", std::vector<int>());
  EXPECT_EQ(frame.getParameter<int>("x"), std::nullopt);
  EXPECT_EQ(frame.getParameter<std::vector<int>>("x"), std::vector<int>());
  EXPECT_EQ(frame.getParameterKeys<int>(), Names{"x"});
}

TEST(Frame, isAsNewOnceItWasCleared) {
  Frame frame = kaon::test::makeEvent(5);
  frame.putParameter("text", "a");
  frame.putParameter("number", 1);
  frame.clear();
  EXPECT_TRUE(frame.getAvailableCollections().empty());
  EXPECT_EQ(frame.getParameter<std::string>("text"), std::nullopt);
  EXPECT_EQ(frame.getParameter<int>("number"), std::nullopt);
  EXPECT_TRUE(frame.getParameterKeys<std::string>().empty());

  frame.putParameter("text", std::vector<std::string>());
  EXPECT_EQ(frame.getParameter<Names>("text"), Names());
  const Frame copy = frame.clone();
  EXPECT_EQ(copy.getParameterKeys<std::string>(), Names{"text"});
  EXPECT_EQ(copy.getParameter<int>("number"), std::nullopt);
  frame.clear();
  frame.clear(); // parameters that were not put in again are forgotten
  frame.putParameter("number", 2);
  frame.putParameter("text", "b");
  EXPECT_EQ(frame.getParameter<int>("number"), 2);
  EXPECT_EQ(frame.getParameter<std::string>("text"), "b");
  EXPECT_EQ(copy.getParameter<Names>("text"), Names());
  const HitCollection& hits = frame.put(HitCollection(), "Hits");
  EXPECT_EQ(hits.getID(), 0U);
  expectError(ErrorKind::usage, "has a collection 'Hits' already",
              [&] { frame.put(HitCollection(), "Hits"); });
}

TEST(Frame, isEmptyWhenNewAfterOtherFrames) {
  for (int i = 0; i < 3; ++i) {
    Frame frame = kaon::test::makeEvent(5);
    frame.putParameter("text", "a");
    frame.putParameter("number", std::vector{1, 2});
  }
  const Frame frame;
  EXPECT_TRUE(frame.getAvailableCollections().empty());
  EXPECT_TRUE(frame.getParameterKeys<std::string>().empty());
  EXPECT_EQ(frame.getParameter<std::vector<int>>("number"), std::nullopt);
}

TEST(FrameParameter, isListedByType) {
  Frame frame;
  frame.putParameter("b", 1);
  frame.putParameter("a", std::vector{1, 2});
  frame.putParameter("c", 1.);
  EXPECT_EQ(frame.getParameterKeys<int>(), (Names{"a", "b"}));
  EXPECT_EQ(frame.getParameterKeys<double>(), Names{"c"});
  EXPECT_TRUE(frame.getParameterKeys<float>().empty());
}

} // namespace
