#include <kaon/files/Files.h>
#include <kaon/reading/Batches.h>
#include <kaon/reading/ColumnFiller.h>
#include <kaon/reading/Each.h>

#include "support/CollisionEvents.h"
#include "support/Files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// All ways to read columns must agree in all formats.

namespace kaon {
namespace {

using test::CollisionEvents;

class Reading : public ::testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    const std::string path = m_folder / "events";
    try {
      m_truth.write(path, {.format = GetParam()});
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::version)
        throw;
      GTEST_SKIP() << error.what(); // built without its library
    }
    m_file = open(path);
  }
  [[nodiscard]] const Source& source() const { return m_file->category("events"); }
  /// Returns the transverse momenta of all muons of these entries.
  [[nodiscard]] std::vector<float> ptsOf(const EntrySelection& entries) const {
    std::vector<float> pts;
    for (const EntryRange& run : entries.runs())
      pts.insert(pts.end(), m_truth.pt.begin() + m_truth.muons[run.first],
                 m_truth.pt.begin() + m_truth.muons[run.last]);
    return pts;
  }

  CollisionEvents m_truth{5'000};
  test::TemporaryDirectory m_folder;
  std::shared_ptr<const File> m_file;
};

TEST_P(Reading, givesSelectedEntries) {
  const std::vector<EntryRange> runs = {{3, 4}, {6, 8}, {490, 900}, {1'700, 1'701}, {4'990, 5'000}};
  const EntrySelection entries(runs);
  std::vector<float> pts, ptsOfLoop;
  for (const Batch& batch : Batches(source(), {"Muon.pt"}, entries)) {
    const auto values = batch.values<float>("Muon.pt");
    pts.insert(pts.end(), values.begin(), values.end());
  }
  for (auto [pt] : Each<Array<float>>(source(), {"Muon.pt"}, entries))
    ptsOfLoop.insert(ptsOfLoop.end(), pt.begin(), pt.end());
  EXPECT_EQ(pts, ptsOf(entries));
  EXPECT_EQ(ptsOfLoop, ptsOf(entries));
}

TEST_P(Reading, fillsMemory) {
  std::vector<float> met(700), pt(1'000);
  std::vector<std::int32_t> charge(1'000);
  std::vector<std::uint32_t> offsets(800);
  ColumnFiller filler(source());
  filler.setValues("MET_pt", std::span(met));
  filler.setValues("Muon.pt", std::span(pt));
  filler.setValues("Muon.charge", std::span(charge));
  filler.setOffsets("Muon", offsets);
  std::uint64_t entry = 0;
  while (const std::size_t count = filler.fill(entry)) {
    const auto first = static_cast<std::size_t>(entry);
    const std::size_t muon = m_truth.muons[first], muons = filler.rows("Muon");
    ASSERT_EQ(muons, m_truth.muons[first + count] - muon);
    ASSERT_TRUE(std::equal(met.data(), met.data() + count, m_truth.met.data() + first));
    ASSERT_TRUE(std::equal(pt.data(), pt.data() + muons, m_truth.pt.data() + muon));
    ASSERT_TRUE(std::equal(charge.data(), charge.data() + muons, m_truth.charge.data() + muon));
    for (std::size_t i = 0; i <= count; ++i)
      ASSERT_EQ(offsets[i], m_truth.muons[first + i] - muon);
    entry += count;
  }
  EXPECT_EQ(entry, m_truth.size());
}

INSTANTIATE_TEST_SUITE_P(Formats, Reading, ::testing::Values("kaon", "rntuple", "ttree", "hdf5"),
                         [](const auto& format) { return format.param; });

} // namespace
} // namespace kaon
