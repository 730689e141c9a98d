#include "support/Everything.h"
#include "support/Forgery.h"
#include "support/MemorySink.h"
#include "support/Random.h"
#include "support/TestEvents.h"

#include <kaon/event/FrameContents.h>
#include <kaon/event/FrameGatherer.h>
#include <kaon/event/Print.h>
#include <kaon/event/Reader.h>
#include <kaon/store/FileWriter.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

// Small files, changed at random and sealed with right checksums so that the changes get deep.
// Whatever is in a file, reading, printing, cloning and copying it ends well or with an Error; ASan
// and UBSan watch. The same changes in every run: a failure names its seed.

namespace {

using kaon::Category;
using kaon::Frame;
using kaon::Layout;
using kaon::Table;
using kaon::TableDefinition;
using kaon::test::Forgery;
using kaon::test::Random;

/// A few events in two clusters.
kaon::Buffer someFile(const kaon::Compression& compression, Layout layout) {
  const auto bytes = std::make_shared<kaon::Buffer>();
  kaon::store::FileWriter writer(std::make_unique<kaon::test::MemorySink>(bytes),
                                 {compression, 200});
  const kaon::Arrangement arrangement{.all = {.layout = layout}};
  kaon::FrameGatherer::SharedTables tables;
  kaon::FrameGatherer gatherer(arrangement, tables);
  std::uint64_t first = 0;
  for (const int event : {2, 3, 7}) {
    const Frame frame = kaon::test::makeEvent(event);
    gatherer.add(frame.contents(), nullptr);
    if (event == 3)
      continue;
    writer.write("events", gatherer.builder().batch(first));
    first += gatherer.builder().entries();
    gatherer.builder().clear();
  }
  writer.addDocument("model:m", "{}");
  writer.finish();
  return std::move(*bytes);
}

/// As kaon's errors: whatever else is thrown is a mistake.
void unlessRefused(const std::function<void()>& use) {
  try {
    use();
  } catch (const kaon::Error&) {
  }
}

template <class Collection>
void useCollection(const Frame& frame, const std::string& name) {
  unlessRefused([&] {
    std::ostringstream out;
    out << frame.get<Collection>(name);
  });
  unlessRefused([&] {
    std::size_t count = 0;
    for (const auto object : frame.get<Collection>(name))
      if (count++ < 100)
        (void)object.clone();
  });
}

void useFrame(const Frame& frame) {
  useCollection<test::ParticleCollection>(frame, "Particles");
  useCollection<test::HitCollection>(frame, "Hits");
  useCollection<test::TrackCollection>(frame, "Tracks");
  useCollection<test::BareCollection>(frame, "Bares");
  unlessRefused([&] { (void)frame.getParameter<int>("number"); });
  unlessRefused([&] { (void)frame.getParameter<double>("weight"); });
  unlessRefused([&] { (void)frame.getParameter<std::string>("title"); });
  unlessRefused([&] { (void)frame.getParameter<std::vector<bool>>("flags"); });
  unlessRefused([&] { (void)frame.getAvailableCollections(); });
  unlessRefused([&] {
    const kaon::Arrangement arrangement;
    kaon::FrameGatherer::SharedTables tables;
    kaon::FrameGatherer copy(arrangement, tables);
    copy.add(frame.contents(), nullptr);
  });
}

/// Reads all of a file in every way.
void use(std::span<const std::byte> bytes) {
  unlessRefused([&] { (void)kaon::test::everythingIn(bytes); });
  unlessRefused([&] {
    const std::shared_ptr<const kaon::File> file = kaon::test::openBytes(bytes);
    for (const std::string& name : file->categories()) {
      const Category category(file, name);
      const std::uint64_t some = std::min<std::uint64_t>(category.size(), 4);
      for (std::uint64_t entry = 0; entry < some; ++entry)
        unlessRefused([&] { useFrame(category.at(entry)); });
      std::uint64_t entries = 0;
      for (const Frame& frame : category) {
        unlessRefused([&] {
          for (const auto hit : frame.get<test::HitCollection>("Hits"))
            (void)hit.getParticle();
        });
        if (++entries == some)
          break;
      }
    }
  });
}

/// A number that finds mistakes: small, near a power of two, or any.
std::uint64_t nastyNumber(Random& random) {
  switch (random.below(4)) {
  case 0:
    return random.below(20);
  case 1:
    return (std::uint64_t{1} << random.below(64)) - random.below(3);
  case 2:
    return ~std::uint64_t{0} - random.below(20);
  default:
    return random.bits();
  }
}

/// Overwrites a byte, or two, four or eight, somewhere.
void spoil(std::span<std::byte> bytes, Random& random) {
  if (bytes.empty())
    return;
  const std::size_t size = std::min(std::size_t{1} << random.below(4), bytes.size());
  const std::uint64_t number = nastyNumber(random);
  // Most numbers in the format are aligned.
  std::size_t at = random.below(bytes.size() - size + 1);
  if (random.chance(0.7))
    at -= at % size;
  std::memcpy(bytes.data() + at, &number, size);
}

void changeTable(TableDefinition& table, Random& random, std::size_t tables) {
  const auto number = static_cast<std::uint32_t>(nastyNumber(random));
  switch (random.below(9)) {
  case 0:
    table.kind = static_cast<kaon::TableKind>(random.below(8));
    return;
  case 1:
    table.layout = static_cast<Layout>(random.below(3));
    return;
  case 2:
    table.parent =
        random.chance(0.2) ? Table::none : static_cast<std::uint32_t>(random.below(tables + 1));
    return;
  case 3:
    table.rowSize = number;
    return;
  case 4:
    table.type = random.chance(0.5) ? "test::Track" : "string";
    return;
  default:
    break;
  }
  if (table.members.empty())
    return;
  kaon::MemberDefinition& member = table.members[random.below(table.members.size())];
  switch (random.below(5)) {
  case 0:
    member.type = static_cast<kaon::Scalar>(random.below(12));
    return;
  case 1:
    member.extent = number;
    return;
  case 2:
    member.offset = number;
    return;
  case 3:
    member.name = table.members.front().name;
    return;
  default:
    table.members.pop_back();
  }
}

void changeIndex(Forgery::Index& index, Random& random) {
  if (index.categories.empty())
    return;
  Forgery::Index::Category& category = index.categories[random.below(index.categories.size())];
  if (random.chance(0.8)) {
    changeTable(category.tables[random.below(category.tables.size())], random,
                category.tables.size());
    return;
  }
  if (random.chance(0.5)) {
    std::swap(category.tables[random.below(category.tables.size())],
              category.tables[random.below(category.tables.size())]);
    return;
  }
  kaon::store::IndexCluster& cluster = category.clusters[random.below(category.clusters.size())];
  switch (random.below(3)) {
  case 0:
    cluster.position = nastyNumber(random) / 64 * 64;
    return;
  case 1:
    cluster.firstEntry = nastyNumber(random);
    return;
  default:
    cluster.entries = static_cast<std::uint32_t>(nastyNumber(random));
  }
}

void changeCluster(const Forgery::Cluster& cluster, Random& random) {
  const auto bytesOf = [](auto span) { return std::as_writable_bytes(span); };
  switch (random.below(7)) {
  case 0:
    return spoil(bytesOf(std::span(&cluster.head, 1)), random);
  case 1:
    return spoil(bytesOf(cluster.groups), random);
  case 2:
    return spoil(bytesOf(cluster.columns), random);
  case 3:
    return spoil(bytesOf(cluster.boundaries), random);
  case 4:
    return spoil(bytesOf(cluster.entries), random);
  default: { // the values of a page
    const kaon::store::PageEntry& page = cluster.entries[random.below(cluster.entries.size())];
    return spoil(cluster.stored(page), random);
  }
  }
}

class Mutation : public testing::TestWithParam<std::pair<kaon::Compression, Layout>> {};
INSTANTIATE_TEST_SUITE_P(Fuzz, Mutation,
                         testing::Values(std::pair(kaon::uncompressed(), Layout::split),
                                         std::pair(kaon::uncompressed(), Layout::row),
                                         std::pair(kaon::lz4(), Layout::row),
                                         std::pair(kaon::lzma(), Layout::row),
                                         std::pair(kaon::zlib(), Layout::split),
                                         std::pair(kaon::zstd(), Layout::split)),
                         [](const auto& test) {
                           return std::string(codecName(test.param.first.codec)) + "_" +
                                  std::string(layoutName(test.param.second));
                         });

constexpr std::uint64_t seeds = 250;

TEST_P(Mutation, ofPagesAndTheirEntriesEndsWellOrWithAnError) {
  const kaon::Buffer file = someFile(GetParam().first, GetParam().second);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Forgery forgery(file.bytes());
    // All of them in one go: after the first the cluster may not be what it was.
    forgery.editCluster(random.below(2), [&](const Forgery::Cluster& cluster) {
      for (std::size_t i = 0; i < 1 + random.below(3); ++i)
        changeCluster(cluster, random);
    });
    use(forgery.bytes());
  }
}

