#include "storedmodel/storedmodel.h"
#include "support/Files.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

// The storage that a model declares for its objects in files.

namespace {

using kaon::Layout;
using kaon::Precision;
using kaon::Schema;
using stored::CellCollection;
using stored::ParticleCollection;
using stored::TrackCollection;

constexpr Precision bits(std::uint8_t count) { return {Precision::Kind::mantissa, count, 0, 0, 0}; }

/// The schema of a file with a collection of each datatype.
class Storage : public testing::Test {
protected:
  const Schema& write(kaon::WriterOptions options = {}) {
    kaon::Frame event;
    ParticleCollection particles;
    auto particle = particles.create();
    particle.setPDG(11);
    particle.addToWeights(0.5F);
    TrackCollection tracks;
    auto track = tracks.create();
    track.addToSteps({});
    track.setParticle(particles[0]);
    CellCollection cells;
    cells.create(1.5F);
    event.put(std::move(particles), "Particles");
    event.put(std::move(tracks), "Tracks");
    event.put(std::move(cells), "Cells");
    const std::string path = m_directory / "events.kaon";
    kaon::Writer writer(path, std::move(options));
    writer.write(event, "events");
    writer.finish();
    m_file = kaon::open(path);
    return m_file->category("events").schema();
  }

  static kaon::Table table(const Schema& schema, std::string_view name) {
    return schema.table(schema.tableNamed(name));
  }

  /// Returns the precision of all members that are not exact.
  static std::map<std::string, Precision> precisions(const Schema& schema) {
    std::map<std::string, Precision> found;
    for (std::uint32_t number = 0; number < schema.size(); ++number)
      for (std::uint32_t member = 0; member < schema.table(number).members.size(); ++member)
        if (schema.table(number).members[member].precision != Precision{})
          found[schema.nameOfMember(number, member)] =
              schema.table(number).members[member].precision;
    return found;
  }

private:
  kaon::test::TemporaryDirectory m_directory;
  std::shared_ptr<const kaon::File> m_file;
};

TEST_F(Storage, layoutsAndGroupsAreTheModels) {
  const Schema& schema = write();
  for (const char* name : {"Particles", "Particles.weights"})
    EXPECT_EQ(table(schema, name).layout, Layout::row) << name;
  for (const char* name : {"Tracks", "Tracks.steps", "Tracks.particle"})
    EXPECT_EQ(table(schema, name).layout, Layout::member) << name;
  EXPECT_EQ(table(schema, "Cells").layout, Layout::split);
  const auto group = [&](std::string_view name) { return schema.groupOf(schema.tableNamed(name)); };
  EXPECT_EQ(table(schema, "Particles").group, "event");
  EXPECT_EQ(group("Tracks"), group("Particles"));
  EXPECT_NE(group("Cells"), group("Particles"));
}

TEST_F(Storage, precisionsAreTheModelsAndOfFloatsAlone) {
  const double step = 16.0 / 65535; // 2^16 values from -8 to 8
  const Precision steps{Precision::Kind::range, 0, -8, step, 65535};
  const std::map<std::string, Precision> expected{
      {"Particles.energy", bits(14)},
      {"Particles.time", {Precision::Kind::range, 0, 0, 0.1, 1000}},
      {"Particles.weights", bits(10)},
      {"Tracks.fit.chi2", bits(12)},
      {"Tracks.fit.error", bits(12)},
      {"Tracks.ends.1.error", bits(20)},
      {"Tracks.steps.chi2", bits(7)},
      {"Tracks.steps.error", steps},
  };
  EXPECT_EQ(precisions(write()), expected);
}

TEST_F(Storage, optionsOfWritersGoBeforeTheModel) {
  const Schema& schema = write(
      {.layout = Layout::split,
       .storage = {{"Tracks", {.layout = Layout::row, .precision = {{"fit.error", bits(30)}}}},
                   {"Cells", {.group = "event"}}}});
  EXPECT_EQ(table(schema, "Particles").layout, Layout::split);
  EXPECT_EQ(table(schema, "Tracks").layout, Layout::row);
  EXPECT_EQ(table(schema, "Particles").group, "event");
  EXPECT_EQ(table(schema, "Cells").group, "event");
  const auto found = precisions(schema);
  EXPECT_EQ(found.at("Tracks.fit.error"), bits(30));
  EXPECT_EQ(found.at("Tracks.fit.chi2"), bits(12));
}

} // namespace
