#include "othermodel/othermodel.h"
#include "support/Errors.h"
#include "testmodel/testmodel.h"

#include <kaon/event/Frame.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

// Objects and their handles, in collections and outside.

namespace {

using kaon::ErrorKind;
using kaon::ObjectID;
using kaon::test::expectError;

static_assert(sizeof(test::Track) == 2 * sizeof(void*), "a handle is two words");
static_assert(sizeof(test::MutableTrack) == 2 * sizeof(void*));
static_assert(std::is_convertible_v<test::MutableTrack, test::Track>);
static_assert(!std::is_convertible_v<test::Track, test::MutableTrack>);
static_assert(!std::is_constructible_v<test::MutableTrack, test::Track>);
static_assert(!std::is_convertible_v<test::Hit, test::Track>);
static_assert(std::is_nothrow_copy_constructible_v<test::Hit>);
static_assert(std::is_nothrow_move_constructible_v<test::Hit>);
static_assert(std::is_nothrow_copy_assignable_v<test::Hit>);
static_assert(std::is_default_constructible_v<test::Hit>);

// Assigning to the result of [] or of a relation does not replace the object.
static_assert(std::is_nothrow_copy_assignable_v<test::MutableHit>);
static_assert(!std::is_assignable_v<test::Hit, test::Hit>);
static_assert(!std::is_assignable_v<test::MutableHit, test::MutableHit>);
template <class Hits>
concept AssignsElements = requires(Hits& hits, test::MutableHit hit) { hits[0] = hit; };
static_assert(!AssignsElements<test::HitCollection> && !AssignsElements<const test::HitCollection>);
static_assert(AssignsElements<std::vector<test::Hit>>);

template <class T>
concept HasSetters = requires(T object) { object.setEnergy(1.F); };
static_assert(HasSetters<test::MutableHit> && !HasSetters<test::Hit>);

test::Fit someFit(int i) {
  const auto x = static_cast<float>(i);
  return {i % 2 == 0, {x, 2 * x, 3 * x}, {4. * x, 5. * x}, static_cast<std::int8_t>(-i)};
}

TEST(Object, startsWithTheDefaultsOfTheModel) {
  test::ParticleCollection particles;
  const auto particle = particles.create();
  EXPECT_EQ(particle.getPDG(), 0);
  EXPECT_EQ(particle.getEnergy(), 0.);
  EXPECT_EQ(particle.getVertex(), (test::Vector3f{0, 0, 0}));
  EXPECT_EQ(particle.getCharge(), -3);
  EXPECT_FALSE(particle.getStable());
  EXPECT_TRUE(particle.getParents().empty());
  EXPECT_EQ(test::Particle().getCharge(), -3);
  EXPECT_EQ(other::Segment().weight(), 0.5F);
}

TEST(Object, keepsItsMembers) {
  test::ParticleCollection particles;
  auto particle = particles.create();
  particle.setPDG(-11);
  particle.setEnergy(12.5);
  particle.setVertex({1, 2, 3});
  particle.setCharge(-1);
  particle.setStable(true);
  const test::Particle same = particles[0];
  EXPECT_EQ(same.getPDG(), -11);
  EXPECT_EQ(same.getEnergy(), 12.5);
  EXPECT_EQ(same.getVertex(), (test::Vector3f{1, 2, 3}));
  EXPECT_EQ(same.getCharge(), -1);
  EXPECT_TRUE(same.getStable());
}

TEST(Object, keepsEachTypeOfMemberInFull) {
  test::EverythingCollection all;
  auto low = all.create();
  auto high = all.create();
  const auto set = [](auto& object, auto limit) {
    object.setABool(limit(bool()));
    object.setAChar(limit(char()));
    object.setAnInt8(limit(std::int8_t()));
    object.setAUInt8(limit(std::uint8_t()));
    object.setAnInt16(limit(std::int16_t()));
    object.setAUInt16(limit(std::uint16_t()));
    object.setAnInt32(limit(std::int32_t()));
    object.setAUInt32(limit(std::uint32_t()));
    object.setAnInt64(limit(std::int64_t()));
    object.setAUInt64(limit(std::uint64_t()));
    object.setAFloat(limit(float()));
    object.setADouble(limit(double()));
  };
  const auto lowest = [](auto zero) { return std::numeric_limits<decltype(zero)>::lowest(); };
  const auto highest = [](auto zero) { return std::numeric_limits<decltype(zero)>::max(); };
  set(low, lowest);
  set(high, highest);
  const auto expect = [](test::Everything object, auto limit) {
    EXPECT_EQ(object.getABool(), limit(bool()));
    EXPECT_EQ(object.getAChar(), limit(char()));
    EXPECT_EQ(object.getAnInt8(), limit(std::int8_t()));
    EXPECT_EQ(object.getAUInt8(), limit(std::uint8_t()));
    EXPECT_EQ(object.getAnInt16(), limit(std::int16_t()));
    EXPECT_EQ(object.getAUInt16(), limit(std::uint16_t()));
    EXPECT_EQ(object.getAnInt32(), limit(std::int32_t()));
    EXPECT_EQ(object.getAUInt32(), limit(std::uint32_t()));
    EXPECT_EQ(object.getAnInt64(), limit(std::int64_t()));
    EXPECT_EQ(object.getAUInt64(), limit(std::uint64_t()));
    EXPECT_EQ(object.getAFloat(), limit(float()));
    EXPECT_EQ(object.getADouble(), limit(double()));
  };
  expect(all[0], lowest);
  expect(all[1], highest);
}

TEST(Object, isMadeFromItsMembersInTheirOrder) {
  test::HitCollection hits;
  const auto hit = hits.create(std::uint64_t{7}, 1.5F, std::array{1.F, 2.F, 3.F});
  EXPECT_EQ(hit.getCell(), 7U);
  EXPECT_EQ(hit.getEnergy(), 1.5F);
  EXPECT_EQ(hit.getMomentum(), (std::array{1.F, 2.F, 3.F}));
  const test::MutableHit loose(7, 1.5F, {1.F, 2.F, 3.F});
  EXPECT_EQ(loose.getMomentum(2), 3.F);
}

TEST(Object, givesAndTakesElementsOfArrays) {
  test::MutableHit hit;
  hit.setMomentum(1, 5.F);
  EXPECT_EQ(hit.getMomentum(), (std::array{0.F, 5.F, 0.F}));
  EXPECT_EQ(hit.getMomentum(1), 5.F);
  EXPECT_THROW((void)hit.getMomentum(3), std::out_of_range);
  EXPECT_THROW(hit.setMomentum(3, 1.F), std::out_of_range);
}

TEST(Object, holdsComponentsInComponents) {
  test::TrackCollection tracks;
  tracks.create().setFit(someFit(3));
  tracks.create();
  EXPECT_EQ(tracks[0].getFit(), someFit(3));
  EXPECT_EQ(tracks[1].getFit(), test::Fit{});
}

TEST(Object, holdsArraysOfComponents) {
  other::SegmentCollection segments;
  auto segment = segments.create();
  segment.ends(1, {3, 4.5});
  EXPECT_EQ(segment.ends(0), other::Point{});
  EXPECT_EQ(segments[0].ends(), (std::array{other::Point{}, other::Point{3, 4.5}}));
}

TEST(Object, mayHaveNoMembers) {
  other::NothingCollection nothings;
  nothings.create();
  const auto second = nothings.create();
  EXPECT_EQ(nothings.size(), 2U);
  EXPECT_EQ(second.id().index, 1);
  EXPECT_EQ(second.clone().id().index, ObjectID::untracked);
}

TEST(Object, vectorMembersGrowWhileOthersDo) {
  test::TrackCollection tracks;
  for (int i = 0; i < 10; ++i)
    tracks.create();
  for (int round = 0; round < 30; ++round)
    for (int i = 0; i < 10; ++i) {
      auto track = tracks[static_cast<std::size_t>(i)];
      if (round % (i + 1) == 0)
        track.addToResiduals(static_cast<float>(100 * i + round));
      if (round < i)
        track.addToStates(someFit(round));
    }
  for (int i = 0; i < 10; ++i) {
    const test::Track track = tracks[static_cast<std::size_t>(i)];
    std::vector<float> expected;
    for (int round = 0; round < 30; round += i + 1)
      expected.push_back(static_cast<float>(100 * i + round));
    const auto residuals = track.getResiduals();
    EXPECT_EQ(std::vector<float>(residuals.begin(), residuals.end()), expected);
    ASSERT_EQ(track.states_size(), static_cast<std::size_t>(i));
    for (int round = 0; round < i; ++round)
      EXPECT_EQ(track.getStates(static_cast<std::size_t>(round)), someFit(round));
  }
}

TEST(Object, vectorMembersCheckPositionsWhereAsked) {
  test::MutableTrack track;
  EXPECT_TRUE(track.getResiduals().empty());
  EXPECT_FALSE(track.getResiduals());
  track.addToResiduals(1);
  track.addToResiduals(2);
  EXPECT_EQ(track.residuals_size(), 2U);
  EXPECT_EQ(track.getResiduals().front(), 1.F);
  EXPECT_EQ(track.getResiduals().back(), 2.F);
  EXPECT_EQ(track.getResiduals()[1], 2.F);
  EXPECT_EQ(track.getResiduals(1), 2.F);
  EXPECT_THROW((void)track.getResiduals(2), std::out_of_range);
  EXPECT_THROW((void)track.getResiduals().at(2), std::out_of_range);
  EXPECT_EQ(track.residuals_end() - track.residuals_begin(), 2);
}

TEST(Object, isTheSameThroughAnyHandle) {
  test::HitCollection hits;
  auto first = hits.create();
  const auto second = hits.create();
  EXPECT_EQ(first, hits[0]);
  EXPECT_NE(first, second);
  EXPECT_EQ(std::hash<test::Hit>()(first), std::hash<test::Hit>()(hits[0]));
  EXPECT_LT(first, second);
  EXPECT_FALSE(second < first);
  // Handles do not compare values: these two objects are equal in all members.
  EXPECT_NE(test::Hit(), test::Hit());
  test::HitCollection others;
  EXPECT_NE(first, others.create());
}

template <class A, class B>
concept Swaps = requires(A& a, B& b) { swap(a, b); };
static_assert(!Swaps<test::Hit, test::MutableHit> && !Swaps<test::Hit, test::Track>);

TEST(Object, isSwappedAsAHandle) {
  test::HitCollection hits;
  test::MutableHit first = hits.create(), loose;
  loose.setCell(7);
  swap(first, loose);
  EXPECT_EQ(loose, hits[0]);
  EXPECT_EQ(first.getCell(), 7U);
  EXPECT_EQ(hits[0].getCell(), 0U); // the objects do not change
  test::Hit second = hits[0], third = first;
  using std::swap;
  swap(second, third);
  EXPECT_EQ(second, first);
  EXPECT_EQ(third, loose);
}

TEST(Object, canBeAKey) {
  test::HitCollection hits;
  for (int i = 0; i < 100; ++i)
    hits.create();
  std::unordered_set<test::Hit> seen(hits.begin(), hits.end());
  seen.insert(hits[50]);
  EXPECT_EQ(seen.size(), 100U);
  EXPECT_TRUE(seen.contains(hits[99]));
}

TEST(Object, isNumberedByItsCollection) {
  test::HitCollection hits;
  hits.create();
  const test::Hit second = hits.create();
  EXPECT_EQ(second.id(), (ObjectID{1, kaon::detail::CollectionData::untracked}));
  kaon::Frame frame;
  const auto& kept = frame.put(std::move(hits), "Hits");
  EXPECT_EQ(second.id(), (ObjectID{1, kept.getID()}));
  EXPECT_EQ(second.getObjectID(), second.id());
}

TEST(EmptyHandle, isNoObject) {
  test::Hit empty = test::Hit::makeEmpty();
  EXPECT_FALSE(empty.isAvailable());
  EXPECT_EQ(empty.id().index, ObjectID::invalid);
  EXPECT_EQ(empty, test::Hit::makeEmpty());
  test::Hit hit;
  EXPECT_TRUE(hit.isAvailable());
  hit.unlink();
  EXPECT_FALSE(hit.isAvailable());
  EXPECT_FALSE(empty.clone().isAvailable());
}

TEST(LooseObject, isOfNoCollection) {
  const test::MutableHit hit;
  EXPECT_TRUE(hit.isAvailable());
  EXPECT_EQ(hit.id(), ObjectID());
  EXPECT_EQ(hit.id().index, ObjectID::untracked);
}

TEST(LooseObject, livesAsLongAsAnyHandle) {
  test::Hit kept = test::Hit::makeEmpty();
  {
    test::MutableHit made;
    made.setCell(5);
    const test::Hit copy = made;
    kept = copy;
  }
  EXPECT_EQ(kept.getCell(), 5U);
}

TEST(LooseObject, leavesAnEmptyHandleWhereItIsMovedFrom) {
  test::MutableHit made;
  made.setCell(5);
  const test::Hit moved = std::move(made);
  EXPECT_EQ(moved.getCell(), 5U);
  EXPECT_FALSE(made.isAvailable()); // NOLINT: tests the moved handle
  EXPECT_EQ(made.id().index, ObjectID::invalid);
}

TEST(LooseObject, becomesOneOfTheCollectionItIsPushedInto) {
  test::MutableHit hit;
  hit.setCell(5);
  const test::Hit other = hit;
  test::HitCollection hits;
  hits.create();
  hits.push_back(hit);
  EXPECT_EQ(hits.size(), 2U);
  EXPECT_EQ(hits[1].getCell(), 5U);
  EXPECT_EQ(hit, hits[1]);
  EXPECT_EQ(other, hits[1]);
  EXPECT_EQ(hit.id().index, 1);
  hit.setCell(6); // through a handle from before the push
  EXPECT_EQ(hits[1].getCell(), 6U);
  EXPECT_EQ(other.getCell(), 6U);
}

TEST(LooseObject, bringsItsListsAlong) {
  test::MutableTrack track;
  track.addToResiduals(1);
  track.addToStates(someFit(1));
  test::TrackCollection tracks;
  tracks.create().addToResiduals(9);
  tracks.push_back(track);
  track.addToResiduals(2);
  EXPECT_EQ(tracks[1].residuals_size(), 2U);
  EXPECT_EQ(tracks[1].getResiduals(1), 2.F);
  EXPECT_EQ(tracks[1].getStates(0), someFit(1));
  EXPECT_EQ(tracks[0].residuals_size(), 1U);
}

TEST(LooseObject, isPushedOnlyOnce) {
  test::HitCollection hits, others;
  const test::MutableHit hit;
  hits.push_back(hit);
  const auto again = [&] { others.push_back(hit); };
  expectError(ErrorKind::usage,
              "cannot push_back an object of test::Hit that is in a collection already", again);
  expectError(ErrorKind::usage, "clone() it", [&] { others.push_back(hits[0]); });
  expectError(ErrorKind::usage, "handle to no object",
              [&] { others.push_back(test::MutableHit::makeEmpty()); });
  EXPECT_TRUE(others.empty());
}

TEST(LooseObject, isNotPushedByAnImmutableHandle) {
  test::HitCollection hits;
  test::MutableHit hit;
  const test::Hit seen = hit;
  expectError(ErrorKind::usage, "cannot push_back an immutable test::Hit",
              [&] { hits.push_back(seen); });
  hits.push_back(hit);
  EXPECT_EQ(seen, hits[0]);
  test::HitCollection chosen;
  chosen.setSubsetCollection();
  chosen.push_back(seen);
  EXPECT_EQ(chosen[0], hit);
}

TEST(Clone, hasTheSameValuesAndIsAnotherObject) {
  test::TrackCollection tracks;
  auto track = tracks.create();
  track.setFit(someFit(2));
  track.addToResiduals(4);
  track.addToStates(someFit(1));
  auto clone = track.clone();
  EXPECT_NE(clone, track);
  EXPECT_EQ(clone.id().index, ObjectID::untracked);
  EXPECT_EQ(clone.getFit(), someFit(2));
  EXPECT_EQ(clone.getResiduals(0), 4.F);
  EXPECT_EQ(clone.getStates(0), someFit(1));
  clone.setFit(someFit(5));
  clone.addToResiduals(6);
  EXPECT_EQ(track.getFit(), someFit(2));
  EXPECT_EQ(track.residuals_size(), 1U);
}

TEST(Clone, takesRelationsAlongUnlessToldNotTo) {
  test::ParticleCollection particles;
  test::HitCollection hits;
  test::TrackCollection tracks;
  auto track = tracks.create();
  track.setParticle(particles.create());
  track.addToHits(hits.create());
  track.addToHits(hits.create());
  const test::Track with = track.clone();
  EXPECT_EQ(with.getParticle(), particles[0]);
  ASSERT_EQ(with.hits_size(), 2U);
  EXPECT_EQ(with.getHits(1), hits[1]);
  const test::Track without = track.clone(false);
  EXPECT_FALSE(without.getParticle().isAvailable());
  EXPECT_EQ(without.hits_size(), 0U);
}

TEST(Clone, canBePushedIntoAnyCollection) {
  test::HitCollection hits, others;
  hits.create().setCell(3);
  others.push_back(hits[0].clone());
  EXPECT_EQ(others[0].getCell(), 3U);
  hits.push_back(hits[0].clone());
  EXPECT_EQ(hits[1].getCell(), 3U);
}

} // namespace
