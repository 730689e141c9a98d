#include <kaon/reading/Each.h>
#include <kaon/writing/BatchBuilder.h>

#include <kaon/batch/Columns.h>
#include <kaon/formats/kaonfile/FileWriter.h>
#include <kaon/formats/memory/MemoryFile.h>
#include <kaon/writing/BatchWriter.h>

#include "support/Errors.h"
#include "support/MemorySink.h"
#include "support/RandomEvents.h"
#include "support/Tables.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace kaon {
namespace {

using test::expectError;

/// Returns three events with muons and their hits, a number, a name, and three numbers each.
std::shared_ptr<const File> muonFile() {
  const std::vector<std::int32_t> runs = {7, 8, 9};
  const std::vector<std::uint32_t> begins = {0, 2, 2, 3};
  const std::vector<float> pts = {30.F, 12.5F, 25.F};
  const std::vector<std::uint32_t> hitBegins = {0, 1, 1, 4};
  const std::vector<std::uint16_t> hits = {11, 31, 32, 33};
  const std::vector<std::uint32_t> nameBegins = {0, 1, 1, 4};
  const std::vector<std::uint8_t> letters = {'a', 'x', 'y', 'z'};
  Columns columns(3);
  columns.add("run", runs);
  columns.add("Muon", begins, {{"pt", pts}});
  columns.add("Muon.hits", hitBegins, {{"", hits}});
  columns.add("name", nameBegins, {{"", letters}});
  auto file = memory::MemoryFile::make("muons");
  BatchWriter writer(file->sink(), {});
  writer.write("events", columns.batch());
  writer.finish();
  return file;
}

template <class... T>
Each<T...> each(const File& file, const typename Each<T...>::Names& names,
                const EntrySelection& range = {}) {
  return {file.category("events"), names, range};
}

TEST(Each, givesEntriesAsTuples) {
  const auto file = muonFile();
  std::vector<std::string> lines;
  for (auto [run, pt, hits, name] :
       each<std::int32_t, Array<float>, Array<Array<std::uint16_t>>, std::string_view>(
           *file, {"run", "Muon.pt", "Muon.hits", "name"})) {
    std::string line = std::to_string(run) + " " + std::string(name);
    for (std::size_t muon = 0; muon < pt.size(); ++muon)
      line +=
          " " + std::to_string(static_cast<int>(pt[muon])) + ":" + std::to_string(sum(hits[muon]));
    lines.push_back(line);
  }
  EXPECT_EQ(lines, (std::vector<std::string>{"7 a 30:11 12:0", "8 ", "9 xyz 25:96"}));
}

TEST(Each, countsRows) {
  const auto file = muonFile();
  std::vector<std::uint32_t> counts;
  for (auto [muons, hits] :
       each<std::uint32_t, Array<std::uint32_t>>(*file, {"#Muon", "#Muon.hits"}, {1, 9})) {
    counts.push_back(muons);
    counts.insert(counts.end(), hits.begin(), hits.end());
  }
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{0, 1, 3}));
}

TEST(Each, canBeMovedBeforeItIsLoopedOver) {
  const auto file = muonFile();
  Each<std::int32_t> runs = each<std::int32_t>(*file, {"run"});
  std::int32_t sum = 0;
  for (auto [run] : Each<std::int32_t>(std::move(runs)))
    sum += run;
  EXPECT_EQ(sum, 24);
}

TEST(Each, saysThatItWasMovedAway) {
  const auto file = muonFile();
  Each<std::int32_t> loop = each<std::int32_t>(*file, {"run"});
  Batches batches(file->category("events"), {"run"});
  ASSERT_TRUE(batches.next());
  const Each<std::int32_t> movedLoop = std::move(loop);
  const Batches movedBatches = std::move(batches);
  expectError(ErrorKind::usage, "these batches were moved away", [&] { (void)loop.begin(); });
  expectError(ErrorKind::usage, "these batches were moved away", [&] { (void)batches.next(); });
}

TEST(Each, ofNoEntriesEnds) {
  const auto file = muonFile();
  for (auto [run] : each<std::int32_t>(*file, {"run"}, {3, 9}))
    ADD_FAILURE() << run;
}

TEST(Each, reportsTypesThatDoNotFitAColumn) {
  const auto file = muonFile();
  expectError(ErrorKind::type,
              "muons:events: 'Muon.pt' is a list of float32, which is read as kaon::Array<float>, "
              "not as kaon::Array<double>",
              [&] { (void)each<Array<double>>(*file, {"Muon.pt"}); });
  expectError(ErrorKind::type, "kaon::Array<kaon::Array<std::uint16_t>>, not as std::int32_t",
              [&] { (void)each<std::int32_t>(*file, {"Muon.hits"}); });
  expectError(ErrorKind::name, "(did you mean 'Muon.pt'?)",
              [&] { (void)each<Array<float>>(*file, {"Muon.Pt"}); });
}

