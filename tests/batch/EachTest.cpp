#include <kaon/batch/Each.h>

#include <kaon/batch/BatchWriter.h>
#include <kaon/batch/Columns.h>
#include <kaon/formats/kaon/FileWriter.h>
#include <kaon/formats/memory/MemoryFile.h>

#include "support/Errors.h"
#include "support/MemorySink.h"
#include "support/RandomEvents.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace kaon {
namespace {

using test::expectError;

/// Three events: muons with hits, a number, a name, and three numbers each.
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
Each<T...> each(const File& file, const typename Each<T...>::Names& names, EntryRange range = {}) {
  return {file.category("events"), names, range};
}

TEST(Each, GivesEntriesAsTuples) {
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

TEST(Each, CountsRows) {
  const auto file = muonFile();
  std::vector<std::uint32_t> counts;
  for (auto [muons, hits] :
       each<std::uint32_t, Array<std::uint32_t>>(*file, {"#Muon", "#Muon.hits"}, {1, 9})) {
    counts.push_back(muons);
    counts.insert(counts.end(), hits.begin(), hits.end());
  }
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{0, 1, 3}));
}

TEST(Each, OfNoEntriesEnds) {
  const auto file = muonFile();
  for (auto [run] : each<std::int32_t>(*file, {"run"}, {3, 9}))
    ADD_FAILURE() << run;
}

TEST(Each, SaysWhatAColumnIsReadAs) {
  const auto file = muonFile();
  expectError(ErrorKind::type,
              "'Muon.pt' is a list of float32, which is read as kaon::Array<float>, not as "
              "kaon::Array<double>",
              [&] { (void)each<Array<double>>(*file, {"Muon.pt"}); });
  expectError(ErrorKind::type, "kaon::Array<kaon::Array<std::uint16_t>>, not as std::int32_t",
              [&] { (void)each<std::int32_t>(*file, {"Muon.hits"}); });
  expectError(ErrorKind::name, "(did you mean 'Muon.pt'?)",
              [&] { (void)each<Array<float>>(*file, {"Muon.Pt"}); });
}

TEST(Each, CallsAFunctionForEachEntry) {
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

TEST(Each, ReleasesWhatWasComputed) {
  const auto file = muonFile();
  const Arena::Mark before = Arena::ofThread().mark();
  for (auto [pt] : each<Array<float>>(*file, {"Muon.pt"})) {
    EXPECT_EQ(Arena::ofThread().mark().used, before.used);
    (void)sort(pt);
  }
}

/// Over random events, each entry has the values that batches have, whatever the layout is and
/// wherever pages end.
TEST(Each, AgreesWithBatches) {
  for (const Layout layout : {Layout::split, Layout::member, Layout::row}) {
    auto bytes = std::make_shared<Buffer>();
    store::FileWriter writer(std::make_unique<test::MemorySink>(bytes), {uncompressed(), 300});
    BatchBuilder builder;
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
