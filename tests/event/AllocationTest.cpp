#include "linkmodel/linkmodel.h"
#include "support/Allocations.h"
#include "support/Files.h"
#include "support/Random.h"
#include "support/Sanitizers.h"
#include "support/TestEvents.h"

#include <kaon/base/Buffer.h>
#include <kaon/batch/Columns.h>
#include <kaon/codec/Planes.h>
#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/files/Files.h>
#include <kaon/io/ByteSink.h>
#include <kaon/object/LinkNavigator.h>
#include <kaon/object/UserDataCollection.h>
#include <kaon/writing/BatchWriter.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// The cost of reading: no allocation per object, and none per event after the first ones. The cost
// of writing: the memory of a few clusters.

namespace {

using kaon::Frame;
using kaon::Layout;
using kaon::Reader;
using kaon::Writer;
using kaon::test::Allocations;
using kaon::test::makeEvent;
using kaon::test::TemporaryDirectory;
using test::HitCollection;
using test::ParticleCollection;
using test::TrackCollection;

/// Reads all members, relations and lists of all objects.
double readAll(const HitCollection& hits, const ParticleCollection& particles,
               const TrackCollection& tracks) {
  double sum = 0;
  for (const auto hit : hits) {
    sum += hit.getEnergy() + hit.getMomentum()[1] + static_cast<double>(hit.getCell() % 7);
    if (const auto particle = hit.getParticle(); particle.isAvailable())
      sum += particle.getEnergy();
  }
  for (const auto particle : particles) {
    sum += particle.getEnergy() + static_cast<double>(particle.getVertex().x);
    for (const auto daughter : particle.getDaughters())
      sum += daughter.getPDG() + static_cast<double>(daughter.getParents().size());
  }
  for (const auto track : tracks) {
    sum += track.getFit().errors[1];
    for (const float residual : track.getResiduals())
      sum += residual;
    for (const auto& state : track.getStates())
      sum += state.position.z;
    for (const auto hit : track.getHits())
      sum += hit.getEnergy();
    for (const auto segment : track.getSegments())
      sum += static_cast<double>(segment.hits_size());
  }
  return sum;
}

class Reading : public testing::TestWithParam<Layout> {
protected:
  void SetUp() override {
    Writer writer(m_path, {.layout = GetParam(), .pageBytes = 1000});
    // Events are equal, so that no page is larger than earlier ones.
    for (int i = 0; i < events; ++i)
      writer.write(makeEvent(3), "events");
    writer.finish();
  }
  static constexpr int events = 1000;
  TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
};
INSTANTIATE_TEST_SUITE_P(Allocation, Reading,
                         testing::Values(Layout::split, Layout::row, Layout::member),
                         [](const auto& test) { return std::string(layoutName(test.param)); });

TEST_P(Reading, allocatesNothingForObjectsAlreadyTouched) {
  const Frame frame = Reader(m_path)["events"].at(3);
  const auto& hits = frame.get<HitCollection>("Hits");
  const auto& particles = frame.get<ParticleCollection>("Particles");
  const auto& tracks = frame.get<TrackCollection>("Tracks");
  const double sum = readAll(hits, particles, tracks);
  const Allocations allocations;
  const double again = readAll(hits, particles, tracks);
  const std::size_t count = allocations.count();
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(again, sum);
  EXPECT_NE(sum, 0);
}

TEST_P(Reading, allocatesNothingForAnEventOnceTheFirstHaveBeenRead) {
  std::optional<Allocations> allocations;
  double sum = 0;
  int event = 0;
  for (const Frame& frame : Reader(m_path)["events"]) {
    if (event++ == events / 2)
      allocations.emplace();
    sum += readAll(frame.get<HitCollection>("Hits"), frame.get<ParticleCollection>("Particles"),
                   frame.get<TrackCollection>("Tracks"));
    sum += *frame.getParameter<int>("number") + *frame.getParameter<double>("weight");
  }
  const std::size_t count = allocations->count();
  EXPECT_EQ(count, 0U);
  EXPECT_NE(sum, 0);
}

TEST_P(Reading, allocatesNothingForABatchOnceTheFirstHaveBeenRead) {
  const Reader reader(m_path);
  kaon::Batches batches = reader["events"].batches({"Hits", "Tracks", "Particles"});
  for (int i = 0; i < 120; ++i)
    ASSERT_TRUE(batches.next());
  std::size_t rest = 0;
  const Allocations allocations;
  while (batches.next())
    ++rest;
  const std::size_t count = allocations.count();
  EXPECT_EQ(count, 0U);
  EXPECT_GT(rest, 100U);
}

TEST(Allocation, copyingHandlesCostsNone) {
  const Frame frame = makeEvent(3);
  const auto& hits = frame.get<HitCollection>("Hits");
  const Allocations allocations;
  for (int i = 0; i < 100; ++i) {
    const test::Hit hit = hits[1];
    test::Hit copy = hit;
    const test::Hit another = copy;
    copy = hits[2];
    const test::Hit moved = std::move(copy);
    if (another == moved)
      FAIL();
  }
  EXPECT_EQ(allocations.count(), 0U);
}

// Also if the values are much larger than their bytes in the file.
TEST(Allocation, ofAWriterIsBoundedByItsClusters) {
  constexpr std::size_t clusterBytes = std::size_t{2} << 20;
  const TemporaryDirectory directory;
  const std::string path = directory / "events.kaon";
  std::optional<Allocations> allocations;
  std::size_t decoded = 0;
  Writer writer(path, {.clusterBytes = clusterBytes});
  for (int event = 0; event < 300; ++event) {
    if (event == 50)
      allocations.emplace(); // from here, the writer has all the memory that it needs
    ParticleCollection particles;
    for (int i = 0; i < 5000; ++i)
      particles.create().setPDG(i % 4);
    decoded += particles.size() * sizeof(test::ParticleData);
    Frame frame;
    frame.put(std::move(particles), "Particles");
    writer.write(frame, "events");
  }
  EXPECT_LT(allocations->peak(), 3 * clusterBytes);
  writer.finish();
  EXPECT_GT(decoded, 20 * clusterBytes);
  EXPECT_LT(std::filesystem::file_size(path), decoded / 100);
}

constexpr std::size_t mebibyte = std::size_t{1} << 20;
/// The default budget of a writer, and the allowed excess: memory that a thread keeps for its next
/// buffers, and memory of a growing cluster.
constexpr std::size_t budget = 64 * mebibyte, slack = 24 * mebibyte;

/// An incompressible mebibyte, identified by its first number.
class Noise {
public:
  explicit Noise(std::uint64_t number) : m_values(values) {
    kaon::test::Random random(number);
    for (std::uint64_t& value : m_values)
      value = random.bits();
    m_values[0] = number;
  }
  [[nodiscard]] Frame frame() const {
    Frame frame;
    frame.put(kaon::UserDataCollection<std::uint64_t>(m_values), "Noise");
    return frame;
  }
  static constexpr std::size_t values = mebibyte / sizeof(std::uint64_t);

private:
  std::vector<std::uint64_t> m_values;
};

std::string numbered(std::string name, std::uint64_t number) {
  return name.append(std::to_string(number));
}

std::vector<std::uint64_t> noiseIn(const std::string& path, const std::string& category) {
  std::vector<std::uint64_t> numbers;
  for (const Frame& frame : Reader(path)[category])
    numbers.push_back(frame.get<kaon::UserDataCollection<std::uint64_t>>("Noise")[0]);
  return numbers;
}

// Categories written in turns, and categories written one after another.
TEST(Memory, ofAWriterStaysWithinItsBudgetForAnyNumberOfCategories) {
  constexpr std::uint64_t categories = 100, each = 2;
  const TemporaryDirectory directory;
  const std::string path = directory / "events.kaon";
  for (const bool inTurns : {true, false}) {
    const Allocations allocations;
    Writer writer(path, {.codec = kaon::uncompressed()});
    for (std::uint64_t i = 0; i < categories * each; ++i) {
      const std::uint64_t category = inTurns ? i % categories : i / each;
      writer.write(Noise(i).frame(), numbered("category", category));
    }
    writer.finish();
    EXPECT_LT(allocations.peak(), budget + slack);
    EXPECT_EQ(noiseIn(path, "category5"), inTurns ? (std::vector<std::uint64_t>{5, 105})
                                                  : (std::vector<std::uint64_t>{10, 11}));
  }
}

TEST(Memory, ofAWriterStaysWithinItsBudgetForAnyNumberOfColumns) {
  constexpr std::size_t numberOfColumns = 10'000, entries = 20, batches = 100;
  const TemporaryDirectory directory;
  const std::string path = directory / "events.kaon";
  std::vector<double> values(entries);
  std::iota(values.begin(), values.end(), 0.5);
  kaon::Columns columns(entries);
  for (std::size_t column = 0; column < numberOfColumns; ++column)
    columns.add(numbered("x", column), values);
  const Allocations allocations;
  kaon::BatchWriter writer = kaon::batchWriter(path);
  for (std::size_t i = 0; i < batches; ++i)
    writer.write("events", columns.batch());
  writer.finish();
  EXPECT_LT(allocations.peak(), budget + slack);
  EXPECT_EQ(Reader(path)["events"].size(), batches * entries);
}

TEST(Memory, ofAWriterStaysWithinItsBudgetForAnyOrderOfFillers) {
  constexpr std::uint64_t places = 16, each = 8;
  const TemporaryDirectory directory;
  const std::string path = directory / "events.kaon";
  const Allocations allocations;
  Writer writer(path, {.codec = kaon::uncompressed()});
  std::vector<Writer::Filler> fillers;
  for (std::uint64_t place = 0; place < places; ++place)
    fillers.push_back(writer.filler("events", place));
  for (std::uint64_t i = 0; i < each; ++i) // in turns, the last place first
    for (std::uint64_t place = places; place-- > 0;)
      fillers[place].write(Noise(each * place + i).frame());
  while (!fillers.empty())
    fillers.pop_back();
  writer.finish();
  EXPECT_LT(allocations.peak(), budget + slack);
  std::vector<std::uint64_t> ordered(places * each);
  std::iota(ordered.begin(), ordered.end(), 0);
  EXPECT_EQ(noiseIn(path, "events"), ordered);
}

TEST(Memory, ofAWriterStaysWithinItsBudgetForAnyEvents) {
  const TemporaryDirectory directory;
  std::vector<double> values(mebibyte / sizeof(double), 0.5);
  kaon::Columns columns(values.size());
  columns.add("x", values);
  const Allocations allocations;
  kaon::BatchWriter writer =
      kaon::batchWriter(directory / "events.kaon", {.memoryBudget = 16 * mebibyte});
  for (std::uint64_t i = 0; i < 100; ++i)
    writer.write(numbered("category", i), columns.batch());
  writer.finish();
  EXPECT_LT(allocations.peak(), 16 * mebibyte + slack);
}

TEST(Memory, ofBytePlanesIsThatOfTheValuesHoweverLargeTheseAre) {
  const kaon::codec::Element row{.size = 4 * mebibyte};
  std::vector<std::byte> rows(2 * row.size), decoded(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = static_cast<std::byte>(i % 251);
  kaon::Buffer encoded;
  ASSERT_TRUE(kaon::codec::encodeBytePlanes(row, rows, kaon::zstd(1), encoded));
  const Allocations allocations;
  ASSERT_TRUE(kaon::codec::decodeBytePlanes(row, encoded.bytes(), decoded));
  EXPECT_EQ(decoded, rows);
  EXPECT_LT(allocations.peak(), 2 * rows.size());
}

/// Returns the allocations per event after the first events are written.
template <class Event>
double allocationsOfAnEvent(Event writeEvent) {
  constexpr int events = 400;
  kaon::Buffer bytes;
  Writer writer(kaon::io::memorySink("memory", bytes), {.codec = kaon::uncompressed()});
  Frame frame;
  std::optional<Allocations> allocations;
  for (int event = 0; event < events; ++event) {
    if (event == events / 2)
      allocations.emplace();
    writeEvent(frame, event);
    writer.write(frame, "events");
  }
  const auto count = static_cast<double>(allocations->count());
  writer.finish();
  return count / (events / 2);
}

TEST(Allocation, parametersOfAClearedFrameNeedNoMemory) {
  const double each = allocationsOfAnEvent([](Frame& frame, int event) {
    frame.clear();
    frame.putParameter("run", 7);
    frame.putParameter("event", std::int64_t{event});
    frame.putParameter("weight", 0.5 * event);
  });
  EXPECT_LT(each, 0.2); // the writer's tables grow now and then
}

TEST(Allocation, parametersOfANewFrameNeedNoMemoryAfterOtherFrames) {
  if (kaon::test::isSanitized)
    GTEST_SKIP() << "the memory of frames is not used again, so that uses of them are found";
  const double each = allocationsOfAnEvent([](Frame& frame, int event) {
    frame = Frame();
    frame.putParameter("run", 7);
    frame.putParameter("weight", 0.5 * event);
  });
  EXPECT_LT(each, 0.2);
}

TEST(Allocation, ofLargeParametersIsNotKeptByFramesThatAreGone) {
  const Allocations allocations;
  for (int i = 0; i < 20; ++i) {
    std::vector<Frame> frames(4);
    for (Frame& frame : frames) {
      frame.putParameter("text " + std::to_string(i), std::string(mebibyte, 'a'));
      frame.putParameter("list " + std::to_string(i),
                         std::vector<double>(mebibyte / sizeof(double)));
    }
  }
  EXPECT_LT(allocations.held(), std::ptrdiff_t{mebibyte});
}

TEST(Allocation, ofACollectionIsAFewHoweverManyObjectsItHas) {
  const auto each = [](int objects) {
    return allocationsOfAnEvent([=](Frame& frame, int /*event*/) {
      frame.clear();
      ParticleCollection particles;
      for (int i = 0; i < objects; ++i)
        particles.create().addToDaughters(particles[0]);
      frame.put(std::move(particles), "Particles");
    });
  };
  // Memory of the event before is reused, except under ASan, which must see its use.
  EXPECT_LT(each(10), kaon::test::isSanitized ? 8 : 3);
  EXPECT_LT(each(1000), kaon::test::isSanitized ? 9 : 3);
}

TEST(Allocation, takenCollectionsThatAreFilledAgainNeedLittleMemory) {
  const double each = allocationsOfAnEvent([](Frame& frame, int event) {
    ParticleCollection particles;
    if (event > 0)
      particles = frame.take<ParticleCollection>("Particles");
    particles.clear();
    frame.clear();
    for (int i = 0; i < 100; ++i)
      particles.create().addToDaughters(particles[0]);
    frame.put(std::move(particles), "Particles");
  });
  EXPECT_LT(each, 6);
}

TEST(Allocation, isCountedAtAll) {
  const Allocations allocations;
  const auto number = std::make_unique<int>(7);
  EXPECT_GT(allocations.count(), 0U);
  EXPECT_EQ(allocations.held(), std::ptrdiff_t{sizeof *number});
}

TEST(Allocation, ofBuildingGrowsSlowerThanTheObjects) {
  const auto build = [](int objects) {
    const Allocations allocations;
    ParticleCollection particles;
    TrackCollection tracks;
    for (int i = 0; i < objects; ++i) {
      auto particle = particles.create();
      auto track = tracks.create();
      particle.addToDaughters(particle);
      track.setParticle(particle);
      track.addToResiduals(1);
      track.addToSegments(track);
    }
    return allocations.count();
  };
  EXPECT_LT(build(10'000), build(100) + 100);
}

TEST(Allocation, isNotNeededToFollowLinks) {
  linked::TrackCollection tracks;
  linked::PixelCollection pixels;
  linked::TrackPixelLinkCollection links;
  for (int i = 0; i < 10; ++i)
    links.create(tracks.create(), pixels.create(), 0.5F);
  const kaon::LinkNavigator navigator(links);
  const Allocations allocations;
  float sum = 0;
  for (std::size_t i = 0; i < 10; ++i)
    for (const auto& [pixel, weight] : navigator.getLinked(tracks[i]))
      sum += weight;
  EXPECT_EQ(allocations.count(), 0U);
  EXPECT_EQ(sum, 5.F);
}

} // namespace
