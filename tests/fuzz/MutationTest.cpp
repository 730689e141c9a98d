#include "support/Everything.h"
#include "support/Forgery.h"
#include "support/MemorySink.h"
#include "support/Random.h"
#include "support/Records.h"
#include "support/Sanitizers.h"
#include "support/Tables.h"
#include "support/TestEvents.h"
#include "support/Warnings.h"

#include <kaon/event/FrameBatchBuilder.h>
#include <kaon/event/FrameContents.h>
#include <kaon/event/Reader.h>
#include <kaon/formats/kaonfile/FileWriter.h>
#include <kaon/formats/kaonfile/SalvagedFile.h>
#include <kaon/writing/SharedTables.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Changes small files at random and corrects their checksums, so that decoders see the changes.
// Reading, printing, cloning and copying any file must succeed or throw an Error. ASan and UBSan
// check the rest. Each run makes the same changes; a failure names its seed.

namespace {

using kaon::Category;
using kaon::Frame;
using kaon::Layout;
using kaon::Table;
using kaon::TableDefinition;
using kaon::kaonfile::RecordKind;
using kaon::test::Forgery;
using kaon::test::Random;

constexpr std::array<int, 4> events{3, 7, 2, 4};
constexpr std::size_t clustersInAll = 4; // with the cluster of sorted keys

/// Makes a few events in three clusters. The file has tags, keys, a group of collections, and
/// tables that the first cluster lacks.
kaon::Buffer someFile(const kaon::Compression& compression, Layout layout) {
  const auto bytes = std::make_shared<kaon::Buffer>();
  kaon::kaonfile::FileWriter writer(std::make_unique<kaon::test::MemorySink>(bytes),
                                    {compression, 200});
  const kaon::detail::StorageRules rules{
      .all = {.layout = layout},
      .storage = {{"Hits", {.group = "tracker"}}, {"Tracks", {.group = "tracker"}}},
      .uses = {{"number", kaon::TableUse::tag | kaon::TableUse::key}}};
  kaon::detail::SharedTables tables;
  kaon::FrameBatchBuilder gatherer(rules, false, tables);
  std::uint64_t first = 0;
  for (const int event : events) {
    const Frame frame = kaon::test::makeEvent(event);
    gatherer.add(frame.contents(), nullptr);
    if (event == 7)
      continue;
    writer.write("events", gatherer.builder().batch(first));
    first += gatherer.builder().entries();
    gatherer.builder().clear();
    if (event == 3) // written with the next new collection
      tables.schema.add(kaon::test::table("Hits.quality", kaon::TableKind::decoration, "",
                                          {{"chi2", kaon::Scalar::Float32}},
                                          tables.schema.find("Hits")));
  }
  writer.addDocument("model:m", "{}");
  writer.finish();
  return std::move(*bytes);
}

/// Ignores kaon's errors; any other exception fails the test.
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
    const kaon::detail::StorageRules rules;
    kaon::detail::SharedTables tables;
    kaon::FrameBatchBuilder copy(rules, false, tables);
    copy.add(frame.contents(), nullptr);
  });
}

/// Returns the test model with other types, and some members with other names.
const std::string& otherModel() {
  static const std::string json = [] {
    std::string text(test::Hit::datatype().model->json);
    for (const auto& [from, to] : {std::pair("float", "double"), std::pair("int32_t", "int16_t")})
      for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;)
        text.replace(at, std::string_view(from).size(), to);
    return text;
  }();
  return json;
}

