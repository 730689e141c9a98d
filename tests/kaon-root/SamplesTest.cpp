#include <kaon/root/DataSource.h>

#include <kaon/kaon.h>

#include "support/Errors.h"
#include "support/Files.h"

#include <ROOT/RDataFrame.hxx>
#include <TROOT.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

// The information about files in RDataFrame: samples with their metadata, friends, and columns that
// some files lack.

namespace kaon {
namespace {

using root::dataFrame;
using ROOT::RDF::RSampleInfo;
using ROOT::RDF::Experimental::RDatasetSpec;
using ROOT::RDF::Experimental::RMetaData;
using ROOT::RDF::Experimental::RSample;
using test::expectError;

using Numbers = std::vector<std::int32_t>;

/// Runs with one and two threads.
class Samples : public testing::TestWithParam<unsigned int> {
protected:
  Samples() {
    if (GetParam() > 1)
      ROOT::EnableImplicitMT(GetParam());
  }
  ~Samples() override {
    if (ROOT::IsImplicitMTEnabled())
      ROOT::DisableImplicitMT();
  }

  /// Writes a file with one value per entry, in clusters of ten.
  std::string write(const std::string& file, const std::string& category,
                    const std::map<std::string, Numbers>& values) {
    const std::string path = m_directory / file;
    BatchWriter writer = batchWriter(path, {.clusterEntries = 10});
    Columns columns(values.begin()->second.size());
    for (const auto& [name, numbers] : values)
      columns.add(name, numbers);
    writer.write(category, columns.batch());
    writer.finish();
    return path;
  }

