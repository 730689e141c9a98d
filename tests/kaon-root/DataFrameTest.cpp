#include <kaon/root/DataSource.h>

#include <kaon/kaon.h>

#include "support/Errors.h"
#include "support/Files.h"
#include "support/Random.h"
#include "support/TestEvents.h"

#include <ROOT/RDFHelpers.hxx>
#include <ROOT/RDataFrame.hxx>
#include <TROOT.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace kaon {
namespace {

using root::dataFrame;
using test::expectError;

constexpr int events = 400;

/// Runs with one and two threads, on files in each layout.
class DataFrame : public testing::TestWithParam<std::tuple<unsigned int, Layout>> {
protected:
  DataFrame() : m_path(m_directory / "events.kaon") {
    test::writeEvents(
        m_path, events,
        {.layout = std::get<Layout>(GetParam()), .clusterEntries = 30, .pageBytes = 512});
    if (const unsigned int threads = std::get<unsigned int>(GetParam()); threads > 1)
      ROOT::EnableImplicitMT(threads);
  }
  ~DataFrame() override {
    if (ROOT::IsImplicitMTEnabled())
      ROOT::DisableImplicitMT();
  }

  /// Returns the sum of a member's values, read by kaon.
  template <class T>
  [[nodiscard]] double sumOf(const std::string& member) const {
    double sum = 0;
    for (const Batch& batch : Reader(m_path)["events"].batches({member}))
      for (const T value : batch.values<T>(member))
        sum += static_cast<double>(value);
    return sum;
  }

