#include <kaon/dataset/Dataset.h>

#include <kaon/dataset/Dataframe.h>
#include <kaon/files/Files.h>

#include "support/CollisionEvents.h"
#include "support/Errors.h"
#include "support/Files.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::CollisionEvents;
using test::expectError;

/// Three files of events in two formats; one of them is empty.
class DatasetTest : public testing::Test {
protected:
  DatasetTest() {
    m_events[0].write(m_folder / "a1.kaon");
    m_events[1].write(m_folder / "a2.kaon");
    CollisionEvents(0).write(m_folder / "a3.kaon");
    m_events[2].write(m_folder / "b.root");
  }
  [[nodiscard]] Dataset all() const {
    return {{m_folder / "a*.kaon", m_folder / "b.root"}, "events"};
  }
  /// Returns one value per event of all files.
  [[nodiscard]] std::vector<float> mets() const {
    std::vector<float> all;
    for (const CollisionEvents& events : m_events)
      all.insert(all.end(), events.met.begin(), events.met.end());
    return all;
  }
  /// Writes a file whose muons have only this member.
  template <class T>
  std::string writeOther(const std::string& member) const {
    const std::string path = m_folder / "other.kaon";
    BatchWriter writer = batchWriter(path);
    const std::vector<std::uint32_t> begins = {0, 1};
    const std::vector<T> values = {T(1)};
    Columns columns(1);
    columns.add("Muon", begins, {{member, values}});
    writer.write("events", columns.batch());
    writer.finish();
    return path;
  }

