#include <kaon/kaon.h>

#include "support/Errors.h"
#include "support/Files.h"
#include "support/Random.h"
#include "support/TestEvents.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

// Reading returns floats with the precision set in the writer, in every layout.

namespace {

using kaon::ErrorKind;
using kaon::Frame;
using kaon::Layout;
using kaon::Reader;
using kaon::Writer;
using kaon::WriterOptions;
using kaon::test::expectError;
using test::HitCollection;

class PrecisionOf : public testing::TestWithParam<Layout> {
protected:
  /// Writes one event of hits with these energies, and reads them back.
  std::vector<float> throughFile(const std::vector<float>& energies, kaon::Precision precision) {
    HitCollection hits;
    for (const float energy : energies) {
      auto hit = hits.create();
      hit.setEnergy(energy);
      hit.setMomentum({energy, -energy, 0.1F});
    }
    Frame frame;
    frame.put(std::move(hits), "Hits");
    Writer writer(m_path, {.layout = GetParam(),
                           .storage = {{"Hits", {.precision = {{"energy", precision}}}}}});
    writer.write(frame, "events");
    writer.finish();
    std::vector<float> read;
    const Frame back = Reader(m_path)["events"].at(0);
    for (const auto& hit : back.get<HitCollection>("Hits")) {
      read.push_back(hit.getEnergy());
      const float given = energies[read.size() - 1];
      if (!std::isnan(given)) {
        EXPECT_EQ(hit.getMomentum()[0], given) << "another member was rounded";
      }
    }
    return read;
  }
  kaon::test::TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
};
INSTANTIATE_TEST_SUITE_P(Layouts, PrecisionOf,
                         testing::Values(Layout::split, Layout::row, Layout::member),
                         [](const auto& test) { return std::string(layoutName(test.param)); });

std::vector<float> someEnergies() {
  kaon::test::Random random(1);
  std::vector<float> energies;
  for (int i = 0; i < 20'000; ++i)
    energies.push_back(static_cast<float>(random.below(1'000'000)) * 1e-3F - 100);
  return energies;
}

TEST_P(PrecisionOf, aMantissaKeepsItsRelativeBound) {
  for (const unsigned bits : {1U, 7U, 12U, 22U}) {
    const auto energies = someEnergies();
    const auto read = throughFile(energies, kaon::mantissaBits(bits));
    const double bound = std::ldexp(1., -static_cast<int>(bits) - 1);
    for (std::size_t i = 0; i < energies.size(); ++i)
      ASSERT_LE(std::abs(double{read[i]} - double{energies[i]}), bound * std::abs(energies[i]));
  }
}

TEST_P(PrecisionOf, aRangeKeepsItsAbsoluteBound) {
  const auto energies = someEnergies();
  const auto read = throughFile(energies, kaon::stepsOf(-100, 900, 0.25));
  for (std::size_t i = 0; i < energies.size(); ++i) {
    ASSERT_LE(std::abs(double{read[i]} - double{energies[i]}), 0.125);
    ASSERT_EQ(std::remainder(read[i], 0.25F), 0);
  }
}

// Data are never clamped, whatever the range.
TEST_P(PrecisionOf, aRangeKeepsValuesOutside) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> energies{
      -3.3F, 0.26F, 5.01F, 1000.123F, infinity, -infinity, std::numeric_limits<float>::quiet_NaN()};
  const auto read = throughFile(energies, kaon::stepsOf(0, 10, 0.5));
  EXPECT_EQ(read[0], -3.3F);
  EXPECT_EQ(read[1], 0.5F);
  EXPECT_EQ(read[2], 5);
  EXPECT_EQ(read[3], 1000.123F);
  EXPECT_EQ(read[4], infinity);
  EXPECT_EQ(read[5], -infinity);
  EXPECT_TRUE(std::isnan(read[6]));
}

TEST_P(PrecisionOf, aMemberIsInTheFile) {
  (void)throughFile({1, 2, 3}, kaon::detail::bitsIn(0, 10, 8));
  const Reader reader(m_path);
  const kaon::Schema& schema = reader["events"].source().schema();
  const auto [table, member] = schema.memberNamed("Hits.energy");
  EXPECT_EQ(schema.table(table).members[member].precision, kaon::detail::bitsIn(0, 10, 8));
}

TEST_P(PrecisionOf, componentsIsThatOfTheirFloats) {
  Writer writer(m_path,
                {.layout = GetParam(),
                 .storage = {{"Particles", {.precision = {{"vertex", kaon::mantissaBits(8)}}}}}});
  test::ParticleCollection particles;
  particles.create().setVertex({0.1F, 0.2F, 0.3F});
  Frame frame;
  frame.put(std::move(particles), "Particles");
  writer.write(frame, "events");
  writer.finish();
  const Frame back = Reader(m_path)["events"].at(0);
  const auto vertex = back.get<test::ParticleCollection>("Particles")[0].getVertex();
  for (const auto& [kept, given] : {std::pair{vertex.x, 0.1F}, {vertex.y, 0.2F}}) {
    EXPECT_NE(kept, given);
    EXPECT_NEAR(kept, given, given / 512);
  }
}

// A copy keeps the declared precision, and rounding again changes nothing.
TEST_P(PrecisionOf, aFileGoesWithItsFrames) {
  const auto energies = someEnergies();
  const auto once = throughFile(energies, kaon::mantissaBits(9));
  const std::string copy = m_directory / "copy.kaon";
  {
    Writer writer(copy);
    for (const Frame& frame : Reader(m_path)["events"])
      writer.write(frame, "events");
  }
  const Frame back = Reader(copy)["events"].at(0);
  std::vector<float> twice;
  for (const auto& hit : back.get<HitCollection>("Hits"))
    twice.push_back(hit.getEnergy());
  EXPECT_EQ(twice, once);
  const Reader reader(copy);
  const kaon::Schema& schema = reader["events"].source().schema();
  const auto [table, member] = schema.memberNamed("Hits.energy");
  EXPECT_EQ(schema.table(table).members[member].precision, kaon::mantissaBits(9));
}

TEST(Precision, makesFilesSmaller) {
  const kaon::test::TemporaryDirectory directory;
  const auto sizeWith = [&](std::map<std::string, kaon::Precision, std::less<>> precision) {
    const std::string path = directory / "size.kaon";
    Writer writer(path, {.codec = kaon::lz4(), .storage = {{"Hits", {.precision = precision}}}});
    HitCollection hits;
    for (const float energy : someEnergies())
      hits.create().setEnergy(energy);
    Frame frame;
    frame.put(std::move(hits), "Hits");
    writer.write(frame, "events");
    writer.finish();
    return Reader(path)["events"]
        .source()
        .usage(Reader(path)["events"].source().schema().place(0, 1).column)
        .value();
  };
  const auto exact = sizeWith({}), rounded = sizeWith({{"energy", kaon::mantissaBits(10)}}),
             stepped = sizeWith({{"energy", kaon::detail::bitsIn(-100, 900, 8)}});
  EXPECT_LT(rounded.storedBytes, exact.storedBytes * 7 / 10);
  EXPECT_LE(stepped.storedBytes, exact.values + 200); // a byte each
}

TEST(Precision, isRefusedWhereItMakesNoSense) {
  const kaon::test::TemporaryDirectory directory;
  const auto write = [&](const char* member, kaon::Precision precision) {
    return [&directory, member, precision] {
      Writer writer(directory / "refused.kaon",
                    {.storage = {{"Hits", {.precision = {{member, precision}}}}}});
      Frame frame;
      frame.put(HitCollection(), "Hits");
      writer.write(frame, "events");
    };
  };
  expectError(ErrorKind::name,
              "'Hits' has no member 'enery' whose precision could be set "
              "(did you mean 'energy'?)",
              write("enery", kaon::mantissaBits(8)));
  expectError(ErrorKind::name, "(did you mean 'momentum'?)",
              write("momntum", kaon::mantissaBits(8)));
  expectError(ErrorKind::usage, "'Hits.energy': ", write("energy", kaon::mantissaBits(23)));
  expectError(ErrorKind::usage, "'Hits.energy': ", write("energy", kaon::stepsOf(0, 1, 0)));
  expectError(ErrorKind::usage, "'Hits.cell': ", write("cell", kaon::mantissaBits(8)));
}

} // namespace