  test::TemporaryDirectory m_directory;
};

RMetaData metadata(int id, double weight, const std::string& generator) {
  RMetaData data;
  data.Add("id", id);
  data.Add("weight", weight);
  data.Add("generator", generator);
  return data;
}

TEST_P(Samples, tellOfThemselves) {
  write("a1.kaon", "events", {{"x", Numbers(35, 1)}});
  write("a2.kaon", "events", {{"x", Numbers(1, 1)}});
  const std::string b = write("b.kaon", "others", {{"x", Numbers(24, 1)}});
  RDatasetSpec specification;
  specification.AddSample(
      RSample("A", "events", m_directory / "a*.kaon", metadata(7, 0.5, "pythia")));
  specification.AddSample(RSample("B", "others", b, metadata(8, 4, "herwig")));
  auto df = dataFrame(specification)
                .DefinePerSample("weight",
                                 [](unsigned int, const RSampleInfo& sample) {
                                   return sample.GetD("weight") * sample.GetI("id");
                                 })
                .DefinePerSample("isB",
                                 [](unsigned int, const RSampleInfo& sample) {
                                   return sample.GetSampleName() == "B" &&
                                          sample.GetS("generator") == "herwig";
                                 })
                .DefinePerSample("entries", [](unsigned int, const RSampleInfo& sample) {
                  return sample.NEntriesTotal();
                });
  for (int loop = 0; loop < 2; ++loop) {
    auto weights = df.Define("product", "weight * x").Sum<double>("product");
    auto isB = df.Filter([](bool is) { return is; }, {"isB"}).Count();
    auto inB = df.Filter("entries == 24").Count();
    EXPECT_EQ(weights.GetValue(), 36 * 3.5 + 24 * 32);
    EXPECT_EQ(isB.GetValue(), 24U);
    EXPECT_EQ(inB.GetValue(), 24U);
  }
}

TEST_P(Samples, areFilesByDefault) {
  const std::string a = write("a.kaon", "events", {{"x", Numbers(35, 1)}});
  const std::string none = write("b.kaon", "events", {{"x", Numbers(0, 1)}});
  const std::string c = write("c.kaon", "events", {{"x", Numbers(24, 1)}});
  auto df = dataFrame(std::vector{a, none, c}, "events")
                .DefinePerSample("name", [](unsigned int, const RSampleInfo& sample) {
                  return sample.AsString();
                });
  std::map<std::string, int> entries;
  auto names = df.Take<std::string>("name");
  for (const std::string& name : *names)
    ++entries[name];
  EXPECT_EQ(entries, (std::map<std::string, int>{{a + "/events", 35}, {c + "/events", 24}}));
}

TEST_P(Samples, ofARangeOfEntries) {
  Numbers numbers(100);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<std::int32_t>(i);
  const std::string path = write("a.kaon", "events", {{"x", numbers}});
  for (const auto& [first, last] : {std::pair{20, 25}, std::pair{95, 130}, std::pair{150, 160}}) {
    RDatasetSpec specification;
    specification.AddSample(RSample("A", "events", std::vector{path, path}))
        .WithGlobalRange({first, last});
    double sum = 0;
    for (int entry = first; entry < last; ++entry)
      sum += entry % 100;
    EXPECT_EQ(dataFrame(specification).Sum<std::int32_t>("x").GetValue(), sum);
  }
  RDatasetSpec toTheEnd;
  toTheEnd.AddSample(RSample("A", "events", path)).WithGlobalRange({98, 1'000'000});
  EXPECT_EQ(dataFrame(toTheEnd).Sum<std::int32_t>("x").GetValue(), 98 + 99);
}

TEST_P(Samples, haveFriends) {
  const std::string a = write("a.kaon", "events", {{"x", Numbers(35, 1)}});
  const std::string b = write("b.kaon", "events", {{"x", Numbers(24, 2)}});
  const std::string af = write("af.kaon", "tags", {{"x", Numbers(35, 10)}});
  const std::string bf = write("bf.kaon", "tags", {{"x", Numbers(24, 100)}});
  RDatasetSpec specification;
  specification.AddSample(RSample("A", "events", a)).AddSample(RSample("B", "events", b));
  RDatasetSpec named = specification;
  named.WithGlobalFriends("tags", std::vector{af, bf}, "t");
  EXPECT_EQ(dataFrame(named).Define("y", "x * t.x").Sum<std::int32_t>("y").GetValue(),
            35 * 10 + 24 * 200);
  RDatasetSpec unnamed = specification;
  unnamed.WithGlobalFriends("tags", std::vector{af, bf});
  EXPECT_EQ(dataFrame(unnamed).Sum<std::int32_t>("tags.x").GetValue(), 35 * 10 + 24 * 100);
  RDatasetSpec fewer = specification;
  fewer.WithGlobalFriends("tags", af, "t");
  expectError(ErrorKind::usage, "the friend 't' has 1 file, but the samples have 2",
              [&] { static_cast<void>(dataFrame(fewer)); });
  RDatasetSpec shorter = specification;
  shorter.WithGlobalFriends("tags", std::vector{bf, af}, "t");
  expectError(ErrorKind::usage, "entries", [&] { static_cast<void>(dataFrame(shorter)); });
}

TEST_P(Samples, mayLackColumnsThatHaveADefault) {
  const std::string both = write(
      "a.kaon", "events", {{"x", Numbers(35, 1)}, {"y", Numbers(35, 2)}, {"z", Numbers(35, 3)}});
  const std::string one = write("b.kaon", "events", {{"x", Numbers(24, 1)}});
  for (const auto& files : {std::vector{one, both, one, both}, std::vector{both, one, both, one}}) {
    auto df = dataFrame(files, "events");
    EXPECT_EQ(df.DefaultValueFor("y", 1000).Sum<std::int32_t>("y").GetValue(), 70 * 2 + 48 * 1000);
    EXPECT_EQ(df.FilterAvailable("y").Sum<std::int32_t>("y").GetValue(), 70 * 2);
    EXPECT_EQ(df.FilterMissing("y").Count().GetValue(), 48U);
    auto few = df.DefaultValueFor("y", 0).Filter([](std::int32_t y) { return y > 0; }, {"y"});
    EXPECT_EQ(few.Sum<std::int32_t>("z").GetValue(), 70 * 3); // others do not read 'z'
    auto strict = dataFrame(files, "events");
    expectError(ErrorKind::name, "b.kaon:events: has no column 'y', which another file has",
                [&] { static_cast<void>(strict.Sum<std::int32_t>("y").GetValue()); });
  }
}

TEST_P(Samples, areWrittenAsTheyAre) {
  Numbers numbers(100);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<std::int32_t>(i);
  const std::string path = write("a.kaon", "events", {{"x", numbers}});
  const std::string copy = m_directory / "copy.root";
  dataFrame(path, "events").Filter("x % 3 == 0").Snapshot("t", copy, {"x"});
  auto found = dataFrame(copy, "t");
  auto sum = found.Sum<std::int32_t>("x");
  auto most = found.Max<std::int32_t>("x");
  EXPECT_EQ(found.Count().GetValue(), 34U);
  EXPECT_EQ(sum.GetValue(), 33 * 34 / 2 * 3);
  EXPECT_EQ(most.GetValue(), 99);
}

TEST_P(Samples, mistakesInSpecifications) {
  const std::string path = write("a.kaon", "events", {{"x", Numbers(3, 1)}});
  expectError(ErrorKind::usage, "at least one file",
              [] { static_cast<void>(dataFrame(RDatasetSpec())); });
  RDatasetSpec misspelt;
  misspelt.AddSample(RSample("A", "event", path));
  expectError(ErrorKind::name, "did you mean 'events'",
              [&] { static_cast<void>(dataFrame(misspelt)); });
  RDatasetSpec absent;
  absent.AddSample(RSample("A", "events", m_directory / "x*.kaon"));
  expectError(ErrorKind::missing, "the sample 'A': no file matches its patterns",
              [&] { static_cast<void>(dataFrame(absent)); });
}

INSTANTIATE_TEST_SUITE_P(Threads, Samples, testing::Values(1U, 2U));

} // namespace
} // namespace kaon
