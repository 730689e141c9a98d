#include <kaon/formats/root/podio/FrameSource.h>

#include <kaon/batch/Columns.h>
#include <kaon/detail/reading/Window.h>
#include <kaon/formats/memory/MemoryFile.h>

#include "support/Errors.h"
#include "support/RowsAsJson.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// Valid files that podio's writers do not produce: tables in memory with podio's names.

namespace kaon::root::podio {
namespace {

using test::expectError;
using test::Json;
using Numbers = std::vector<std::uint32_t>;

constexpr std::string_view model = R"({"schema_version": 1, "datatypes": {
  "t::Hit": {"Members": ["float energy // of it"]},
  "t::Track": {"Members": ["float chi2 // of it"], "VectorMembers": ["int counts // of it"],
               "OneToOneRelations": ["t::Hit seed // first"],
               "OneToManyRelations": ["t::Hit hits // all"]}}})";
constexpr std::uint32_t hitsId = 4'000'000'000, tracksId = 17, lostId = 5;

/// Two entries with two tracks and one track; the tracks have two and three counts and hits.
struct Stored {
  Numbers tracks{0, 2, 3};
  Numbers begins{0, 1, 0}, ends{1, 2, 3}; // of the rows of each track
  Numbers rows{0, 2, 5};                  // of the side tables
  std::vector<std::int32_t> counts{10, 11, 20, 21, 22};
  std::vector<std::int32_t> hitIndices{0, 1, 1, 0, 1};
  Numbers hitCollections{hitsId, hitsId, hitsId, hitsId, hitsId};
  Numbers seeds{0, 2, 3};
  std::vector<std::int32_t> seedIndices{1, -2, 0};
  Numbers seedCollections{hitsId, 0, hitsId};
  bool hasSeeds = true;
  // The first entry has the parameters "a" and "b", the second has "b".
  Numbers keys{0, 2, 3};
  Numbers lists{0, 2, 3};

  [[nodiscard]] std::shared_ptr<memory::MemoryFile> file() const {
    const std::vector<float> chi2{1, 2, 3}, energies{5, 6, 7, 8};
    const Numbers hits{0, 2, 4};
    Columns columns(2);
    columns.add("Hits", hits, {{"energy", energies}});
    columns.add("Tracks", tracks,
                {{"chi2", chi2},
                 {"counts_begin", begins},
                 {"counts_end", ends},
                 {"hits_begin", begins},
                 {"hits_end", ends}});
    columns.add("_Tracks_counts", rows, {{"", counts}});
    columns.add("_Tracks_hits", rows, {{"index", hitIndices}, {"collectionID", hitCollections}});
    if (hasSeeds)
      columns.add("_Tracks_seed", seeds,
                  {{"index", seedIndices}, {"collectionID", seedCollections}});
    const std::vector<float> weights{0.5F, 0.25F};
    const Numbers links{0, 2, 2}, from{hitsId, 0}, to{tracksId, tracksId};
    const std::vector<std::int32_t> fromIndices{1, -2}, toIndices{0, 1};
    columns.add("Links", links, {{"weight", weights}});
    columns.add("_Links_from", links, {{"index", fromIndices}, {"collectionID", from}});
    columns.add("_Links_to", links, {{"index", toIndices}, {"collectionID", to}});
    const Numbers letters{0, 1, 2, 3}, listOffsets{0, 1, 3, 6};
    const std::vector<std::uint8_t> text{'a', 'b', 'b'};
    const std::vector<std::int32_t> numbers{1, 2, 3, 4, 5, 6};
    columns.addLists("GPIntKeys", keys);
    columns.add("GPIntKeys.", letters, {{"", text}});
    columns.addLists("GPIntValues", lists);
    columns.add("GPIntValues.", listOffsets, {{"", numbers}});
    auto file = memory::MemoryFile::make("m");
    const auto sink = file->sink();
    sink->write("events", columns.batch());
    sink->finish();
    return file;
  }
};

/// The frames of stored tables.
struct Frames {
  explicit Frames(const Stored& stored)
      : file(stored.file()),
        datatypes(detail::modelDocuments(
            std::vector<detail::ModelDefinition>{{"t", std::string(model), ""}}, "m")),
        source(file->category("events"),
               makeFrameTables(file->category("events"),
                               std::vector<CollectionDescription>{
                                   {hitsId, "Hits", "t::HitCollection", false},
                                   {tracksId, "Tracks", "t::TrackCollection", false},
                                   {99, "Links", "podio::LinkCollection<t::Hit,t::Track>", false}},
                               datatypes)) {}

  /// Returns the tracks of an entry.
  [[nodiscard]] Json tracks(std::uint64_t entry) const {
    return test::RowsAsJson(source).entry(source.schema().find("Tracks"), entry);
  }
  std::shared_ptr<memory::MemoryFile> file;
  ModelDatatypes datatypes;
  FrameSource source;
};

/// Returns the counts of each track.
Json countsOf(const Json& tracks) {
  Json all = Json::array();
  for (const Json& track : tracks)
    all.push_back(track["counts"]);
  return all;
}