TEST(Each, callsAFunctionForEachEntry) {
  const auto file = muonFile();
  std::int32_t runs = 0;
  double pts = 0;
  each<std::int32_t, Array<float>>(*file, {"run", "Muon.pt"})
      .forEach([&](std::int32_t run, Array<float> pt) {
        runs += run;
        pts += sum(pt);
      });
  EXPECT_EQ(runs, 24);
  EXPECT_EQ(pts, 67.5);
}

/// Yields these events of a file, then fails to open a second file.
detail::NextSource fileAndFailure(const EntrySelection& events) {
  return [events, turn = 0]() mutable -> std::optional<detail::SourceEntries> {
    if (turn++ > 0)
      fail(ErrorKind::io, "the second file is gone");
    const auto file = muonFile();
    return detail::SourceEntries{file, &file->category("events"), events};
  };
}

TEST(Each, throwsErrorsOfReadingInTheLoop) {
  using Runs = Each<std::int32_t>;
  std::vector<std::int32_t> runs;
  expectError(ErrorKind::io, "the second file is gone", [&] {
    for (auto [run] : Runs(fileAndFailure({}), {"run"}))
      runs.push_back(run);
  });
  expectError(ErrorKind::io, "the second file is gone", [&] {
    Runs(fileAndFailure({}), {"run"}).forEach([&](std::int32_t run) { runs.push_back(run); });
  });
  EXPECT_EQ(runs, (std::vector<std::int32_t>{7, 8, 9, 7, 8, 9}));
  Runs none(fileAndFailure({3, 3}), {"run"});
  expectError(ErrorKind::io, "the second file is gone", [&] { (void)none.begin(); });
}

TEST(Each, releasesComputedArrays) {
  const auto file = muonFile();
  const detail::Arena::Mark before = detail::Arena::ofThread().mark();
  for (auto [pt] : each<Array<float>>(*file, {"Muon.pt"})) {
    EXPECT_EQ(detail::Arena::ofThread().mark().used, before.used);
    (void)sort(pt);
  }
}

struct Muon {
  float pt;
  std::int8_t charge;
  std::array<float, 2> position;
};
struct Beam {
  double energy;
  bool on;
};
using MuonRecord = Record<Muon, "pt", "charge", "position">;

/// Returns two events with different numbers of muons, and a beam.
std::shared_ptr<const File> recordFile(Layout layout) {
  test::Writing writing;
  detail::BatchBuilder builder;
  builder.add(test::collection("Muon",
                               {{"unused", Scalar::Float64},
                                {"position", Scalar::Float32, 2},
                                {"pt", Scalar::Float32},
                                {"charge", Scalar::Int8}},
                               layout));
  builder.add(test::table("beam", TableKind::value, "",
                          {{"energy", Scalar::Float64}, {"on", Scalar::Bool}}));
  builder.add(test::values("beam.profile", TableKind::vectorMember, Scalar::Float32, 1));
  builder.add(test::values("beam.tails", TableKind::vectorMember, Scalar::Float32, 1));
  struct StoredMuon {
    double unused;
    std::array<float, 2> position;
    float pt;
    std::int8_t charge;
  };
  for (int event = 0; event < 2; ++event) {
    builder.setPresent(0);
    for (int i = 0; i < 2 + event; ++i) {
      const auto x = static_cast<float>(10 * event + i);
      test::addRow(builder, 0,
                   StoredMuon{-1, {x, -x}, x / 4, static_cast<std::int8_t>(i % 2 == 0 ? 1 : -1)});
    }
    test::addRow(builder, 1, Beam{event + 0.5, event == 1});
    builder.endEntry();
  }
  writing.writer.write("events", builder.batch(0));
  const auto bytes = writing.bytes;
  return {writing.finished().release(), [bytes](const File* file) { delete file; }};
}

TEST(Each, makesRecordsOfColumns) {
  for (const Layout layout : {Layout::split, Layout::row}) {
    const auto file = recordFile(layout);
    int event = 0;
    for (auto [muons, beam] :
         each<Array<MuonRecord>, Record<Beam, "energy", "on">>(*file, {"Muon", "beam"})) {
      ASSERT_EQ(muons.size(), static_cast<std::size_t>(2 + event));
      int i = 0;
      for (const Muon& muon : muons) {
        const auto x = static_cast<float>(10 * event + i);
        EXPECT_EQ(muon.pt, x / 4);
        EXPECT_EQ(muon.charge, i % 2 == 0 ? 1 : -1);
        EXPECT_EQ(muon.position, (std::array{x, -x}));
        ++i;
      }
      EXPECT_EQ(beam.energy, event + 0.5);
      EXPECT_EQ(beam.on, event == 1);
      expectError(ErrorKind::usage, "index 3 is out of range", [&] { (void)muons.at(3); });
      ++event;
    }
    EXPECT_EQ(event, 2);
  }
}