  test::TemporaryDirectory m_directory;
  std::string m_path;
};

TEST_P(DataFrame, countsEntries) {
  EXPECT_EQ(dataFrame(m_path, "events").Count().GetValue(), static_cast<ULong64_t>(events));
}

TEST_P(DataFrame, strings) {
  auto df = dataFrame(m_path, "events");
  auto sum = df.Define("all", "Sum(Particles.PDG)").Sum("all");
  auto charged =
      df.Define("charged", "Particles.energy[Particles.charge > 3].size()").Sum("charged");
  auto many = df.Filter("#Particles > 5 && Hits.energy.size() < 10").Count();
  auto histogram = df.Histo1D({"", "", 50, 0, 500}, "Particles.energy");
  EXPECT_EQ(sum.GetValue(), sumOf<std::int32_t>("Particles.PDG"));
  double expected = 0;
  ULong64_t expectedMany = 0;
  for (int event = 0; event < events; ++event) {
    expected += static_cast<double>(std::max<std::size_t>(test::particlesOf(event), 4) - 4);
    expectedMany += test::particlesOf(event) > 5 && test::hitsOf(event) < 10 ? 1 : 0;
  }
  EXPECT_EQ(charged.GetValue(), expected);
  EXPECT_EQ(many.GetValue(), expectedMany);
  EXPECT_NEAR(histogram->GetMean() * histogram->GetEntries(), sumOf<double>("Particles.energy"),
              1e-3);
}

TEST_P(DataFrame, compiledFunctions) {
  auto sum = dataFrame(m_path, "events")
                 .Filter([](const ROOT::RVec<std::string>& title) { return title[0] != "event 7"; },
                         {"title"})
                 .Define("residuals",
                         [](const ROOT::RVec<ROOT::RVecF>& residuals) {
                           double all = 0;
                           for (const auto& each : residuals)
                             all += Sum(each);
                           return all;
                         },
                         {"Tracks.residuals"})
                 .Sum<double>("residuals");
  const double ofSeven = 7 + 7 + 8; // event 7 has tracks with no, one and two residuals
  EXPECT_EQ(sum.GetValue(), sumOf<float>("Tracks.residuals") - ofSeven);
}

TEST_P(DataFrame, loopsCanBeRunAgain) {
  auto df = dataFrame(m_path, "events");
  auto energies = df.Define("sum", "Sum(Particles.energy)");
  const double first = energies.Sum("sum").GetValue();
  EXPECT_EQ(energies.Filter("Particles.PDG.empty()").Sum("sum").GetValue(), 0);
  EXPECT_EQ(energies.Sum("sum").GetValue(), first);
}

TEST_P(DataFrame, columnsThatAreReadInFewEntries) {
  auto few = dataFrame(m_path, "events")
                 .Filter([](const ROOT::RVecI& number) { return number[0] % 50 == 11; }, {"number"})
                 .Define("last", [](const ROOT::RVecD& energy) { return Sum(energy); },
                         {"Particles.energy"});
  double expected = 0;
  for (int event = 11; event < events; event += 50)
    for (std::size_t i = 0; i < test::particlesOf(event); ++i)
      expected += event + static_cast<double>(i) / 8;
  EXPECT_EQ(few.Sum<double>("last").GetValue(), expected);
}

TEST_P(DataFrame, snapshot) {
  const std::string path = m_directory / "snapshot.root";
  dataFrame(m_path, "events").Snapshot("t", path, {"Particles.PDG", "Hits.cell", "weight"});
  auto copy = dataFrame(path, "t"); // kaon reads ROOT's file, too
  EXPECT_EQ(copy.Count().GetValue(), static_cast<ULong64_t>(events));
  const auto sum = [&](const std::string& column) {
    return copy.Define("all", "Sum(" + column + ")").Sum("all").GetValue();
  };
  EXPECT_EQ(sum("Particles_PDG"), sumOf<std::int32_t>("Particles.PDG"));
  EXPECT_EQ(sum("Hits_cell"), sumOf<std::uint64_t>("Hits.cell"));
  EXPECT_EQ(sum("weight"), sumOf<double>("weight"));
}

TEST_P(DataFrame, valuesThatAreTakenStayAsTheyAre) {
  const auto all = dataFrame(m_path, "events").Take<ROOT::RVecI>("Particles.PDG").GetValue();
  double sum = 0;
  for (const auto& each : all)
    sum = std::accumulate(each.begin(), each.end(), sum);
  EXPECT_EQ(all.size(), static_cast<std::size_t>(events));
  EXPECT_EQ(sum, sumOf<std::int32_t>("Particles.PDG"));
}

TEST_P(DataFrame, unknownColumns) {
  auto df = dataFrame(m_path, "events");
  EXPECT_THROW(static_cast<void>(df.Histo1D("Particles.PGD")), std::runtime_error);
  expectError(ErrorKind::type, "events.kaon:events: 'Particles.PDG' is", [&] {
    static_cast<void>(
        df.Define("wrong", [](const ROOT::RVecD& x) { return x.size(); }, {"Particles.PDG"})
            .Sum<std::size_t>("wrong")
            .GetValue());
  });
}

// Unused columns are not read, so damage in them does not matter. Otherwise all threads stop, and
// the error names the damaged file.
TEST_P(DataFrame, damageMattersWhereItIsRead) {
  const std::string path = m_directory / "damaged.kaon";
  BatchWriter writer = batchWriter(path, {.codec = uncompressed(), .clusterEntries = 25'000});
  test::Random random(1);
  std::vector<std::uint64_t> first(100'000), second(first.size());
  random.fill(std::as_writable_bytes(std::span(first)));
  random.fill(std::as_writable_bytes(std::span(second)));
  Columns columns(first.size());
  columns.add("first", first);
  columns.add("second", second);
  writer.write("events", columns.batch());
  writer.finish();
  const auto mostOf = [&](const char* column) {
    return dataFrame(path, "events").Max<std::uint64_t>(column).GetValue();
  };
  const std::uint64_t most = std::ranges::max(second);
  EXPECT_EQ(mostOf("first"), std::ranges::max(first));
  EXPECT_EQ(mostOf("second"), most);
  std::string bytes = test::readFile(path);
  char& damaged = bytes[bytes.size() / 20]; // early in the first of four clusters
  damaged = static_cast<char>(~damaged);
  test::writeFile(path, bytes);
  expectError(ErrorKind::corrupt, "damaged.kaon", [&] { mostOf("first"); });
  EXPECT_EQ(mostOf("second"), most);
}

INSTANTIATE_TEST_SUITE_P(Threads, DataFrame,
                         testing::Combine(testing::Values(1U, 2U),
                                          testing::Values(Layout::split, Layout::member,
                                                          Layout::row)));

} // namespace
} // namespace kaon
