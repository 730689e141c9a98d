#include "support/Errors.h"
#include "testmodel/testmodel.h"

#include <kaon/loop/EventLoop.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

// The order in which algorithms see an event.

namespace {

using kaon::ErrorKind;
using kaon::EventLoop;
using kaon::test::expectError;
using test::HitCollection;
using Names = std::vector<std::string>;

HitCollection changed(const HitCollection& hits) { return hits.toCollection(); }
void look(const HitCollection&) {}

TEST(Schedule, keepsTheOrderInWhichAlgorithmsWereAdded) {
  EventLoop loop;
  for (const char* const name : {"c", "a", "b"})
    loop.add(name, look, {"Hits"});
  EXPECT_EQ(loop.order(), (Names{"c", "a", "b"}));
}

TEST(Schedule, putsProducersBeforeConsumers) {
  EventLoop loop;
  loop.add("fit", changed, {"Tracks"}, {"FittedTracks"});
  loop.add("monitor", look, {"Hits"});
  loop.add("find", changed, {"Clusters"}, {"Tracks"});
  loop.add("cluster", changed, {"Hits"}, {"Clusters"});
  loop.add("compare", [](const HitCollection&, const HitCollection*) {}, {"Hits", "FittedTracks"});
  EXPECT_EQ(loop.order(), (Names{"monitor", "cluster", "find", "fit", "compare"}));
}

TEST(Schedule, namesTheAlgorithmsOfACircle) {
  EventLoop loop;
  loop.add("first", changed, {"Hits"}, {"A"});
  loop.add("x", changed, {"C"}, {"D"}); // depends on the circle but is not in it
  loop.add("a", changed, {"A2"}, {"B"});
  loop.add("b", changed, {"B"}, {"C"});
  loop.add("c", changed, {"C"}, {"A2"});
  expectError(ErrorKind::usage, "in a circle: b <- a <- c <- b", [&] { (void)loop.order(); });
  EventLoop itself;
  itself.add("self", changed, {"A"}, {"A"});
  expectError(ErrorKind::usage,
              "algorithm 'self' takes its own output: the input or the output needs another name",
              [&] { (void)itself.order(); });
}

} // namespace