TEST(Each, reportsTypesThatDoNotFitAMember) {
  struct Wrong {
    double pt;
  };
  struct Long {
    std::array<float, 3> position;
  };
  struct Lists {
    float profile, tails;
  };
  const auto file = recordFile(Layout::split);
  expectError(ErrorKind::type,
              "'beam.tails' and 'beam.profile' are in different lists; the members of a record "
              "must come from one table",
              [&] { (void)each<Array<Record<Lists, "profile", "tails">>>(*file, {"beam"}); });
  expectError(ErrorKind::type,
              "memory.kaon:events: 'Muon.pt' is a list of float32, which is read as "
              "kaon::Array<float>, not as kaon::Array<double>",
              [&] { (void)each<Array<Record<Wrong, "pt">>>(*file, {"Muon"}); });
  expectError(ErrorKind::type,
              "'Muon.position' has 2 values in each row, but the member of the struct has 3",
              [&] { (void)each<Array<Record<Long, "position">>>(*file, {"Muon"}); });
  expectError(ErrorKind::type, "not as double",
              [&] { (void)each<Record<Wrong, "pt">>(*file, {"Muon"}); });
  expectError(ErrorKind::name, "memory.kaon:events: no column is called 'Muon.mass'",
              [&] { (void)each<Array<Record<Wrong, "mass">>>(*file, {"Muon"}); });
}

TEST(Each, followsRelations) {
  detail::BatchBuilder builder;
  builder.add(test::collection("Particles", {{"PDG", Scalar::Int32}}));
  builder.add(test::relation("Particles.parents", TableKind::manyRelation, 0));
  builder.add(test::collection("Hits", {{"x", Scalar::Float32}}));
  builder.add(test::relation("Hits.particle", TableKind::oneRelation, 2));
  struct Reference {
    std::int32_t index;
    std::uint32_t collection;
  };
  builder.setPresent(0);
  builder.setPresent(2);
  for (const std::int32_t pdg : {11, 22, -13}) {
    test::addRow(builder, 0, pdg);
    for (std::int32_t parent = 0; parent < (pdg == -13 ? 2 : 0); ++parent)
      test::addRow(builder, 1, Reference{parent, 0});
    builder.endRow(1);
  }
  for (const std::int32_t particle : {2, -1, 0}) {
    test::addRow(builder, 2, 1.F);
    test::addRow(builder, 3, Reference{particle, 0});
  }
  builder.endEntry();
  test::Writing writing;
  writing.writer.write("events", builder.batch(0));
  const auto file = writing.finished();
  std::vector<std::int32_t> ofHits, ofParents;
  for (auto [pdg, particle, parents] :
       each<Array<std::int32_t>, Array<std::int32_t>, Array<Array<std::int32_t>>>(
           *file, {"Particles.PDG", "Hits.particle.index", "Particles.parents.index"})) {
    for (const std::int32_t index : particle)
      ofHits.push_back(index < 0 ? 0 : pdg[static_cast<std::size_t>(index)]);
    const Array<std::int32_t> some = pdg[parents[2]];
    ofParents.assign(some.begin(), some.end());
  }
  EXPECT_EQ(ofHits, (std::vector<std::int32_t>{-13, 0, 11}));
  EXPECT_EQ(ofParents, (std::vector<std::int32_t>{11, 22}));
}

/// Each entry of random events has the same values as in batches, in any layout and with any page
/// sizes.
TEST(Each, agreesWithBatches) {
  for (const Layout layout : {Layout::split, Layout::member, Layout::row}) {
    auto bytes = std::make_shared<Buffer>();
    kaonfile::FileWriter writer(std::make_unique<test::MemorySink>(bytes), {uncompressed(), 300});
    detail::BatchBuilder builder;
    for (const TableDefinition& table : test::assortedTables(layout))
      builder.add(table);
    test::RandomEvents events(17, 6);
    std::uint64_t written = 0;
    for (int cluster = 0; cluster < 3; ++cluster) {
      for (int entry = 0; entry < 40; ++entry)
        events.addEntry(builder);
      writer.write("events", builder.batch(written));
      written += builder.entries();
      builder.clear();
    }
    writer.finish();
    const auto file = test::openBytes(bytes->bytes());

    std::vector<float> expected;
    std::size_t objects = 0;
    for (const Batch& batch :
         Batches(file->category("events"), {"Hits.position.x", "Hits.samples.time"}, {5, 111})) {
      const auto values = batch.values<float>("Hits.position.x");
      expected.insert(expected.end(), values.begin(), values.end());
      objects += batch.values<double>("Hits.samples.time").size();
    }
    std::vector<float> values;
    for (auto [positions, times, number] :
         each<Array<Array<float>>, Array<Array<double>>, std::int64_t>(
             *file, {"Hits.position.x", "Hits.samples.time", "number"}, {5, 111})) {
      ASSERT_EQ(positions.size(), times.size());
      const Array<float> all = positions.flat();
      ASSERT_EQ(all.size(), 3 * positions.size());
      values.insert(values.end(), all.begin(), all.end());
      objects -= times.flat().size();
    }
    EXPECT_EQ(values, expected);
    EXPECT_EQ(objects, 0U);
  }
}

} // namespace
} // namespace kaon