/// Reads a whole file in every way.
void use(std::span<const std::byte> bytes) {
  unlessRefused([&] {
    const kaon::Reader reader{std::shared_ptr<const kaon::File>(kaon::test::openBytes(bytes))};
    (void)kaon::test::everythingIn(reader.evolved({{"the other model", otherModel()}}).file());
  });
  unlessRefused([&] { (void)kaon::test::everythingIn(bytes); });
  unlessRefused([&] {
    (void)kaon::test::everythingIn(
        *kaon::kaonfile::openSalvaged(kaon::io::memorySource("memory.kaon", bytes)).file);
  });
  unlessRefused([&] {
    const std::shared_ptr<const kaon::File> file = kaon::test::openBytes(bytes);
    for (const std::string& name : file->categories()) {
      const Category category(file, name);
      const std::uint64_t some = std::min<std::uint64_t>(category.size(), 4);
      for (std::uint64_t entry = 0; entry < some; ++entry)
        unlessRefused([&] { useFrame(category.at(entry)); });
      for (const int event : {events[0], 1, -1})
        unlessRefused([&] {
          for (const std::uint64_t entry : category.findAll({{"number", event}}))
            EXPECT_LT(entry, category.size());
        });
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

/// Returns a number that often reveals mistakes: small, near a power of two, or any.
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

/// Overwrites one, two, four or eight bytes at a random position.
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

void changeMember(kaon::MemberDefinition& member, Random& random) {
  switch (random.below(6)) {
  case 0:
    member.type = static_cast<kaon::Scalar>(random.below(kaon::detail::scalarKinds + 1));
    return;
  case 1:
    member.extent = static_cast<std::uint32_t>(nastyNumber(random));
    return;
  case 2:
    member.offset = static_cast<std::uint32_t>(nastyNumber(random));
    return;
  case 3:
    member.missing = nastyNumber(random);
    return;
  case 4:
    member.precision.kind = static_cast<kaon::Precision::Kind>(random.below(5));
    member.precision.bits = static_cast<std::uint8_t>(random.bits());
    member.precision.low = static_cast<double>(nastyNumber(random));
    return;
  default:
    member.name = "x";
  }
}

void changeTable(TableDefinition& table, Random& random, std::size_t tables) {
  switch (random.below(10)) {
  case 0:
    table.kind = static_cast<kaon::TableKind>(random.below(kaon::detail::tableKinds + 1));
    return;
  case 1:
    table.layout = static_cast<Layout>(random.below(4));
    return;
  case 2:
    table.parent = random.chance(0.2)
                       ? Table::none
                       : kaon::TableNumber(static_cast<std::uint32_t>(random.below(tables + 1)));
    return;
  case 3:
    table.rowSize = static_cast<std::uint32_t>(nastyNumber(random));
    return;
  case 4:
    table.type = random.chance(0.5) ? "test::Track" : "string";
    return;
  case 5:
    table.group = random.chance(0.5) ? "tracker" : "other";
    return;
  case 6:
    table.use = static_cast<kaon::TableUse>(random.below(5));
    return;
  default:
    break;
  }
  if (table.members.empty())
    return;
  if (random.chance(0.2))
    table.members.pop_back();
  else
    changeMember(table.members[random.below(table.members.size())], random);
}

void changePlace(std::vector<kaon::kaonfile::IndexCluster>& clusters, Random& random) {
  if (clusters.empty())
    return;
  kaon::kaonfile::IndexCluster& cluster = clusters[random.below(clusters.size())];
  switch (random.below(4)) {
  case 0:
    cluster.position = nastyNumber(random) / 64 * 64;
    return;
  case 1:
    cluster.firstEntry = nastyNumber(random);
    return;
  case 2:
    cluster.metaSize = nastyNumber(random);
    return;
  default:
    cluster.entries = static_cast<std::uint32_t>(nastyNumber(random));
  }
}

void changeIndex(Forgery::Index& index, Random& random) {
  if (index.categories.empty())
    return;
  Forgery::Index::Category& category = index.categories[random.below(index.categories.size())];
  switch (random.below(10)) {
  case 0:
    return std::swap(category.tables[random.below(category.tables.size())],
                     category.tables[random.below(category.tables.size())]);
  case 1:
    return changePlace(category.clusters, random);
  case 2:
    return changePlace(category.tags, random);
  case 3:
    category.keys = static_cast<std::uint32_t>(nastyNumber(random));
    return;
  default:
    return changeTable(category.tables[random.below(category.tables.size())], random,
                       category.tables.size());
  }
}

/// Changes the description of a column, or the values of one of its pages.
void changeCluster(Forgery::Cluster& cluster, Random& random) {
  if (cluster.columns.empty())
    return;
  auto column = cluster.columns.begin();
  std::advance(column, random.below(cluster.columns.size()));
  auto& [pages, bounds, ends] = column->second;
  kaon::kaonfile::PageEntry& page = pages[random.below(pages.size())];
  const auto bytesOf = [](auto& thing) { return std::as_writable_bytes(std::span(&thing, 1)); };
  switch (random.below(10)) {
  case 0:
    if (!ends.empty())
      spoil(bytesOf(ends[random.below(ends.size())]), random);
    return;
  case 1:
    if (!bounds.empty())
      spoil(bytesOf(bounds[random.below(bounds.size())].bounds), random);
    return;
  case 2:
    return spoil(bytesOf(page.values), random);
  case 3:
    return spoil(bytesOf(page.encoding), random);
  case 4:
    page.size = random.below(page.isShort ? page.bytes.size() + 1 : 2 * page.size);
    return;
  case 5:
    page.position += page.isShort ? 0 : random.below(1000);
    return;
  case 6:
    ends.clear();
    return;
  case 7:
    cluster.columns.erase(column);
    return;
  default:
    return spoil(cluster.stored(page), random);
  }
}

/// Changes a byte or the length of a block in a cluster's metadata.
void changeBlock(std::vector<std::byte>& block, Random& random) {
  if (random.chance(0.2))
    block.resize(random.below(2 * block.size()));
  if (!block.empty())
    spoil(block, random);
}

class Mutation : public testing::TestWithParam<std::pair<kaon::Compression, Layout>> {
protected:
  kaon::test::Warnings m_warnings; // only to suppress their output
};
INSTANTIATE_TEST_SUITE_P(Fuzz, Mutation,
                         testing::Values(std::pair(kaon::uncompressed(), Layout::split),
                                         std::pair(kaon::uncompressed(), Layout::row),
                                         std::pair(kaon::lz4(), Layout::row),
                                         std::pair(kaon::lzma(), Layout::row),
                                         std::pair(kaon::zlib(), Layout::member),
                                         std::pair(kaon::zstd(), Layout::split)),
                         [](const auto& test) {
                           return std::string(codecName(test.param.first.codec)) + "_" +
                                  std::string(layoutName(test.param.second));
                         });

constexpr std::uint64_t seeds = kaon::test::isSanitized ? 80 : 250; // ASan takes minutes

TEST_P(Mutation, ofPagesAndTheirEntriesEndsWellOrWithAnError) {
  const kaon::Buffer file = someFile(GetParam().first, GetParam().second);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Forgery forgery(file.bytes());
    // Makes all changes together, because the first one may make the cluster unreadable.
    if (random.chance(0.3))
      forgery.editBlock(random.below(clustersInAll), 0,
                        [&](std::vector<std::byte>& block) { changeBlock(block, random); });
    else
      forgery.editCluster(random.below(clustersInAll), [&](Forgery::Cluster& cluster) {
        for (std::size_t i = 0; i < 1 + random.below(3); ++i)
          changeCluster(cluster, random);
      });
    use(forgery.bytes());
  }
}

TEST_P(Mutation, ofTagsEndsWellOrWithAnError) {
  const kaon::Buffer file = someFile(GetParam().first, GetParam().second);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Forgery forgery(file.bytes());
    forgery.editPages(RecordKind::tags, 0,
                      [&](Forgery::Cluster& tags) { changeCluster(tags, random); });
    use(forgery.bytes());
  }
}

// If a file lacks its end, its records are read one after another, without the index.
TEST_P(Mutation, ofAnUnfinishedFileEndsWellOrWithAnError) {
  const kaon::Buffer file = someFile(GetParam().first, GetParam().second);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Forgery forgery(file.bytes());
    const auto spoilMeta = [&](std::span<std::byte> meta) { spoil(meta, random); };
    switch (random.below(4)) {
    case 0:
    case 1:
      forgery.editMeta(RecordKind::schema, random.below(2), spoilMeta);
      break;
    case 2:
      forgery.editMeta(RecordKind::document, 0, spoilMeta);
      break;
    default:
      forgery.editPages(random.chance(0.5) ? RecordKind::tags : RecordKind::cluster, 0,
                        [&](Forgery::Cluster& cluster) {
                          spoil(std::as_writable_bytes(std::span(&cluster.header, 1)), random);
                        });
    }
    forgery.cut(1 + random.below(sizeof(kaon::kaonfile::EndRecord)));
    use(forgery.bytes());
  }
}

TEST_P(Mutation, ofTheEndEndsWellOrWithAnError) {
  const kaon::Buffer file = someFile(GetParam().first, GetParam().second);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Forgery forgery(file.bytes());
    forgery.editEnd([&](kaon::kaonfile::EndRecord& end) {
      spoil(std::as_writable_bytes(std::span(&end, 1)), random);
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
  for (std::uint64_t seed = 0; seed < seeds / 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Forgery forgery(file.bytes());
    constexpr std::array kinds{RecordKind::schema, RecordKind::cluster, RecordKind::document,
                               RecordKind::index, RecordKind::tags};
    forgery.editRecord(kinds[random.below(kinds.size())], 0,
                       [&](kaon::kaonfile::RecordHeader& header) {
                         spoil(std::as_writable_bytes(std::span(&header, 1)), random);
                       });
    use(forgery.bytes());
  }
}

// Checksums are not corrected, so they must reveal each change. If the end is damaged, entries
// before the first damage are read.
TEST_P(Mutation, ofAnyBytesIsNoticedOrMeansNothing) {
  const kaon::Buffer file = someFile(GetParam().first, GetParam().second);
  const auto whole = kaon::test::openBytes(file.bytes());
  const auto original = kaon::test::everythingIn(*whole);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    kaon::Buffer changed;
    changed.append(file.bytes());
    for (std::size_t i = 0; i < 1 + random.below(8); ++i)
      spoil({changed.data(), changed.size()}, random);
    unlessRefused([&] {
      const auto left = kaon::test::openBytes(changed.bytes());
      if (left->isComplete())
        EXPECT_EQ(kaon::test::everythingIn(*left), original);
      else
        kaon::test::expectBeginningOf(*whole, *left);
    });
  }
}

TEST(Mutation, startsFromFilesThatAreWhole) {
  for (const Layout layout : {Layout::split, Layout::row, Layout::member}) {
    const kaon::Buffer bytes = someFile(kaon::zstd(), layout);
    const std::shared_ptr<const kaon::File> file = kaon::test::openBytes(bytes.bytes());
    const Category category(file, "events");
    ASSERT_EQ(category.size(), events.size());
    for (std::size_t entry = 0; entry < events.size(); ++entry)
      kaon::test::expectEvent(category.at(entry), events[entry]);
    const kaon::Reader other = kaon::Reader(file).evolved({{"the other model", otherModel()}});
    EXPECT_NE(&other["events"].source(), &category.source());
    EXPECT_NO_THROW((void)kaon::test::everythingIn(other.file()));
    EXPECT_EQ(kaon::test::recordsOf(bytes.bytes(), RecordKind::cluster).size(), clustersInAll);
    EXPECT_EQ(kaon::test::recordsOf(bytes.bytes(), RecordKind::tags).size(), 1U);
    EXPECT_EQ(kaon::test::recordsOf(bytes.bytes(), RecordKind::schema).size(), 3U);
  }
}

} // namespace