TEST_P(Mutation, ofTheIndexEndsWellOrWithAnError) {
  const kaon::Buffer file = someFile(GetParam().first, GetParam().second);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Forgery forgery(file.bytes());
    forgery.editIndex([&](Forgery::Index& index) {
      for (std::size_t i = 0; i < 1 + random.below(2); ++i)
        changeIndex(index, random);
    });
    use(forgery.bytes());
  }
}

TEST_P(Mutation, ofTheBytesOfTheIndexEndsWellOrWithAnError) {
  const kaon::Buffer file = someFile(GetParam().first, GetParam().second);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Forgery forgery(file.bytes());
    forgery.editIndexBytes([&](std::vector<std::byte>& bytes) { spoil(bytes, random); });
    use(forgery.bytes());
  }
}

TEST_P(Mutation, ofRecordHeadersEndsWellOrWithAnError) {
  const kaon::Buffer file = someFile(GetParam().first, GetParam().second);
  using kaon::store::RecordKind;
  for (std::uint64_t seed = 0; seed < seeds / 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Forgery forgery(file.bytes());
    const bool isIndex = random.chance(0.3);
    forgery.editRecord(isIndex ? RecordKind::index : RecordKind::cluster,
                       isIndex ? 0 : random.below(2), [&](kaon::store::RecordHeader& header) {
                         spoil(std::as_writable_bytes(std::span(&header, 1)), random);
                       });
    use(forgery.bytes());
  }
}

// Not sealed: the checksums have to find them.
TEST_P(Mutation, ofAnyBytesIsNoticedOrMeansNothing) {
  const kaon::Buffer file = someFile(GetParam().first, GetParam().second);
  const auto original = kaon::test::everythingIn(file.bytes());
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Random random(seed);
    kaon::Buffer changed;
    changed.append(file.bytes());
    for (std::size_t i = 0; i < 1 + random.below(8); ++i)
      spoil({changed.data(), changed.size()}, random);
    unlessRefused(
        [&] { EXPECT_EQ(kaon::test::everythingIn(changed.bytes()), original) << "seed " << seed; });
  }
}

TEST(Mutation, startsFromFilesThatAreWhole) {
  for (const Layout layout : {Layout::split, Layout::row}) {
    const kaon::Buffer bytes = someFile(kaon::zstd(), layout);
    const std::shared_ptr<const kaon::File> file = kaon::test::openBytes(bytes.bytes());
    const Category category(file, "events");
    ASSERT_EQ(category.size(), 3U);
    kaon::test::expectEvent(category.at(0), 2);
    kaon::test::expectEvent(category.at(1), 3);
    kaon::test::expectEvent(category.at(2), 7);
  }
}

} // namespace