/// Returns the indices of the hits of each track.
Json hitsOf(const Json& tracks) {
  Json all = Json::array();
  for (const Json& track : tracks) {
    Json parts = Json::array();
    for (const Json& part : track["hits"])
      parts.push_back(part["index"]);
    all.push_back(parts);
  }
  return all;
}

TEST(FrameSource, givesEachObjectItsRows) {
  const Frames frames{Stored()};
  EXPECT_EQ(countsOf(frames.tracks(0)), Json::parse("[[10], [11]]"));
  EXPECT_EQ(countsOf(frames.tracks(1)), Json::parse("[[20, 21, 22]]"));
  EXPECT_EQ(hitsOf(frames.tracks(1)), Json::parse("[[1, 0, 1]]"));
}

TEST(FrameSource, pointsToValuesThatNeedNoDecoding) {
  const Frames frames{Stored()};
  detail::Window window(frames.source), stored(frames.file->category("events"));
  const auto counts = frames.source.schema().find("Tracks.counts");
  const auto there = stored.source().schema().find("_Tracks_counts");
  EXPECT_EQ(window.member(counts, 0, 0).base, stored.member(there, 0, 0).base);
}

TEST(FrameSource, gathersRowsThatLieInAnotherOrder) {
  Stored stored;
  stored.begins = {1, 0, 1};
  stored.ends = {2, 1, 2}; // two rows belong to no track
  const Frames frames(stored);
  EXPECT_EQ(countsOf(frames.tracks(0)), Json::parse("[[11], [10]]"));
  EXPECT_EQ(countsOf(frames.tracks(1)), Json::parse("[[21]]"));
  EXPECT_EQ(hitsOf(frames.tracks(0)), Json::parse("[[1], [0]]"));
  EXPECT_EQ(hitsOf(frames.tracks(1)), Json::parse("[[0]]"));
}

TEST(FrameSource, passesOverRowsThatBelongToNothing) {
  Stored stored;
  stored.ends = {1, 1, 3};
  const Frames frames(stored);
  EXPECT_EQ(countsOf(frames.tracks(0)), Json::parse("[[10], []]"));
  EXPECT_EQ(countsOf(frames.tracks(1)), Json::parse("[[20, 21, 22]]"));
}

TEST(FrameSource, hasParametersByTheirKeys) {
  const Frames frames{Stored()};
  const Schema& schema = frames.source.schema();
  test::RowsAsJson rows(frames.source);
  const std::uint32_t a = schema.findParameter("a", "int32"),
                      b = schema.findParameter("b", "int32");
  EXPECT_EQ(rows.entry(a, 0), Json::parse("[1]"));
  EXPECT_EQ(rows.entry(b, 0), Json::parse("[2, 3]"));
  EXPECT_EQ(rows.entry(b, 1), Json::parse("[4, 5, 6]"));
  EXPECT_TRUE(rows.window().isPresent(a, 0));
  EXPECT_FALSE(rows.window().isPresent(a, 1));
}

TEST(FrameSource, refusesOtherNumbersOfKeysAndValues) {
  Stored stored;
  stored.lists = {0, 1, 3};
  const Frames frames(stored);
  const std::uint32_t a = frames.source.schema().findParameter("a", "int32");
  expectError(ErrorKind::corrupt, "has another number of keys than there are values",
              [&] { (void)test::RowsAsJson(frames.source).entry(a, 0); });
}

