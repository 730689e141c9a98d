#include <kaon/formats/sio/SioFile.h>

#include <kaon/base/Warning.h>
#include <kaon/detail/reading/Window.h>
#include <kaon/reading/Batches.h>
#include <kaon/reading/ColumnReader.h>

#include "support/DataFiles.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/OldLcio.h"
#include "support/PodioContents.h"
#include "support/RowsAsJson.h"
#include "support/Sanitizers.h"
#include "support/SioBytes.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::sio {
namespace {

using test::expectError;
using test::Json;
using test::lcioEvent;
using test::lcioParticle;
using test::sioNumbers;
using test::sioText;
using test::sioVersion;

std::unique_ptr<File> opened(std::string_view bytes) {
  return openSioFile(io::memorySource("f.slcio", std::as_bytes(std::span(bytes))), {});
}

/// Returns all entries of a table.
Json rowsOf(const Source& source, const std::string& table) {
  test::RowsAsJson rows(source);
  Json all = Json::array();
  for (std::uint64_t entry = 0; entry < source.entries(); ++entry)
    all.push_back(rows.entry(source.schema().tableNamed(table), entry));
  return all;
}
Json rowsOf(std::string_view bytes, const std::string& table) {
  const auto file = opened(bytes);
  return rowsOf(file->category("events"), table);
}

/// Returns a member of all rows in all entries, one after another.
Json column(std::string_view bytes, const std::string& table, const std::string& path) {
  Json all = Json::array();
  const Json rows = rowsOf(bytes, table);
  for (const Json& entry : rows)
    for (const Json& row : entry)
      all.push_back(row.at(Json::json_pointer(path)));
  return all;
}

/// Returns the targets of all rows in all entries, one after another: "MCParticle 2".
Json references(std::string_view bytes, const std::string& table, const std::string& relation) {
  const auto file = opened(bytes);
  const Schema& schema = file->category("events").schema();
  Json all = Json::array();
  for (const Json& row : column(bytes, table, "/" + relation)) {
    Json of = Json::array();
    for (const Json& each : row.is_array() ? row : Json::array({row}))
      of.push_back(std::string(schema.table(each["collection"].get<std::uint32_t>()).name) + " " +
                   std::to_string(each["index"].get<int>()));
    all.push_back(of);
  }
  return all;
}

constexpr std::uint32_t hasEndpoint = 1U << 31, ownVertex = 1U << 28;

/// A particle, two daughters, and a daughter of both.
const std::string family =
    sioNumbers(4) + lcioParticle(3, 25, {}) + lcioParticle(9, 15, {3}, ownVertex, 1.5) +
    lcioParticle(5, -15, {3}, 0, 2.5) + lcioParticle(~0U, 211, {9, 5}, hasEndpoint);

std::string hitsOf(const std::vector<std::uint32_t>& particles) {
  std::string bytes = sioNumbers(static_cast<std::int32_t>(particles.size()));
  for (const std::uint32_t particle : particles)
    bytes += sioNumbers(1) + sioNumbers(1.0, 2.0, 3.0) +
             sioNumbers(0.5F, 1.5F, particle, 0, ~0U); // eDep, time, pointer, quality, tag
  return bytes;
}

const std::string oldFile = test::lcioOfVersion1();

std::string smallFile(bool isCompressed = false) {
  return test::lcioRun(7) +
         lcioEvent(1,
                   {{"Hits", "SimTrackerHit", 0, hitsOf({5, 0, 3})},
                    {"MCParticle", "MCParticle", 0, family},
                    {"Stable", "MCParticle_References", 1U << 18, sioNumbers(2, 9, 3)}},
                   isCompressed) +
         lcioEvent(2, {{"MCParticle", "MCParticle", 0, sioNumbers(0)}}, isCompressed);
}

TEST(LcioFile, hasHeadersAsValues) {
  const std::string bytes = smallFile();
  EXPECT_EQ(rowsOf(bytes, "runNumber"), Json::parse(R"([7,7])"));
  EXPECT_EQ(rowsOf(bytes, "eventNumber"), Json::parse(R"([1,2])"));
  EXPECT_EQ(rowsOf(bytes, "timeStamp"), Json::parse(R"([1001,1002])"));
  EXPECT_EQ(rowsOf(bytes, "weight"), Json::parse(R"([1.0,1.0])"));
  const auto file = opened(bytes);
  EXPECT_EQ(rowsOf(file->category("runs"), "activeSubdetectors"),
            Json::parse(R"([["VXD","TPC"]])"));
}

TEST(LcioFile, findsObjectsByTheirNumbers) {
  for (const bool isCompressed : {false, true}) {
    const std::string bytes = smallFile(isCompressed);
    EXPECT_EQ(references(bytes, "MCParticle", "parents"),
              Json::parse(R"([[], ["MCParticle 0"], ["MCParticle 0"],
                              ["MCParticle 1", "MCParticle 2"]])"));
    EXPECT_EQ(column(bytes, "Hits", "/particle/index"), Json({2, -1, 0}));
    EXPECT_EQ(references(bytes, "Stable", "object"),
              Json::parse(R"([["MCParticle 1"], ["MCParticle 0"]])"));
  }
}

/// SIO does not count the padding of a record, but some writers do.
TEST(LcioFile, readsRecordsWhoseLengthsIncludePadding) {
  for (int length = 1; length <= 4; ++length) { // of a name, so that paddings differ
    const std::string run = sioNumbers(7) + sioText(std::string(length, 'x')) + sioText("a run") +
                            sioNumbers(0) + test::lcioNoParameters();
    const std::string bytes =
        test::sioRecord("LCRunHeader", test::sioBlock("RunHeader", run), true, true) +
        lcioEvent(1, {});
    const auto file = opened(bytes);
    EXPECT_EQ(rowsOf(file->category("runs"), "runNumber"), Json({7}));
  }
}

TEST(LcioFile, findsDaughtersAndEndpoints) {
  EXPECT_EQ(references(smallFile(), "MCParticle", "daughters"),
            Json::parse(R"([["MCParticle 1", "MCParticle 2"], ["MCParticle 3"],
                            ["MCParticle 3"], []])"));
  // The first daughter has its own vertex; the last particle has an endpoint in the file.
  EXPECT_EQ(column(smallFile(), "MCParticle", "/endpoint/x"), Json({2.5, 0., 0., 7.}));
  EXPECT_EQ(column(smallFile(), "MCParticle", "/momentumAtEndpoint/z"), Json({0., 0., 0., 6.}));
}

// Daughters may be in other collections than their parents.
TEST(LcioFile, findsDaughtersInOtherCollections) {
  const std::string bytes =
      lcioEvent(1, {{"Backward", "MCParticle", 0, sioNumbers(1) + lcioParticle(11, 13, {3})},
                    {"MCParticle", "MCParticle", 0, family},
                    {"Secondary", "MCParticle", 0,
                     sioNumbers(2) + lcioParticle(12, 22, {3}) + lcioParticle(13, 11, {12, 11})}}) +
      lcioEvent(2, {{"MCParticle", "MCParticle", 0, family},
                    {"Secondary", "MCParticle", 0, sioNumbers(1) + lcioParticle(12, 22, {9})}});
  EXPECT_EQ(references(bytes, "MCParticle", "daughters"),
            Json::parse(R"([["Backward 0", "MCParticle 1", "MCParticle 2", "Secondary 0"],
                            ["MCParticle 3"], ["MCParticle 3"], [],
                            ["MCParticle 1", "MCParticle 2"], ["MCParticle 3", "Secondary 0"],
                            ["MCParticle 3"], []])"));
  EXPECT_EQ(references(bytes, "Secondary", "daughters"),
            Json::parse(R"([["Secondary 1"], [], []])"));
  EXPECT_EQ(references(bytes, "Backward", "daughters"), Json::parse(R"([["Secondary 1"]])"));
}

TEST(LcioFile, isWithoutCollectionsThatAnEventDoesNotHave) {
  const std::string bytes = smallFile();
  const auto file = opened(bytes);
  const Source& events = file->category("events");
  detail::Window window(events);
  EXPECT_TRUE(window.isPresent(events.schema().tableNamed("Hits"), 0));
  EXPECT_FALSE(window.isPresent(events.schema().tableNamed("Hits"), 1));
  EXPECT_TRUE(window.isPresent(events.schema().tableNamed("MCParticle"), 1));
}

TEST(LcioFile, readsOlderVersions) {
  constexpr std::uint32_t version = sioVersion(2, 6); // no momentum at the endpoint, no doubles
  const std::string particle = lcioParticle(3, 25, {}, hasEndpoint);
  const std::size_t momentum = particle.size() - 5 * 4 - 3 * 4;
  const std::string old = particle.substr(0, momentum) + particle.substr(momentum + 12);
  const std::string bytes =
      lcioEvent(1, {{"MCParticle", "MCParticle", 0, sioNumbers(1) + old}}, false, version);
  EXPECT_EQ(column(bytes, "MCParticle", "/endpoint/z"), Json({9.}));
  EXPECT_EQ(column(bytes, "MCParticle", "/momentumAtEndpoint/x"), Json({0.}));
  EXPECT_EQ(column(bytes, "MCParticle", "/spin/z"), Json({1.}));
}

TEST(LcioFile, readsTheFirstVersion) {
  const std::string& bytes = oldFile;
  EXPECT_EQ(rowsOf(opened(bytes)->category("runs"), "activeSubdetectors"),
            Json::parse(R"([["VXD","TPC"]])"));
  EXPECT_EQ(column(bytes, "MCParticle", "/PDG"), Json({25, 15}));
  EXPECT_EQ(column(bytes, "MCParticle", "/momentum/z"), Json({3., 3.}));
  EXPECT_EQ(column(bytes, "MCParticle", "/time"), Json({0., 0.}));
  EXPECT_EQ(column(bytes, "MCParticle", "/endpoint/z"), Json({0., 9.}));
  EXPECT_EQ(references(bytes, "MCParticle", "daughters"), Json::parse(R"([["MCParticle 1"], []])"));
  EXPECT_EQ(column(bytes, "SimHits", "/momentum/z"), Json({8., 9.}));
  EXPECT_EQ(column(bytes, "SimHits", "/particle/index"), Json({1, 0}));
  EXPECT_EQ(references(bytes, "Hits", "rawHits"), Json::parse(R"([["Raw 1"]])"));
  EXPECT_EQ(column(bytes, "Hits", "/time"), Json({8.}));
  EXPECT_EQ(column(bytes, "Hits", "/cellID0"), Json({0}));
  const Json track = rowsOf(bytes, "Tracks")[0][0];
  ASSERT_EQ(track["trackStates"].size(), 1U);
  EXPECT_EQ(track["trackStates"][0]["tanLambda"], 5.);
  EXPECT_EQ(track["trackStates"][0]["referencePoint"]["z"], 9.);
  EXPECT_EQ(track["radiusOfInnermostHit"], 14.);
  EXPECT_EQ(track["subdetectorHitNumbers"], Json({15}));
  EXPECT_EQ(references(bytes, "Tracks", "trackerHits"), Json::parse(R"([["Hits 0"]])"));
  EXPECT_EQ(rowsOf(bytes, "Clusters")[0][0]["shape"], Json({1., 2., 3., 4., 5., 6.}));
  EXPECT_EQ(rowsOf(bytes, "Clusters")[0][0]["particleIDs"], Json::array());
  EXPECT_EQ(references(bytes, "Clusters", "hits"), Json::parse(R"([["Calo 0"]])"));
  EXPECT_EQ(column(bytes, "Calo", "/rawHit/index"), Json({-1}));
  EXPECT_EQ(column(bytes, "Calo", "/position/z"), Json({4.}));
  EXPECT_EQ(rowsOf(bytes, "Vecs"), Json::parse(R"([[{"values":[8,9]}]])"));
}

/// LCIO 1.3 inverted the bit that tells whether hits have numbers.
TEST(LcioFile, givesTheFlagsOfOldVersionsTheirCurrentMeaning) {
  EXPECT_EQ(rowsOf(oldFile, "Calo__flag"), Json::parse("[[-2147483648]]"));
  EXPECT_EQ(rowsOf(oldFile, "Raw__flag"), Json::parse("[[0]]"));
  EXPECT_EQ(rowsOf(oldFile, "SimHits__flag"), Json::parse("[[1073741824]]"));
}

TEST(LcioFile, readsReconstructedParticlesWithoutVertices) {
  const std::string particle =
      sioNumbers(4, 1.F, 2.F, 3.F, 5.F) +
      sioNumbers(0.F, 0.F, 0.F, 0.F, 0.F, 0.F, 0.F, 0.F, 0.F, 0.F) +
      sioNumbers(6.F, 1.F, 0.F, 0.F, 0.F) + // mass, charge, reference point
      sioNumbers(1, 0.5F, 1, 211, 2, 0, 81U, 81U, 0.75F, 0, 0, 0, 82U);
  const auto eventOf = [&](std::uint32_t version) {
    return lcioEvent(1, {{"Jets", "ReconstructedParticle", 0, sioNumbers(1) + particle}}, false,
                     version);
  };
  const std::string bytes = eventOf(sioVersion(1, 7));
  EXPECT_EQ(column(bytes, "Jets", "/startVertex/index"), Json({-1}));
  EXPECT_EQ(column(bytes, "Jets", "/goodnessOfPID"), Json({0.75}));
  EXPECT_EQ(references(bytes, "Jets", "particleIDUsed"),
            Json::parse(R"([["Jets_particleIDs 0"]])"));
  const std::string old = eventOf(sioVersion(1, 2)); // LCIO never released this layout
  const auto file = opened(old);
  const auto unreadable = file->category("events").unreadable();
  ASSERT_EQ(unreadable.size(), 1U);
  EXPECT_EQ(unreadable[0].reason,
            "kaon does not read ReconstructedParticle of LCIO's versions up to 1.2");
}

TEST(LcioFile, refusesVersionsThatItDoesNotKnow) {
  for (const std::uint32_t version : {sioVersion(0, 8), sioVersion(3, 0)}) {
    const std::string bytes =
        lcioEvent(1, {{"MCParticle", "MCParticle", 0, family}}, false, version);
    expectError(ErrorKind::version, "kaon reads versions from 0.9 up to 2.x",
                [&] { (void)opened(bytes)->category("events"); });
  }
  const std::string other = test::sioRecord("Other", test::sioBlock("x", sioNumbers(1)));
  expectError(ErrorKind::version, "f.slcio: is a SIO file, but neither of LCIO nor of podio",
              [&] { (void)opened(other); });
}

/// Only requested data are decoded, so a damaged collection does not affect others.
TEST(LcioFile, decodesOnlyCollectionsThatAreRead) {
  const std::string bytes =
      lcioEvent(1, {{"MCParticle", "MCParticle", 0, family},
                    {"Tracks", "Track", 0, sioNumbers(1, 2)}}); // data are too short
  EXPECT_EQ(column(bytes, "MCParticle", "/PDG"), Json({25, 15, -15, 211}));
  expectError(ErrorKind::corrupt, "f.slcio: record at byte ",
              [&] { (void)rowsOf(bytes, "Tracks"); });
  expectError(ErrorKind::corrupt, "block 'Tracks': ends too early",
              [&] { (void)rowsOf(bytes, "Tracks"); });
}

TEST(LcioFile, readsRunsBesideOneThatIsDamaged) {
  std::string damaged = test::lcioRun(8);
  damaged[24 + 12 + 16] ^= 1; // in the name of its block
  const std::string bytes = test::lcioRun(7) + damaged + lcioEvent(1, {});
  const auto file = opened(bytes);
  test::RowsAsJson rows(file->category("runs"));
  const std::uint32_t number = file->category("runs").schema().tableNamed("runNumber");
  EXPECT_EQ(rows.entry(number, 0), Json(7));
  expectError(ErrorKind::corrupt, "f.slcio: record at byte ", [&] { (void)rows.entry(number, 1); });
}

TEST(LcioFile, readsWholeEventsOfOneThatWasCut) {
  test::Warnings warnings;
  const std::string whole = smallFile();
  const std::size_t second = smallFile().size() - 10;
  const std::string bytes = whole.substr(0, second);
  const auto file = opened(bytes);
  EXPECT_FALSE(file->isComplete());
  EXPECT_EQ(file->category("events").entries(), 1U);
  EXPECT_EQ(warnings.kinds(), std::vector{WarningKind::incompleteFile});
}

TEST(LcioFile, readsWholeEventsOfOneThatEndsWithAHeader) {
  test::Warnings warnings;
  const std::string event = lcioEvent(1, {}), header = event.substr(0, event.rfind("LCEvent") - 24);
  const std::string bytes = event + header;
  const auto file = opened(bytes);
  EXPECT_FALSE(file->isComplete());
  EXPECT_EQ(file->category("events").entries(), 1U);
  EXPECT_EQ(warnings.kinds(), std::vector{WarningKind::incompleteFile});
}

TEST(LcioFile, reportsCollectionsThatItDoesNotRead) {
  const std::string bytes = lcioEvent(1, {{"Mine", "MyOwnType", 0, sioNumbers(0)},
                                          {"Vecs", "LCIntVec", 0, sioNumbers(0)}}) +
                            lcioEvent(2, {{"Vecs", "LCFloatVec", 0, sioNumbers(0)}});
  const auto file = opened(bytes);
  const auto unreadable = file->category("events").unreadable();
  ASSERT_EQ(unreadable.size(), 2U);
  EXPECT_EQ(unreadable[0].name, "Mine");
  EXPECT_EQ(unreadable[0].reason, "its type is not one of LCIO's own");
  EXPECT_EQ(unreadable[1].name, "Vecs");
  EXPECT_EQ(unreadable[1].reason, "its type is not the same in all events");
}

TEST(LcioFile, leavesReferencesToNothingEmpty) {
  test::Warnings warnings;
  const std::string bytes = lcioEvent(
      1, {{"Hits", "SimTrackerHit", 0, hitsOf({5, 77})}, {"MCParticle", "MCParticle", 0, family}});
  EXPECT_EQ(column(bytes, "Hits", "/particle/index"), Json({2, -1}));
  const auto messages = warnings.take();
  ASSERT_EQ(messages.size(), 1U);
  test::expectContains(messages[0], "Hits.particle refers to objects");
}

// If the program turns the warning into an exception and continues, the page stays as it was read.
TEST(LcioFile, leavesReferencesToNothingEmptyWhereTheWarningIsThrown) {
  setWarningHandler([](WarningKind, std::string_view message) {
    throw std::runtime_error(std::string(message));
  });
  const std::string bytes = lcioEvent(1, {{"Hits", "SimTrackerHit", 0, hitsOf({5, 77, 3})},
                                          {"MCParticle", "MCParticle", 0, family}});
  const auto file = opened(bytes);
  const Source& events = file->category("events");
  detail::Window window(events);
  const std::uint32_t column =
      events.schema()
          .place(events.schema().tableNamed("Hits.particle"), detail::relationIndex)
          .column;
  EXPECT_THROW((void)window.page(column, 0), std::runtime_error);
  const auto* const indexes = reinterpret_cast<const std::int32_t*>(window.page(column, 0).data);
  EXPECT_EQ(std::vector(indexes, indexes + 3), (std::vector{2, -1, 0}));
  setWarningHandler({});
}

TEST(LcioFile, hasParametersOfEventsAndCollections) {
  const std::string ofEvent = sioNumbers(1) + sioText("n") + sioNumbers(2, 3, -4) + // integers
                              sioNumbers(1) + sioText("_weight") + sioNumbers(1, 0.5F) +
                              sioNumbers(1) + sioText("d") + sioNumbers(1, 0.1) + sioNumbers(1) +
                              sioText("s") + sioNumbers(2) + sioText("") + sioText("text");
  const std::string ofCollection =
      sioNumbers(0, 0, 0, 1) + sioText("CellIDEncoding") + sioNumbers(1) + sioText("layer:8");
  std::string bytes =
      lcioEvent(1, {{"Vecs", "LCIntVec", 3, sioNumbers(1, 2, 8, 9, ~0U), ofCollection}}, false,
                sioVersion(2, 23), ofEvent);
  EXPECT_EQ(rowsOf(bytes, "n"), Json::parse(R"([[3,-4]])"));
  EXPECT_EQ(rowsOf(bytes, "weight"), Json::parse(R"([0.5])"));
  EXPECT_EQ(rowsOf(bytes, "d"), Json::parse(R"([[0.1]])"));
  EXPECT_EQ(rowsOf(bytes, "s"), Json::parse(R"([["","text"]])"));
  EXPECT_EQ(rowsOf(bytes, "Vecs__flag"), Json::parse(R"([[3]])"));
  EXPECT_EQ(rowsOf(bytes, "Vecs__CellIDEncoding"), Json::parse(R"([["layer:8"]])"));
  EXPECT_EQ(rowsOf(bytes, "Vecs"), Json::parse(R"([[{"values":[8,9]}]])"));
}

/// The counts of a page are kept while its values are read.
TEST(LcioFile, isReadInOnePiece) {
  std::string bytes;
  for (int event = 0; event < 1000; ++event)
    bytes += lcioEvent(event, {{"MCParticle", "MCParticle", 0, family}});
  const auto file = opened(bytes);
  ColumnReader reader(file->category("events"), {"MCParticle"});
  std::vector<std::int32_t> pdgs(reader.rows("MCParticle"));
  std::vector<std::int64_t> offsets(reader.rowsAbove("MCParticle.parents") + 1);
  reader.setValues("MCParticle.PDG", std::span(pdgs));
  reader.setOffsets("MCParticle.parents", offsets);
  reader.read();
  ASSERT_EQ(pdgs.size(), 4000U);
  EXPECT_EQ(pdgs[3999], 211);
  EXPECT_EQ(offsets[3998], 4 * 999 + 1); // of the second daughter
  EXPECT_EQ(offsets[4000], 4000);
}

/// Remote files are not mapped.
TEST(LcioFile, isReadWithoutAMap) {
  const test::TemporaryDirectory directory;
  const std::string bytes = smallFile(true);
  test::writeFile(directory / "f.slcio", bytes);
  for (const std::size_t budget : {std::size_t{0}, std::size_t{1} << 20}) {
    OpenOptions options;
    options.memoryBudget = budget;
    const auto file = openSioFile(io::fileSource(directory / "f.slcio", MapUse::never), options);
    const Source& events = file->category("events");
    Batches batches = Batches::ofAll(events);
    std::size_t particles = 0;
    while (batches.next())
      particles += batches.batch().table(events.schema().tableNamed("MCParticle")).rows;
    EXPECT_EQ(particles, 4U);
  }
}

/// Each thread has its own window.
TEST(LcioFile, isReadBySeveralThreads) {
  constexpr int count = test::isSanitized ? 300 : 2000;
  std::string bytes;
  for (int event = 0; event < count; ++event)
    bytes += lcioEvent(event, {{"MCParticle", "MCParticle", 0, family}}, event % 2 == 0);
  const auto file = opened(bytes);
  const Source& events = file->category("events");
  const Json expected = rowsOf(events, "MCParticle");
  std::vector<std::future<Json>> found;
  for (int i = 0; i < 4; ++i)
    found.push_back(std::async(std::launch::async, [&] { return rowsOf(events, "MCParticle"); }));
  for (auto& each : found)
    EXPECT_EQ(each.get(), expected);
}

/// Compares headers with those that LCIO reads from a sample. Python tests compare the collections.
TEST(LcioFile, hasTheHeadersThatLcioReads) {
  for (const std::string sample : {"lcio_3", "lcio_3_raw"}) {
    const auto path = test::sharedFile("podio/" + sample + ".slcio");
    if (!path)
      GTEST_SKIP() << test::noSharedFiles;
    const Json expected = Json::parse(test::readFile(*test::sharedFile("podio/lcio_3.json")));
    const auto file = openSioFile(io::fileSource(*path), {});
    const Source& events = file->category("events");
    ASSERT_EQ(events.entries(), expected["entries"]);
    EXPECT_TRUE(events.unreadable().empty());
    for (const char* const name : {"runNumber", "eventNumber", "timeStamp", "weight"}) {
      const Json found = rowsOf(events, name);
      for (std::size_t entry = 0; entry < found.size(); ++entry)
        EXPECT_EQ(found[entry], expected[name][entry]) << name;
    }
    EXPECT_EQ(file->category("runs").entries(), expected["runs"].size());
  }
}

} // namespace
} // namespace kaon::sio
