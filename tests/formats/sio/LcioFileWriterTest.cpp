#include <kaon/formats/sio/lcio/LcioFileWriter.h>

#include <kaon/batch/Columns.h>
#include <kaon/formats/sio/SioContainer.h>
#include <kaon/formats/sio/SioFile.h>
#include <kaon/reading/Batches.h>
#include <kaon/writing/BatchWriter.h>

#include "support/Errors.h"
#include "support/RowsAsJson.h"
#include "support/SioBytes.h"
#include "support/Tables.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Contents of LCIO files are written and read again. tests/python/test_lcio_files.py compares files
// that LCIO wrote byte by byte.

namespace kaon::sio::lcio {
namespace {

using test::expectError;
using test::Json;
using test::lcioEvent;
using test::lcioParticle;
using test::sioNumbers;
using test::sioText;

std::unique_ptr<File> opened(std::span<const std::byte> bytes) {
  return openSioFile(io::memorySource("f.slcio", bytes), {});
}

/// Returns the contents of a category by the names of tables.
Json contentsOf(const Source& source) {
  test::RowsAsJson rows(source);
  Json all = Json::object();
  for (std::uint32_t table = 0; table < source.schema().size(); ++table)
    for (std::uint64_t entry = 0; entry < source.entries(); ++entry)
      if (source.schema().table(table).isRoot() && rows.window().isPresent(table, entry))
        all[std::string(source.schema().table(table).name)][entry] = rows.entry(table, entry);
  return all;
}

/// Returns a file with the contents of another one.
Buffer rewritten(const File& file, Compression codec) {
  Buffer bytes;
  LcioFileWriter writer(io::memorySink("out.slcio", bytes), {.codec = codec});
  for (const std::string& category : file.categories())
    for (Batches batches = Batches::ofAll(file.category(category)); batches.next();)
      writer.write(category, batches.batch());
  writer.finish();
  return bytes;
}

std::string vertex(std::int32_t algorithm, bool isPrimary) {
  return sioNumbers(static_cast<std::uint8_t>(isPrimary ? 1 : 0)) + sioNumbers(algorithm) +
         sioNumbers(0.5F, 0.25F, 1.F, 2.F, 3.F, 1.F, 2.F, 3.F, 4.F, 5.F, 6.F) + sioNumbers(0) +
         sioNumbers(0U, ~0U); // parameters, particle, tag
}

std::string smallFile() {
  const std::string particles = sioNumbers(3) + lcioParticle(40, 25, {}) +
                                lcioParticle(20, 22, {40}, 1U << 31) +
                                lcioParticle(30, 22, {40, 20});
  const std::string hits = sioNumbers(1, 4) + sioNumbers(0.5F) + sioNumbers(2) +
                           sioNumbers(20U, 0.25F, 1.5F) + sioNumbers(30U, 0.5F, 2.5F) +
                           sioNumbers(~0U);
  const std::string algorithms = sioNumbers(0, 0, 0, 1) + sioText("_lcio.VertexAlgorithmTypes") +
                                 sioNumbers(2) + sioText("fit") + sioText("seed");
  const std::string strings = sioNumbers(1, 2) + sioText("") + sioText("text") + sioNumbers(~0U);
  const std::string relation = sioNumbers(1) + sioNumbers(20U, 40U) + sioNumbers(0.5F);
  const std::string adc = sioNumbers(1, 4, 0, 3) +
                          sioNumbers(std::int16_t{1}, std::int16_t{-2}, std::int16_t{3}) +
                          sioNumbers(~0U);
  const std::string generic = sioNumbers(1, 2, 0) + sioNumbers(2) + sioNumbers(5, 1.5F, 2.5F, ~0U) +
                              sioNumbers(6, 3.5F, 4.5F, ~0U);
  return test::lcioRun(7) +
         lcioEvent(1, {{"Adc", "TrackerRawData", 0, adc},
                       {"Generic", "LCGenericObject", 1U << 31, generic},
                       {"Hits", "SimCalorimeterHit", 0, hits},
                       {"Links", "LCRelation", 1U << 31, relation},
                       {"MCParticle", "MCParticle", 0, particles},
                       {"Stable", "MCParticle_References", 1U << 18, sioNumbers(2, 30, 20)},
                       {"Strings", "LCStrVec", 0, strings},
                       {"Vertices", "Vertex", 0, sioNumbers(2) + vertex(1, true) + vertex(0, false),
                        algorithms}}) +
         lcioEvent(2, {{"MCParticle", "MCParticle", 0, sioNumbers(0)}});
}

TEST(LcioFileWriter, writesEventsThatAreReadBack) {
  const std::string bytes = smallFile();
  const auto file = opened(std::as_bytes(std::span(bytes)));
  for (const Compression codec : {uncompressed(), zlib(6), zstd(1)}) {
    const Buffer copy = rewritten(*file, codec);
    const auto again = opened(copy.bytes());
    EXPECT_TRUE(again->isComplete());
    for (const std::string& category : file->categories())
      EXPECT_EQ(contentsOf(again->category(category)), contentsOf(file->category(category)))
          << category;
  }
}

TEST(LcioFileWriter, writesTheSameBytesButForNumbersOfObjects) {
  const std::string bytes = smallFile();
  const Buffer copy = rewritten(*opened(std::as_bytes(std::span(bytes))), uncompressed());
  ASSERT_GT(copy.size(), bytes.size()); // the copy has an index
  std::size_t different = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    different += static_cast<std::byte>(bytes[i]) == copy.bytes()[i] ? 0 : 1;
  // 40, 20 and 30 become 1, 2 and 3: in three numbers, three parents, and the references to them.
  EXPECT_EQ(different, 12U);
}

/// Returns a file with a batch of events.
Buffer written(const Batch& batch) {
  Buffer bytes;
  LcioFileWriter writer(io::memorySink("out.slcio", bytes), {});
  writer.write("events", batch);
  writer.finish();
  return bytes;
}

Columns columnOf(std::string_view name, std::span<const std::int32_t> values) {
  Columns columns(values.size());
  columns.add(name, values);
  return columns;
}

/// LCIO's programs expect the header of a run before its events. Events are written later because
/// they fill clusters.
TEST(LcioFileWriter, putsHeadersOfRunsBeforeTheirEvents) {
  const std::vector<std::int32_t> runs{7, 6, 8, 9}, events{7, 7, 8};
  Buffer bytes;
  {
    BatchWriter writer(
        std::make_unique<LcioFileWriter>(io::memorySink("out.slcio", bytes), SinkOptions{}), {});
    writer.write("runs", columnOf("runNumber", runs).batch());
    writer.write("events", columnOf("runNumber", events).batch());
  }
  const SioContainer records(io::memorySource("out.slcio", bytes.bytes()), {});
  std::vector<std::string> headers;
  for (const SioRecordLocator& record : records.records())
    if (records.nameOf(record) == "LCRunHeader" || records.nameOf(record) == "LCEventHeader")
      headers.push_back(records.nameOf(record).substr(2));
  EXPECT_EQ(headers,
            (std::vector<std::string>{"RunHeader", "EventHeader", "EventHeader", "RunHeader",
                                      "RunHeader", "EventHeader", "RunHeader"}));
  const auto file = opened(bytes.bytes());
  EXPECT_EQ(contentsOf(file->category("runs"))["runNumber"], Json(runs));
  EXPECT_EQ(contentsOf(file->category("events"))["runNumber"], Json(events));
}

/// Parameters of a frame become fields of headers.
TEST(LcioFileWriter, takesHeadersFromParameters) {
  const std::vector<std::int32_t> runs{7, 8}, events{1, 2};
  const std::vector<double> weights{0.5, 1};
  Columns columns(2);
  columns.add("runNumber", runs);
  columns.add("eventNumber", events);
  columns.add("weight", weights);
  const Buffer bytes = written(columns.batch());
  const Json contents = contentsOf(opened(bytes.bytes())->category("events"));
  EXPECT_EQ(contents["runNumber"], Json({7, 8}));
  EXPECT_EQ(contents["eventNumber"], Json({1, 2}));
  EXPECT_EQ(contents["weight"], Json({0.5, 1.}));
}

TEST(LcioFileWriter, takesHeadersFromNarrowerTypes) {
  const std::vector<std::uint16_t> runs{40000};
  const std::vector<std::int32_t> times{-3};
  const std::vector<float> weights{0.5F};
  Columns columns(1);
  columns.add("runNumber", runs);
  columns.add("timeStamp", times);
  columns.add("weight", weights);
  const Buffer bytes = written(columns.batch());
  const Json contents = contentsOf(opened(bytes.bytes())->category("events"));
  EXPECT_EQ(contents["runNumber"], Json({40000}));
  EXPECT_EQ(contents["timeStamp"], Json({-3}));
  EXPECT_EQ(contents["weight"], Json({0.5}));
}

TEST(LcioFileWriter, refusesHeadersOfWiderTypes) {
  const std::vector<double> numbers{1};
  const std::vector<std::int64_t> runs{1};
  Columns events(1), others(1);
  events.add("eventNumber", numbers);
  others.add("runNumber", runs);
  expectError(ErrorKind::usage,
              "cannot hold 'eventNumber': LCIO's headers have it as int32, not as float64",
              [&] { (void)written(events.batch()); });
  expectError(ErrorKind::usage,
              "cannot hold 'runNumber': LCIO's headers have it as int32, not as int64",
              [&] { (void)written(others.batch()); });
}

/// Parameters of events may have the names of fields in run headers, and the other way round.
TEST(LcioFileWriter, keepsParametersCalledAsOtherHeadersHaveThem) {
  const std::string event =
      lcioEvent(1, {}, false, test::sioVersion(2, 23),
                sioNumbers(0, 0, 0, 1) + sioText("description") + sioNumbers(1) + sioText("odd"));
  const auto file = opened(std::as_bytes(std::span(event)));
  const Buffer copy = rewritten(*file, uncompressed());
  EXPECT_EQ(contentsOf(opened(copy.bytes())->category("events")),
            contentsOf(file->category("events")));

  const std::vector<std::int32_t> runs{7};
  const std::vector<double> weights{2.5};
  Columns columns(1);
  columns.add("runNumber", runs);
  columns.add("weight", weights);
  Buffer bytes;
  LcioFileWriter writer(io::memorySink("out.slcio", bytes), {});
  writer.write("runs", columns.batch());
  writer.finish();
  EXPECT_EQ(contentsOf(opened(bytes.bytes())->category("runs"))["weight"], Json::parse("[[2.5]]"));
}

TEST(LcioFileWriter, refusesTablesThatLcioCannotHold) {
  const std::vector<std::int64_t> numbers{7};
  Columns columns(1);
  columns.add("many", numbers);
  Buffer bytes;
  LcioFileWriter writer(io::memorySink("out.slcio", bytes), {});
  expectError(ErrorKind::usage, "out.slcio: LCIO cannot hold 'many': LCIO's parameters are",
              [&] { writer.write("events", columns.batch()); });
  expectError(ErrorKind::usage, "an LCIO file has the categories 'events' and 'runs'",
              [&] { writer.write("frames", Columns(1).batch()); });
  expectError(ErrorKind::usage, "out.slcio: SIO's records are plain or zlib, not lz4",
              [&] { (void)LcioFileWriter(io::memorySink("out.slcio", bytes), {.codec = lz4()}); });
}

TEST(LcioFileWriter, refusesSeveralValuesForTheHeader) {
  const std::vector<std::uint32_t> begins{0, 1, 3};
  const std::vector<double> weights{0.5, 1.5, 2.5};
  Schema schema;
  schema.add(test::parameter("weight", Scalar::Float64));
  Batch batch(schema, 0, 2);
  batch.table(0) = {.rows = weights.size(),
                    .offsets = begins,
                    .present = {},
                    .members = {{reinterpret_cast<const std::byte*>(weights.data()), 8}}};
  expectError(ErrorKind::usage,
              "out.slcio: entry 1: 'weight' has 2 values; LCIO's headers have one",
              [&] { (void)written(batch); });
}

/// Returns the file with changes to the tables of its only event.
Buffer changed(const std::string& file, const auto& change) {
  const auto read = opened(std::as_bytes(std::span(file)));
  Batches batches = Batches::ofAll(read->category("events"));
  EXPECT_TRUE(batches.next());
  const Batch& own = batches.batch();
  Batch batch(own.schema(), own.firstEntry(), own.entries());
  for (std::uint32_t table = 0; table < own.schema().size(); ++table)
    batch.table(table) = own.table(table);
  change(batch);
  return written(batch);
}

/// LCIO stores the weight of an event as a parameter, in addition to kaon's value.
TEST(LcioFileWriter, writesTheWeightThatAProgramChanged) {
  const std::string file =
      lcioEvent(1, {}, false, test::sioVersion(2, 23),
                sioNumbers(0, 1) + sioText("_weight") + sioNumbers(1, 0.5F, 0, 0));
  const double weight = 2;
  const Buffer copy = changed(file, [&](Batch& batch) {
    batch.table(batch.schema().tableNamed("weight")).members[0] = {
        reinterpret_cast<const std::byte*>(&weight), sizeof weight};
  });
  const Json contents = contentsOf(opened(copy.bytes())->category("events"));
  EXPECT_EQ(contents["weight"], Json({2.}));
  EXPECT_EQ(contents["_weight"], Json::parse("[[2.0]]"));
}

TEST(LcioFileWriter, refusesWeightsOfHitsThatAClusterDoesNotHave) {
  const std::string cluster = sioNumbers(1, 1) + std::string(64, '\0') +
                              sioNumbers(0, 0, 0, 1, 0U, 0.5F, 0, ~0U); // a hit in no collection
  const std::vector<std::uint32_t> none{0, 0};
  expectError(ErrorKind::usage,
              "out.slcio: entry 0: 'Clusters.hitContributions' has more values than there are in "
              "'Clusters.hits'",
              [&] {
                (void)changed(
                    lcioEvent(1, {{"Clusters", "Cluster", 1U << 31, cluster}}), [&](Batch& batch) {
                      TableView& hits = batch.table(batch.schema().tableNamed("Clusters.hits"));
                      hits.rows = 0;
                      hits.offsets = none;
                    });
              });
}

TEST(LcioFileWriter, refusesObjectsThatCannotLieInTheOnesThatReferToThem) {
  const std::string hit = sioNumbers(1, 4) + sioNumbers(0.5F) + sioNumbers(1) +
                          sioNumbers(0U, 0.25F, 1.5F) + sioNumbers(~0U);
  const std::string particle = sioNumbers(1, 1) + std::string(76, '\0') +
                               sioNumbers(1, 0.5F, 1, 22, 3, 0, ~0U) + // its identification
                               sioNumbers(0U, 0.F, 0, 0, 0, 0U, ~0U);
  const std::string cluster = sioNumbers(1, 1) + std::string(64, '\0') +
                              sioNumbers(0, 1, 0.5F, 1, 22, 3, 0) + // one without a number
                              sioNumbers(0, 0, 0, ~0U);
  const std::string file = lcioEvent(1, {{"Clusters", "Cluster", 1U << 31, cluster},
                                         {"Hits", "SimCalorimeterHit", 0, hit},
                                         {"Particles", "ReconstructedParticle", 0, particle}});
  std::uint32_t collection = 0;
  const auto leadTo = [&](std::string_view name) {
    (void)changed(file, [&](Batch& batch) {
      collection = batch.schema().tableNamed(name);
      batch.table(batch.schema().tableNamed("Hits.contributions"))
          .members[detail::relationCollection] = {reinterpret_cast<const std::byte*>(&collection),
                                                  sizeof collection};
    });
  };
  leadTo("Hits_contributions");
  for (const auto& [name, type] : {std::pair("Particles_particleIDs", "lcio::ParticleID"),
                                   std::pair("Particles", "lcio::ReconstructedParticle")})
    expectError(ErrorKind::usage,
                std::string("entry 0: 'Hits.contributions' leads to an object of another type, '") +
                    type + "'",
                [&] { leadTo(name); });
}

} // namespace
} // namespace kaon::sio::lcio