TEST(FrameSource, refusesSlicesThatCannotBe) {
  const auto refuse = [](const Numbers& begins, const Numbers& ends, std::string_view message) {
    Stored stored;
    stored.begins = begins;
    stored.ends = ends;
    const Frames frames(stored);
    expectError(ErrorKind::corrupt, message, [&] { (void)frames.tracks(0); });
  };
  refuse({0, 1, 0}, {1, 2, 4},
         "m:events: entry 1: '_Tracks_counts' has other rows than the slices");
  refuse({0, 2, 0}, {1, 1, 3}, "entry 0: '_Tracks_counts' has other rows than the slices");
  refuse({0, 0, 0}, {1, 2, 3}, "entry 0: '_Tracks_counts' has rows that are in several slices");
  refuse({0, 1, 0}, {1, 4'294'967'295, 3}, "entry 0");
}

TEST(FrameSource, refusesRelationsToOneOfAnotherNumber) {
  Stored stored;
  stored.seeds = {0, 1, 3};
  const Frames frames(stored);
  expectError(ErrorKind::corrupt,
              "m:events: entry 0: '_Tracks_seed' does not have one row for each object of 'Tracks'",
              [&] { (void)frames.tracks(0); });
}

TEST(FrameSource, turnsIdsIntoNumbersOfTables) {
  Stored stored;
  stored.hitCollections = {hitsId, tracksId, lostId, hitsId, 0};
  stored.hitIndices[3] = -7;
  const Frames frames(stored);
  detail::Window window(frames.source);
  const Schema& schema = frames.source.schema();
  const auto read = [&]<class T>(std::string_view name, T /*type*/) {
    const auto [table, member] = schema.memberNamed(name);
    const auto [first, last] = std::pair{window.rows(table, 0).first, window.rows(table, 1).second};
    const ColumnView view = window.member(table, member, 0);
    std::vector<T> all;
    for (std::size_t row = first; row < last; ++row)
      all.push_back(*reinterpret_cast<const T*>(view.at(row)));
    return all;
  };
  const std::uint32_t hits = schema.find("Hits"), tracks = schema.find("Tracks");
  EXPECT_EQ(read("Tracks.hits.index", std::int32_t{}), (std::vector{0, 1, -1, -1, -1}));
  EXPECT_EQ(read("Tracks.hits.collection", std::uint32_t{}),
            (Numbers{hits, tracks, tracks, hits, hits})); // null: the one before
  EXPECT_EQ(read("Tracks.seed.index", std::int32_t{}), (std::vector{1, -1, 0}));
  EXPECT_TRUE(
      window.page(schema.place(schema.find("Tracks.seed"), detail::relationCollection).column, 0)
          .isRepeated); // all lead to hits
}

TEST(FrameSource, hasLinksThatNoModelHas) {
  const Frames frames{Stored()};
  const Schema& schema = frames.source.schema();
  EXPECT_EQ(schema.table(schema.find("Links")).type, "kaon::Link<t::Hit,t::Track>");
  EXPECT_EQ(schema.table(schema.find("Links.to")).type, "t::Track");
  const Json links = test::RowsAsJson(frames.source).entry(schema.find("Links"), 0);
  EXPECT_EQ(links[0]["weight"], 0.5);
  EXPECT_EQ(links[0]["from"],
            (Json{{"index", 1}, {"collection", std::uint32_t{schema.find("Hits")}}}));
  EXPECT_EQ(links[1]["from"]["index"], -1);
  EXPECT_EQ(links[1]["to"],
            (Json{{"index", 1}, {"collection", std::uint32_t{schema.find("Tracks")}}}));
}

TEST(FrameSource, leavesACollectionOfWhichAPartIsMissingAsItIs) {
  test::Warnings warnings;
  Stored stored;
  stored.hasSeeds = false;
  const Frames frames(stored);
  EXPECT_EQ(frames.source.schema().table(frames.source.schema().find("Tracks")).members.size(), 5U);
  EXPECT_NE(frames.source.schema().find("_Tracks_hits"), Table::none);
  EXPECT_EQ(
      test::RowsAsJson(frames.source).entry(frames.source.schema().find("Tracks"), 1)[0]["chi2"],
      3.0);
  EXPECT_EQ(warnings.take().size(), 1U);
}

TEST(FrameSource, leavesAnyNumberOfCollectionsAsTheyAre) {
  constexpr std::uint32_t count = 10'000;
  const Numbers none{0, 0};
  const std::vector<float> numbers;
  Columns columns(1);
  std::vector<CollectionDescription> collections;
  for (std::uint32_t i = 0; i < count; ++i) {
    columns.add("Hits" + std::to_string(i), none, {{"energy", numbers}});
    collections.push_back({i, "Hits" + std::to_string(i), "t::HitCollection", false});
  }
  for (std::uint32_t i = 0; i < count; ++i) { // only the first of their tables exists
    columns.add("Tracks" + std::to_string(i), none, {{"chi2", numbers}});
    collections.push_back({count + i, "Tracks" + std::to_string(i), "t::TrackCollection", false});
  }
  const auto file = memory::MemoryFile::make("m");
  const auto sink = file->sink();
  sink->write("events", columns.batch());
  sink->finish();
  const test::Warnings warnings;
  const ModelDatatypes datatypes(detail::modelDocuments(
      std::vector<detail::ModelDefinition>{{"t", std::string(model), ""}}, "m"));
  const FrameTables tables = makeFrameTables(file->category("events"), collections, datatypes);
  EXPECT_EQ(tables.schema.size(), 2 * count);
  EXPECT_EQ(tables.numbers.size(), count);
}

TEST(FrameSource, keepsUnknownTables) {
  test::Warnings warnings;
  const Stored stored;
  const auto file = stored.file();
  const ModelDatatypes none({});
  const FrameSource source(
      file->category("events"),
      makeFrameTables(
          file->category("events"),
          std::vector<CollectionDescription>{{hitsId, "Hits", "t::HitCollection", false}}, none));
  EXPECT_NE(source.schema().find("_Tracks_hits"), Table::none);
  EXPECT_EQ(test::RowsAsJson(source).entry(source.schema().find("Hits"), 1),
            Json::parse(R"([{"energy": 7.0}, {"energy": 8.0}])"));
  const auto messages = warnings.take();
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_TRUE(messages[0].starts_with("m:events: the collection 'Hits' is not as podio writes it: "
                                      "no model has a datatype 't::Hit'"))
      << messages[0];
}

} // namespace
} // namespace kaon::root::podio