  test::TemporaryDirectory m_folder;
  std::vector<CollisionEvents> m_events = {CollisionEvents(1'200, 1), CollisionEvents(700, 2),
                                           CollisionEvents(900, 3)};
};

TEST_F(DatasetTest, isReadAsOneFile) {
  EXPECT_EQ(all().entries(), 2'800U);
  EXPECT_EQ(all().files(), 4U);
  std::vector<float> mets, pts, ptsOfBatches;
  for (auto [met, pt] : all().each<float, Array<float>>("MET_pt", "Muon.pt")) {
    mets.push_back(met);
    pts.insert(pts.end(), pt.begin(), pt.end());
  }
  EXPECT_EQ(mets, this->mets());
  std::uint64_t next = 0;
  DatasetBatches batches = all().batches({"Muon.pt"});
  while (batches.next()) {
    EXPECT_EQ(batches.firstEntry(), next);
    next += batches.batch().entries();
    const auto values = batches.batch().values<float>("Muon.pt");
    ptsOfBatches.insert(ptsOfBatches.end(), values.begin(), values.end());
  }
  EXPECT_EQ(next, 2'800U);
  EXPECT_EQ(ptsOfBatches, pts);
  EXPECT_FALSE(batches.next());
  double sum = 0;
  all().each<float>("MET_pt").forEach([&](float met) { sum += met; });
  EXPECT_EQ(sum, std::accumulate(mets.begin(), mets.end(), 0.));
}

TEST_F(DatasetTest, takesPathsAsTheyAreWritten) {
  expectError(ErrorKind::missing, "gone1.kaon", [] {
    (void)Dataset({"gone1.kaon", "gone2.kaon"}, "events");
  });
  expectError(ErrorKind::missing, "gone*.kaon", [] { (void)Dataset({"gone*.kaon"}, "events"); });
}

TEST_F(DatasetTest, countsEntriesThroughAllFiles) {
  const std::vector<float> all = mets();
  const EntrySelection entries(std::vector<EntryRange>{{3, 5}, {1'190, 1'210}, {2'700, 9'000}});
  std::vector<float> expected, found, ofBatches;
  for (const EntryRange& run : entries.runs())
    for (std::uint64_t entry = run.first; entry < std::min<std::uint64_t>(run.last, all.size());
         ++entry)
      expected.push_back(all[entry]);
  for (auto [met] : this->all().eachIn<float>(entries, "MET_pt"))
    found.push_back(met);
  EXPECT_EQ(found, expected);
  for (const Batch& batch : this->all().batches({"MET_pt"}, entries)) {
    const auto values = batch.values<float>("MET_pt");
    ofBatches.insert(ofBatches.end(), values.begin(), values.end());
    EXPECT_FALSE(batch.origins(0, batch.entries()).front().file->name().empty());
  }
  EXPECT_EQ(ofBatches, expected);
}

TEST_F(DatasetTest, opensFilesWhenTheirTurnComes) {
  const Dataset dataset({m_folder / "a1.kaon", m_folder / "gone.kaon"}, "events");
  std::size_t entries = 0;
  const auto readAll = [&] {
    for ([[maybe_unused]] auto [met] : dataset.each<float>("MET_pt"))
      ++entries;
  };
  expectError(ErrorKind::missing, "gone.kaon", readAll);
  EXPECT_EQ(entries, 1'200U);
  for ([[maybe_unused]] auto [met] : dataset.eachIn<float>({0, 1'200}, "MET_pt"))
    ++entries; // needs no entry of the second file
  EXPECT_EQ(entries, 2'400U);
}

TEST_F(DatasetTest, hasFriendsByKeys) {
  // A value of each run; each run has ten events in each file.
  const std::string path = m_folder / "runs.kaon";
  std::vector<std::int32_t> runs(200);
  std::iota(runs.rbegin(), runs.rend(), 0);
  std::vector<float> scales(runs.begin(), runs.end());
  {
    BatchWriter writer = batchWriter(path);
    Columns columns(runs.size());
    columns.add("run", runs);
    columns.add("scale", scales);
    writer.write("runs", columns.batch());
    writer.finish();
  }
  const Dataset files = all().with({"conditions", open(path), "runs", {"run"}});
  EXPECT_EQ(files.entries(), 2'800U);
  std::size_t entries = 0;
  for (auto [run, scale] : files.each<std::int32_t, float>("run", "conditions.scale")) {
    ASSERT_EQ(scale, static_cast<float>(run));
    ++entries;
  }
  EXPECT_EQ(entries, 2'800U);
  expectError(ErrorKind::usage, "and 3 more files: has several files, so the friend", [&] {
    (void)all().with({"conditions", open(path), "runs"});
  });
}

TEST_F(DatasetTest, reportsFilesThatDiffer) {
  const auto eachOf = [&](const std::string& other) {
    for ([[maybe_unused]] auto [pt] :
         Dataset({m_folder / "a1.kaon", other}, "events").each<Array<float>>("Muon.pt")) {
    }
  };
  const auto batchesOf = [&](const std::string& other) {
    for ([[maybe_unused]] const Batch& batch :
         Dataset({m_folder / "a1.kaon", other}, "events").batches({"Muon"})) {
    }
  };
  std::string other = writeOther<double>("pt");
  expectError(ErrorKind::type,
              "other.kaon:events: 'Muon.pt' is a list of float64, which is read as "
              "kaon::Array<double>, not as kaon::Array<float>",
              [&] { eachOf(other); });
  expectError(ErrorKind::type,
              "other.kaon:events: 'Muon.pt' is a list of float64, but a list of float32 in ",
              [&] { batchesOf(other); });
  other = writeOther<float>("eta");
  expectError(ErrorKind::name, "other.kaon:events: no column is called 'Muon.pt'",
              [&] { eachOf(other); });
  expectError(ErrorKind::name, "other.kaon:events: no column is called 'Muon.pt'",
              [&] { batchesOf(other); });
  expectError(ErrorKind::name, "did you mean", [&] { (void)all().batches({"Muon.Pt"}); });
}

/// Dataframes also name the file that lacks a column, whether it is the first or the second.
TEST_F(DatasetTest, saysWhichFileLacksAColumnOfADataframe) {
  const std::string other = writeOther<float>("eta");
  const std::string whole = m_folder / "a1.kaon";
  for (const auto& paths : {std::vector{whole, other}, std::vector{other, whole}}) {
    expectError(ErrorKind::name, "other.kaon:events: no column is called 'Muon.pt'",
                [&] { (void)*dataset(paths, "events").sum("Muon.pt"); });
    expectError(ErrorKind::name, "other.kaon:events",
                [&] { (void)*dataset(paths, "events").filter("any(Muon.pt > 1)").count(); });
  }
  const std::string typed = writeOther<double>("pt");
  expectError(ErrorKind::type,
              "other.kaon:events: 'Muon.pt' is a list of float64, but a list of float32 in", [&] {
                (void)*dataset(std::vector{whole, typed}, "events").sum("Muon.pt");
              });
}

TEST_F(DatasetTest, takesTheFirstFileAsItIsOpen) {
  const auto first = open(m_folder / "a1.kaon");
  const Dataset files({{"", {m_folder / "gone.kaon", m_folder / "b.root"}}}, "events", {}, first);
  EXPECT_EQ(files.entries(), 2'100U);
}

TEST_F(DatasetTest, takesNamesOfFilesForNoPatterns) {
  std::filesystem::copy_file(std::filesystem::path(m_folder / "a1.kaon"),
                             std::filesystem::path(m_folder / "run[1].kaon"));
  EXPECT_EQ(Dataset({m_folder / "run[1].kaon"}, "events").entries(), 1'200U);
}

} // namespace
} // namespace kaon
